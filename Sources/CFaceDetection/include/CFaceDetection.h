#pragma once

// A C interface over dlib's frontal face detector. No C++ exception leaves it.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A face in pixels of the picture that was searched. The box goes from the brows to the chin.
typedef struct {
    double x, y, width, height;
    /// dlib's own: the distance from the plane that parts faces from other things; above 0 rather a face than not.
    double score;
} cface_box;

/// A detector with the scratch memory of its searches: for one thread at a time.
typedef struct cface_detector cface_detector;

/// Whether this machine has the instructions of the faster of two builds of the detector.
int cface_can_be_fast(void);

/// A detector from the model in dlib's header, which takes about 0.2 s; NULL where memory ends.
cface_detector *cface_create(int fast);

/// A detector like `detector`, which takes less than 0.1 ms and only reads it; NULL where memory ends.
cface_detector *cface_copy(const cface_detector *detector);

void cface_destroy(cface_detector *detector);

/// Searches 8-bit grey pixels, rows from top to bottom without gaps, enlarged to twice their size.
///
/// Writes at most `capacity` boxes of at least the score `threshold`, the surest first, each face once. Returns how
/// many it wrote, or -1 where the search failed.
int cface_search(cface_detector *detector, const uint8_t *pixels, int width, int height, double threshold,
                 cface_box *boxes, int capacity);

#ifdef __cplusplus
}
#endif
