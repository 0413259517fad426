/* SPDX-License-Identifier: MIT */
/*
 * cglm, Bullet, Eigen, FCL, ODE and CGAL: their tests of a sphere, box or frustum with a box, on arrays of their own
 * shapes. cglm's glm_aabb_sphere is left out: up to Debian's 0.8.8 a centre below the box is measured from the far
 * face, which misses a third of the hits (fixed in pull request 496 of recp/cglm).
 */
#include "kernels.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Intersections_3/Iso_cuboid_3_Sphere_3.h>
#include <Eigen/Geometry>
#include <fcl/math/bv/OBB.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/box_box.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/sphere_box.h>
#include <ode/ode.h>

extern "C" {
#include <cglm/cglm.h>
}

#include <algorithm>

namespace
{

/* A bit for each of n pairs. */
template <typename Hit> void fill_words(size_t n, uint64_t *hits, Hit hit)
{
    for (size_t first = 0; first < n; first += 64) {
        const size_t end = std::min(n, first + 64);
        uint64_t word = 0;
        for (size_t i = first; i < end; i++)
            word |= uint64_t(hit(i)) << (i - first);
        hits[first / 64] = word;
    }
}

template <typename A, typename B, typename Hit>
KernelPass pass_over(std::vector<A> a, std::vector<B> b, bool rotates, Hit hit)
{
    return [a = std::move(a), b = std::move(b), rotates, hit](size_t row, uint64_t *hits) {
        if (rotates)
            fill_words(b.size(), hits, [&, one = a[row]](size_t i) { return hit(one, b[i]); });
        else
            fill_words(b.size(), hits, [&](size_t i) { return hit(a[i], b[i]); });
    };
}

/* One shape of the library for each item. */
template <typename Make> auto shapes_of(const KernelItems &items, Make make)
{
    std::vector<decltype(make(items.at, 0))> shapes;
    for (size_t i = 0; i < items.n; i++)
        shapes.push_back(make(items.at, i));
    return shapes;
}

/* ---- cglm, whose functions take pointers to what they do not change */

struct GlmBox {
    vec3 at[2];
};

struct alignas(16) GlmFrustum {
    vec4 planes[6]; /* face inward */
};

GlmBox glm_box(const float *const *at, size_t i)
{
    return {{{at[0][i], at[1][i], at[2][i]}, {at[3][i], at[4][i], at[5][i]}}};
}

KernelPass glm_two_aabbs(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, glm_box), shapes_of(b, glm_box), rotates, [](const GlmBox &one, const GlmBox &other) {
        return glm_aabb_aabb(const_cast<GlmBox &>(one).at, const_cast<GlmBox &>(other).at);
    });
}

KernelPass glm_box_frustum(const KernelItems &a, const KernelItems &b, bool)
{
    GlmFrustum frustum = {};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 4; k++)
            frustum.planes[i][k] = -b.at[k][i];
    return pass_over(std::vector<GlmFrustum>{frustum}, shapes_of(a, glm_box), true,
                     [](const GlmFrustum &of, const GlmBox &box) {
                         return glm_aabb_frustum(const_cast<GlmBox &>(box).at, const_cast<GlmFrustum &>(of).planes);
                     });
}

/* ---- Bullet: the tests of its dynamic tree */

btDbvtVolume bullet_box(const float *const *at, size_t i)
{
    return btDbvtVolume::FromMM(btVector3(at[0][i], at[1][i], at[2][i]), btVector3(at[3][i], at[4][i], at[5][i]));
}

KernelPass bullet_two_aabbs(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, bullet_box), shapes_of(b, bullet_box), rotates,
                     [](const btDbvtVolume &one, const btDbvtVolume &other) { return Intersect(one, other); });
}

struct BulletPlane {
    btVector3 normal; /* inward */
    btScalar offset;
    int signs;
};

BulletPlane bullet_plane(const float *const *at, size_t i)
{
    const btVector3 normal(-at[0][i], -at[1][i], -at[2][i]);
    return {normal, -at[3][i], (normal.x() >= 0) + 2 * (normal.y() >= 0) + 4 * (normal.z() >= 0)};
}

