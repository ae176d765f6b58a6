#pragma once

#include <string>

#include <fitup/scene/assembly.h>

namespace fitup::cli {

/// "PATH=x,y,z" or "PATH=x,y,z,ax,ay,az,degrees": a shift in the world, and a turn about the middle of the
/// moved box. Throws InputError.
void applyMove(Assembly& assembly, const std::string& text);

}  // namespace fitup::cli
