// dlib without the libraries that Debian's configuration asks for and the detector has no use for: without LAPACK, and
// without the check that dlib's compiled part is of the header's version, which Model.cpp makes for all.

#define DLIB_TEST_FOR_ODR_VIOLATIONS_H_
#include <dlib/assert.h>
#undef DLIB_USE_BLAS
#undef DLIB_USE_LAPACK
