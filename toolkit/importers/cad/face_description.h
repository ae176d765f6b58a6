#pragma once

#include <TopoDS_Face.hxx>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

/// What the face is, in the frame of the shape it was taken from. A plane's axis is the face's outward
/// normal.
SurfaceDescription describe(const TopoDS_Face& face);

/// By the determinant, since those made of matrices do not call themselves negative.
bool isMirrored(const gp_Trsf& placement);

}  // namespace fitup::importers
