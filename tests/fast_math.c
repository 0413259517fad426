/* SPDX-License-Identifier: MIT */
/* A library linked with -ffast-math: its start-up code flushes denormals in every process that loads it. */
float abut_test_half(float x);
float abut_test_half(float x)
{
    return x / 2;
}
