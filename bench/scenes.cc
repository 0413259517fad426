/* SPDX-License-Identifier: MIT */
/* How the boxes of the three worlds move. */
#include "scenes.h"

namespace
{

constexpr float tick = 1 / 30.0f, density = 0.1f;

/* All have random speeds, up to 0.75 sides a second; each frame a hundredth of them gets others. */
struct Brownian : Scene {
    size_t turn = 0;

    explicit Brownian(size_t n) : Scene(n)
    {
        for (size_t i = 0; i < n; i++)
            push(i);
    }
    void push(size_t i)
    {
        for (auto &axis : speed)
            axis[i] = random.uniform(-0.75f, 0.75f) * side / 1.7320508f;
    }
    void move() override
    {
        for (size_t j = 0; j < (frame.n + 99) / 100; j++, turn = (turn + 1) % frame.n)
            push(turn);
        for (size_t i = 0; i < frame.n; i++)
            for (int k = 0; k < 3; k++) {
                at[k][i] += speed[k][i] * tick;
                bounce(i, k, 1);
            }
    }
};

/*
 * All fall, bounce on what lies below, and rest: cells of the floor carry a height, which each box that comes to rest
 * raises. A box at rest does not move at all. The first frame is after two and a half seconds.
 */
struct FreeFall : Scene {
    size_t cells;
    std::vector<float> height;
    std::vector<bool> rests;

    explicit FreeFall(size_t n) : Scene(n), cells(size_t(side / 1.2f) + 1), height(cells * cells), rests(n)
    {
        for (size_t i = 0; i < n; i++)
            for (auto &axis : speed)
                axis[i] = random.uniform(-0.02f, 0.02f) * side;
        for (int f = 0; f < 75; f++)
            move();
        write();
    }
    float &floor_below(size_t i)
    {
        const auto cell = [&](float x) { return std::min(size_t(std::max(x, 0.0f) / 1.2f), cells - 1); };
        return height[cell(at[0][i]) * cells + cell(at[2][i])];
    }
    void move() override
    {
        const float pull = 0.0981f * side;
        for (size_t i = 0; i < frame.n; i++) {
            if (rests[i])
                continue;
            speed[1][i] -= pull * tick;
            for (int k = 0; k < 3; k++) {
                at[k][i] += speed[k][i] * tick;
                if (k != 1)
                    bounce(i, k, 1);
            }
            float &floor = floor_below(i);
            if (at[1][i] - half[1][i] > floor || speed[1][i] > 0)
                continue;
            at[1][i] = floor + half[1][i];
            for (int k = 0; k < 3; k++)
                speed[k][i] *= k == 1 ? -0.3f : 0.5f;
            if (speed[1][i] < 0.02f * side) {
                rests[i] = true;
                floor += 1.6f * half[1][i];
            }
        }
    }
};

/*
 * All are drawn to a point that goes round once in six seconds, so they rush to and fro and gather about it. Where
 * cells hold more than fit, they are pushed apart and slowed down. The first frame is after three seconds.
 */
struct Gravity : Scene {
    static constexpr float cell = 3, full = 0.6f * cell * cell * cell;
    size_t cells;
    std::vector<uint32_t> held;
    float time = 0;

    explicit Gravity(size_t n) : Scene(n), cells(size_t(side / cell) + 1), held(cells * cells * cells)
    {
        for (int f = 0; f < 90; f++)
            move();
        write();
    }
    size_t cell_of(size_t i) const
    {
        size_t c = 0;
        for (const auto &axis : at)
            c = c * cells + std::min(size_t(std::max(axis[i], 0.0f) / cell), cells - 1);
        return c;
    }
    void move() override
    {
        time += tick;
        const float angle = time * 6.2831853f / 6, pull = 0.4f * side;
        const float centre[3] = {side * (0.5f + 0.3f * std::cos(angle)), side * (0.5f + 0.3f * std::sin(angle)),
                                 side * (0.5f + 0.2f * std::sin(0.7f * angle))};
        std::fill(held.begin(), held.end(), 0U);
        for (size_t i = 0; i < frame.n; i++)
            held[cell_of(i)]++;
        for (size_t i = 0; i < frame.n; i++) {
            const float excess = std::min(float(held[cell_of(i)]) / full - 1, 4.0f);
            const float kept = excess > 0 ? 0.8f : 1;
            for (int k = 0; k < 3; k++) {
                const float towards = (centre[k] - at[k][i]) / side;
                speed[k][i] = kept * (speed[k][i] + pull * (excess > 0 ? -4 * excess : 1) * towards * tick);
                if (excess > 0)
                    speed[k][i] += random.uniform(-0.1f, 0.1f) * side * excess;
                at[k][i] += speed[k][i] * tick;
                bounce(i, k, 0.2f);
            }
        }
    }
};

} // namespace

Scene::Scene(size_t n) : frame(n), side(std::cbrt(float(n) / density))
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            at[k].push_back(random.uniform(0, side));
            half[k].push_back(random.uniform(0.5f, 0.866f));
            speed[k].push_back(0);
        }
    for (int k = 0; k < 6; k++)
        frame.bounds[k].resize(n);
    write();
}

void Scene::next()
{
    const auto place = [&](size_t i) { return std::array<float, 3>{at[0][i], at[1][i], at[2][i]}; };
    std::vector<std::array<float, 3>> before(frame.n);
    for (size_t i = 0; i < frame.n; i++)
        before[i] = place(i);
    move();
    write();
    frame.moved.clear();
    for (size_t i = 0; i < frame.n; i++)
        if (place(i) != before[i])
            frame.moved.push_back(uint32_t(i));
    for (int k = 0; k < 6; k++) {
        frame.moved_bounds[k].clear();
        for (const uint32_t i : frame.moved)
            frame.moved_bounds[k].push_back(frame.bounds[k][i]);
    }
}

void Scene::write()
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < frame.n; i++) {
            frame.bounds[k][i] = at[k][i] - half[k][i];
            frame.bounds[k + 3][i] = at[k][i] + half[k][i];
        }
}

/* At the walls. */
void Scene::bounce(size_t i, int axis, float restitution)
{
    float &place = at[axis][i], &by = speed[axis][i];
    if (place >= 0 && place <= side)
        return;
    place = place < 0 ? 0 : side;
    by = (place > 0 ? -1 : 1) * restitution * std::fabs(by);
}

std::unique_ptr<Scene> make_scene(const char *name, size_t n)
{
    if (std::strcmp(name, "brownian") == 0)
        return std::make_unique<Brownian>(n);
    if (std::strcmp(name, "free fall") == 0)
        return std::make_unique<FreeFall>(n);
    return std::make_unique<Gravity>(n);
}
