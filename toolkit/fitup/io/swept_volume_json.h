#pragma once

#include <string>

#include <fitup/planning/swept_volume.h>

namespace FITUP_EXPORT fitup {

/// A swept volume as JSON (docs/reference/swept-volume.md), without the triangles, with a final line break.
/// `assembly` and `track` are those that it was made from, `modelFile` and `trackFile` their names.
std::string sweptVolumeJsonText(const std::string& program, const std::string& modelFile,
                                const std::string& trackFile, const Assembly& assembly,
                                const SweptVolume& swept);

}  // namespace fitup
