// Synthetic clips for tests. The generator lives with the tool that writes them to files.
#pragma once

#include "clipgen/clip_generator.hpp"
