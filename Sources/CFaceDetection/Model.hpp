#pragma once

#include <string>

/// The model in dlib's header, unpacked, which takes about 0.2 s.
std::string frontal_model();