/* As in btDbvt::collideKDOP. */
KernelPass bullet_box_frustum(const KernelItems &a, const KernelItems &b, bool)
{
    const std::vector<BulletPlane> planes = shapes_of(b, bullet_plane);
    return pass_over(std::vector<std::vector<BulletPlane>>{planes}, shapes_of(a, bullet_box), true,
                     [](const std::vector<BulletPlane> &of, const btDbvtVolume &box) {
                         return std::none_of(of.begin(), of.end(), [&](const BulletPlane &plane) {
                             return box.Classify(plane.normal, plane.offset, plane.signs) < 0;
                         });
                     });
}

struct BulletObb {
    btBoxShape shape;
    btTransform pose;
};

BulletObb bullet_obb(const float *const *at, size_t i)
{
    btBoxShape shape(btVector3(at[3][i], at[4][i], at[5][i]));
    shape.setMargin(0);
    const btMatrix3x3 axes(at[6][i], at[9][i], at[12][i], at[7][i], at[10][i], at[13][i], at[8][i], at[11][i],
                           at[14][i]);
    return {shape, btTransform(axes, btVector3(at[0][i], at[1][i], at[2][i]))};
}

/* Whether there is a point of contact at all. */
struct BulletContact : btDiscreteCollisionDetectorInterface::Result {
    bool any = false;

    void setShapeIdentifiersA(int, int) override
    {
    }
    void setShapeIdentifiersB(int, int) override
    {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar) override
    {
        any = true;
    }
};

KernelPass bullet_two_obbs(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, bullet_obb), shapes_of(b, bullet_obb), rotates,
                     [](const BulletObb &one, const BulletObb &other) {
                         btDiscreteCollisionDetectorInterface::ClosestPointInput input;
                         input.m_transformA = one.pose;
                         input.m_transformB = other.pose;
                         BulletContact contact;
                         btBoxBoxDetector(&one.shape, &other.shape).getClosestPoints(input, contact, nullptr);
                         return contact.any;
                     });
}

/* ---- Eigen */

struct EigenSphere {
    Eigen::Vector3f centre;
    float r;
};

EigenSphere eigen_sphere(const float *const *at, size_t i)
{
    return {{at[0][i], at[1][i], at[2][i]}, at[3][i]};
}

Eigen::AlignedBox3f eigen_box(const float *const *at, size_t i)
{
    return {Eigen::Vector3f(at[0][i], at[1][i], at[2][i]), Eigen::Vector3f(at[3][i], at[4][i], at[5][i])};
}

KernelPass eigen_sphere_aabb(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, eigen_sphere), shapes_of(b, eigen_box), rotates,
                     [](const EigenSphere &sphere, const Eigen::AlignedBox3f &box) {
                         return box.squaredExteriorDistance(sphere.centre) <= sphere.r * sphere.r;
                     });
}

/* ---- CGAL, with a kernel whose predicates are exact: interval arithmetic first, then rationals */

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

Kernel::Sphere_3 cgal_sphere(const float *const *at, size_t i)
{
    return {Kernel::Point_3(at[0][i], at[1][i], at[2][i]), double(at[3][i]) * at[3][i]};
}

Kernel::Iso_cuboid_3 cgal_box(const float *const *at, size_t i)
{
    return {Kernel::Point_3(at[0][i], at[1][i], at[2][i]), Kernel::Point_3(at[3][i], at[4][i], at[5][i])};
}

KernelPass cgal_sphere_aabb(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, cgal_sphere), shapes_of(b, cgal_box), rotates,
                     [](const Kernel::Sphere_3 &sphere, const Kernel::Iso_cuboid_3 &box) {
                         return CGAL::do_intersect(sphere, box);
                     });
}

/* ---- FCL */

template <typename Shape> struct Posed {
    Shape shape;
    fcl::Transform3f pose;
};

Posed<fcl::Spheref> fcl_sphere(const float *const *at, size_t i)
{
    Posed<fcl::Spheref> sphere = {fcl::Spheref(at[3][i]), fcl::Transform3f::Identity()};
    sphere.pose.translation() << at[0][i], at[1][i], at[2][i];
    return sphere;
}

