#pragma once

#include <stddef.h>

/// Calls of malloc and its kin in this process so far, in all threads.
unsigned long long hotpath_allocations(void);

/// Decodes a JPEG as plainly as libjpeg-turbo can, to RGB; the caller frees the pixels. NULL where it is no JPEG.
unsigned char *hotpath_decode(const unsigned char *bytes, size_t count, int *width, int *height);
