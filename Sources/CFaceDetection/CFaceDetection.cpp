#include "CFaceDetection.h"

#include <new>

#include "Engine.hpp"
#include "Model.hpp"

struct cface_detector {
    const Engine *engine;
    void *state;
};

int cface_can_be_fast(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

static const Engine *engine_for(int fast) {
#if defined(__x86_64__)
    if (fast && cface_can_be_fast()) return &fast_engine;
#else
    (void)fast;
#endif
    return &baseline_engine;
}

/// A detector around what `make` makes of an engine; NULL where that throws.
template <typename Make>
static cface_detector *wrapped(const Engine *engine, Make make) {
    auto *detector = new (std::nothrow) cface_detector{engine, nullptr};
    if (detector == nullptr) return nullptr;
    try {
        detector->state = make();
        return detector;
    } catch (...) {
        delete detector;
        return nullptr;
    }
}

cface_detector *cface_create(int fast) {
    const Engine *engine = engine_for(fast);
    return wrapped(engine, [=] { return engine->create(frontal_model()); });
}

cface_detector *cface_copy(const cface_detector *detector) {
    return wrapped(detector->engine, [=] { return detector->engine->copy(detector->state); });
}

void cface_destroy(cface_detector *detector) {
    if (detector == nullptr) return;
    detector->engine->destroy(detector->state);
    delete detector;
}

int cface_search(cface_detector *detector, const uint8_t *pixels, int width, int height, double threshold,
                 cface_box *boxes, int capacity) {
    if (width < 1 || height < 1 || capacity < 0) return -1;
    try {
        return detector->engine->search(detector->state, pixels, width, height, threshold, boxes, capacity);
    } catch (...) {
        return -1;
    }
}
