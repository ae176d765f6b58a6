#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fitup/io/keep_out.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/scene.h>

#include "options.h"

namespace fitup::cli {

/// Adds the envelopes of --keep-out to the model, and rules that leave out what made them. Throws as
/// `addKeepOuts` and `rulesOf`, and InputError if the sets of the rules have no pair with one of them.
std::vector<KeepOut> readKeepOuts(const std::vector<std::string>& files, const ReadOptions& read,
                                  Model& model, Rules& rules, const Progress& progress);

/// Prints what made each keep-out, which is not checked with it.
void sayKeepOuts(const Assembly& assembly, const std::vector<KeepOut>& keepOuts);

/// Of a pair with a keep-out: "swept by PATH: face 3 (plane), steps 0 to 2.25", the face of the keep-out that
/// is nearest to a point of the world. Empty for other pairs.
std::string sweptByText(const Scene& scene, const Poses& poses, const std::vector<KeepOut>& keepOuts,
                        const PairInterference& pair, const Vec3& point);

}  // namespace fitup::cli