Posed<fcl::Boxf> fcl_obb(const float *const *at, size_t i)
{
    Posed<fcl::Boxf> box = {fcl::Boxf(2 * at[3][i], 2 * at[4][i], 2 * at[5][i]), fcl::Transform3f::Identity()};
    box.pose.translation() << at[0][i], at[1][i], at[2][i];
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            box.pose.linear()(k, axis) = at[6 + 3 * axis + k][i];
    return box;
}

KernelPass fcl_sphere_obb(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, fcl_sphere), shapes_of(b, fcl_obb), rotates,
                     [](const Posed<fcl::Spheref> &sphere, const Posed<fcl::Boxf> &box) {
                         return fcl::detail::sphereBoxIntersect<float>(sphere.shape, sphere.pose, box.shape, box.pose,
                                                                       nullptr);
                     });
}

/* The test of the boxes in its trees of OBBs: separating axes only. */
fcl::OBB<float> fcl_tree_obb(const float *const *at, size_t i)
{
    fcl::OBB<float> box;
    box.To << at[0][i], at[1][i], at[2][i];
    box.extent << at[3][i], at[4][i], at[5][i];
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            box.axis(k, axis) = at[6 + 3 * axis + k][i];
    return box;
}

KernelPass fcl_two_obbs(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, fcl_tree_obb), shapes_of(b, fcl_tree_obb), rotates,
                     [](const fcl::OBB<float> &one, const fcl::OBB<float> &other) { return one.overlap(other); });
}

/* The test of two shapes. */
KernelPass fcl_two_boxes(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, fcl_obb), shapes_of(b, fcl_obb), rotates,
                     [](const Posed<fcl::Boxf> &one, const Posed<fcl::Boxf> &other) {
                         return fcl::detail::boxBoxIntersect<float>(one.shape, one.pose, other.shape, other.pose,
                                                                    nullptr);
                     });
}

/* ---- ODE, in double precision */

struct OdeObb {
    dVector3 centre, sides;
    dMatrix3 axes;
};

OdeObb ode_obb(const float *const *at, size_t i)
{
    OdeObb box = {};
    for (size_t k = 0; k < 3; k++) {
        box.centre[k] = at[k][i];
        box.sides[k] = 2 * dReal(at[3 + k][i]);
        for (size_t axis = 0; axis < 3; axis++)
            box.axes[4 * k + axis] = at[6 + 3 * axis + k][i];
    }
    return box;
}

KernelPass ode_two_obbs(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, ode_obb), shapes_of(b, ode_obb), rotates, [](const OdeObb &one, const OdeObb &other) {
        return dBoxTouchesBox(one.centre, one.axes, one.sides, other.centre, other.axes, other.sides) != 0;
    });
}

/* The same with a point of contact. */
KernelPass ode_contact(const KernelItems &a, const KernelItems &b, bool rotates)
{
    return pass_over(shapes_of(a, ode_obb), shapes_of(b, ode_obb), rotates, [](const OdeObb &one, const OdeObb &other) {
        dVector3 normal;
        dReal depth;
        int code;
        dContactGeom contact;
        return dBoxBox(one.centre, one.axes, one.sides, other.centre, other.axes, other.sides, normal, &depth, &code, 1,
                       &contact, sizeof contact) != 0;
    });
}

} // namespace

const std::vector<KernelPeer> &kernel_peers()
{
    static const std::vector<KernelPeer> all = {
        {"Eigen", predicate_sphere_aabb, eigen_sphere_aabb},
        {"CGAL", predicate_sphere_aabb, cgal_sphere_aabb},
        {"FCL", predicate_sphere_obb, fcl_sphere_obb},
        {"FCL", predicate_obb_obb, fcl_two_obbs},
        {"FCL,boxes", predicate_obb_obb, fcl_two_boxes},
        {"ODE", predicate_obb_obb, ode_two_obbs},
        {"ODE,contact", predicate_obb_obb, ode_contact},
        {"Bullet,contact", predicate_obb_obb, bullet_two_obbs},
        {"cglm", predicate_aabb_aabb, glm_two_aabbs},
        {"Bullet", predicate_aabb_aabb, bullet_two_aabbs},
        {"cglm", predicate_aabb_hull_planes, glm_box_frustum},
        {"Bullet", predicate_aabb_hull_planes, bullet_box_frustum},
    };
    return all;
}
