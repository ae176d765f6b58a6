#pragma once

#include <fitup/io/model_file.h>

#include "tessellate.h"

namespace fitup::importers {

/// The part's B-rep without triangles, as model files keep it. Where the shape does not list its faces in the
/// order of the part's surfaces, a compound of the faces. Empty if Open CASCADE cannot write it, or if the
/// part has no faces.
ExactShape exactShapeOf(const PartShape& part);

}  // namespace fitup::importers
