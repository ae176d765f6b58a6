#pragma once

#include <memory>
#include <string>

#include <fitup/io/model_file.h>

namespace FITUP_EXPORT fitup {

/// Makes a model of one part, placed at the origin, in the frame and the unit of an assembly, such as the
/// surface around a motion. The part's mesh is in world coordinates of that assembly. The part and the root
/// have this name. Throws as `Assembly::addNode`.
Model surfaceModel(const Assembly& assembly, std::shared_ptr<const TriangleMesh> mesh,
                   const std::string& name);

}  // namespace fitup
