#include "StandardHeaders.hpp"

#include "Engine.hpp"

#define dlib cameo_dlib_baseline
#include "PlainDlib.hpp"

#define ENGINE baseline_engine
#include "EngineBody.hpp"
