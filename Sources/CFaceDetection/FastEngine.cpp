// The same detector for processors with AVX2 and FMA. Its dlib lies in a namespace of its own, so that the linker
// never takes a function compiled for these processors for one that has to run everywhere; the standard library is
// included before the instructions are allowed, for the same reason.

#if defined(__x86_64__)

#include "StandardHeaders.hpp"

#include <cpuid.h>
#include <immintrin.h>

#include "Engine.hpp"

#define dlib cameo_dlib_fast
#include "PlainDlib.hpp"

#define DLIB_HAVE_SSE2
#define DLIB_HAVE_SSE3
#define DLIB_HAVE_SSE41
#define DLIB_HAVE_AVX
#define DLIB_HAVE_AVX2

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define ENGINE fast_engine
#include "EngineBody.hpp"
#pragma clang attribute pop

#endif
