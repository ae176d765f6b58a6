#pragma once

// The instruction sets for which the traversals of wide trees are compiled. The first call selects the best
// one that the processor has. Each kernel (wide_traversal_kernel.cpp, wide_distance_kernel.cpp) is compiled
// once for each set, in separate objects, because one takes up to a quarter of a minute:
// toolkit/CMakeLists.txt sets FITUP_KERNEL to one of the numbers below. Include this before any header of
// Highway.
//
// The baseline is the set that the compiler may use everywhere (HWY_STATIC_TARGET): NEON on 64-bit ARM, plain
// code on x86-64. On x86-64, SSE4 takes 0.4 times the time of plain code, AVX2 0.55 times that of SSE4, AVX3
// (AVX-512) 0.8 times that of AVX2 for all triangles of a pair of tori, and AVX3_DL (VBMI2, which picks
// candidates, `placesOf`) 0.97 times that of AVX3. SSSE3 adds nothing. Define FITUP_WITHOUT_AVX3_DL first to
// leave out AVX3_DL.
#define FITUP_KERNEL_BASELINE 1
#define FITUP_KERNEL_SSE4 2
#define FITUP_KERNEL_AVX2 3
#define FITUP_KERNEL_AVX3 4
#define FITUP_KERNEL_AVX3_DL 5

#ifdef FITUP_WITHOUT_AVX3_DL
#define FITUP_SETS (HWY_SSE4 | HWY_AVX2 | HWY_AVX3)
#else
#define HWY_WANT_AVX3_DL
#define FITUP_SETS (HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)
#endif
// Sets of other versions of Highway have no kernel either.
#define FITUP_UNUSED_TARGETS                                                                                \
  (~(HWY_BASELINE_TARGETS | FITUP_SETS) | (FITUP_SETS ^ (FITUP_SETS | HWY_AVX3_DL)) | HWY_SSSE3 | HWY_SVE | \
   HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// A kernel is compiled for its own set and the baseline; the kernel of the baseline defines the latter.
#if !defined(FITUP_KERNEL) || FITUP_KERNEL == FITUP_KERNEL_BASELINE
#define HWY_DISABLED_TARGETS FITUP_UNUSED_TARGETS
#define FITUP_KERNEL_TARGET HWY_STATIC_TARGET
#elif FITUP_KERNEL == FITUP_KERNEL_SSE4
#define HWY_DISABLED_TARGETS (FITUP_UNUSED_TARGETS | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)
#define FITUP_KERNEL_TARGET (HWY_SSE4 == HWY_STATIC_TARGET ? 0 : HWY_SSE4)
#elif FITUP_KERNEL == FITUP_KERNEL_AVX2
#define HWY_DISABLED_TARGETS (FITUP_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#define FITUP_KERNEL_TARGET (HWY_AVX2 == HWY_STATIC_TARGET ? 0 : HWY_AVX2)
#elif FITUP_KERNEL == FITUP_KERNEL_AVX3
#define HWY_DISABLED_TARGETS (FITUP_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX2 | HWY_AVX3_DL)
#define FITUP_KERNEL_TARGET (HWY_AVX3 == HWY_STATIC_TARGET ? 0 : HWY_AVX3)
#elif FITUP_KERNEL == FITUP_KERNEL_AVX3_DL
#define HWY_DISABLED_TARGETS (FITUP_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX2 | HWY_AVX3)
#define FITUP_KERNEL_TARGET (HWY_AVX3_DL == HWY_STATIC_TARGET ? 0 : HWY_AVX3_DL)
#endif
