#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/io/read_assembly.h>
#include <fitup/planning/swept_volume.h>
#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// The model of an envelope, in the frame and the unit of the assembly that it was made from: one instance,
/// "swept volume", on a layer "swept by PATH" for each instance that swept. Precondition: it has an `outer`.
Model sweptVolumeModel(const Assembly& assembly, const SweptVolume& swept);

/// A space in an assembly that everything shall stay out of, except the instances that made it.
struct KeepOut {
  NodeId instance{};
  std::vector<NodeId> makers;
};

/// Reads envelopes and adds them to the model from which they were made, below a new root node:
/// "keep-out/NAME", with the name of the file without folder and extension. Nodes and parts of the model keep
/// their ids. In a model of several files, the makers are looked for below the node of each file.
///
/// Throws as `readAssembly`; InputError, which names the file, if it is not one of `sweptVolumeModel`, has
/// another unit than the model, or was made by an instance that the model lacks or has in several of its
/// files.
std::vector<KeepOut> addKeepOuts(Model& model, std::span<const std::filesystem::path> files,
                                 const ReadOptions& options = {}, const Progress& progress = {});

/// Rules that leave out the pairs of each keep-out with its makers, and those of two keep-outs. They belong
/// before all others. Throws InputError for a path with * or ?, which no rule can name.
std::vector<Rule> rulesOf(std::span<const KeepOut> keepOuts, const Assembly& assembly);

}  // namespace fitup
