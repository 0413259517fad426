// SPDX-License-Identifier: MIT
// Uses abut from C++: a sphere hits the first of three boxes, touches the second, misses the third; and one contact.
#include <abut/abut.h>
#include <abut/index.h>

#include <cstring>

int main()
{
    const float x = 0, y = 0, z = 0, r = 2;
    const float minx[] = {1, 2, 3}, miny[] = {-1, -1, -1}, minz[] = {-1, -1, -1};
    const float maxx[] = {4, 4, 4}, maxy[] = {1, 1, 1}, maxz[] = {1, 1, 1};
    const abut_spheres sphere = {1, &x, &y, &z, &r};
    const abut_aabbs boxes = {3, minx, miny, minz, maxx, maxy, maxz};
    uint64_t closed, open;
    abut_options open_rule = abut_options();
    open_rule.touch = ABUT_OPEN;
    const bool done = abut_spheres_touch_aabbs(&sphere, &boxes, nullptr, &closed) == ABUT_OK &&
                      abut_spheres_touch_aabbs(&sphere, &boxes, &open_rule, &open) == ABUT_OK;
    // C++ code writes types without `struct`, so no function may share a type's name.
    const abut_pair pair = {0, 1};
    abut_contacts contacts = {};
    const bool began = abut_find_contacts(nullptr, 0, &pair, 1, &contacts) == ABUT_OK && contacts.n_began == 1;
    return done && began && closed == 3 && open == 1 && !std::strcmp(abut_version(), ABUT_VERSION) ? 0 : 1;
}
