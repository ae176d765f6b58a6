#pragma once

#include <string>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>

namespace fitup::cli {

/// Reads a track and looks whether it fits the assembly. Throws as `readTrack` and `resolve`, always with the
/// file's name; `force` accepts one that was recorded on another model.
Track readFittingTrack(const std::string& file, const Assembly& assembly, bool force);

}  // namespace fitup::cli
