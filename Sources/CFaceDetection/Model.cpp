#include "Model.hpp"

#include <dlib/assert.h>
#include <dlib/test_for_odr_violations.h>
#undef DLIB_USE_BLAS
#undef DLIB_USE_LAPACK
#include <dlib/image_processing/frontal_face_detector.h>

std::string frontal_model() { return dlib::get_serialized_frontal_faces(); }
