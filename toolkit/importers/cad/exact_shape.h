#pragma once

#include <fitup/io/model_file.h>

#include "tessellate.h"

namespace fitup::importers {

/// Returns the part's B-rep without triangles, in the form of model files. If the shape does not list its
/// faces in the order of the part's surfaces, it is a compound of the faces. Empty if Open CASCADE cannot
/// write it, or if the part has no faces.
ExactShape exactShapeOf(const PartShape& part);

}  // namespace fitup::importers
