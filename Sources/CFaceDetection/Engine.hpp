#pragma once

#include <string>

#include "CFaceDetection.h"

/// One build of the detector. The functions may throw.
struct Engine {
    void *(*create)(const std::string &model);
    void *(*copy)(const void *detector);
    void (*destroy)(void *detector);
    int (*search)(void *detector, const uint8_t *pixels, int width, int height, double threshold, cface_box *boxes,
                  int capacity);
};

/// For every machine.
extern const Engine baseline_engine;
#if defined(__x86_64__)
/// For machines with AVX2 and FMA.
extern const Engine fast_engine;
#endif
