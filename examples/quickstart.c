/* Which of four boxes does a sphere touch? */
#include <abut/abut.h>
#include <stdio.h>

int main(void)
{
    float minx[] = {-2, 2, 0, -5}, miny[] = {-2, 1, -1, -5}, minz[] = {-2, 2, 0, -5};
    float maxx[] = {-1, 4, 1, 5}, maxy[] = {-1, 3, 0, 5}, maxz[] = {-1, 4, 1, 5};
    struct abut_aabbs boxes = {4, minx, miny, minz, maxx, maxy, maxz};
    struct abut_spheres sphere = {1, (float[]){1}, (float[]){0}, (float[]){1}, (float[]){2}};
    uint64_t hits[1];
    enum abut_status status = abut_spheres_touch_aabbs(&sphere, &boxes, NULL, hits);
    for (unsigned i = 0; status == ABUT_OK && i < 4; i++)
        printf("box %u: %s\n", i, hits[0] >> i & 1 ? "touches" : "does not touch");
    return status != ABUT_OK;
}
