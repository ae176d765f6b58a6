#pragma once

#include <TopoDS_Face.hxx>
#include <gp_Dir.hxx>
#include <gp_Pnt.hxx>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

inline Vec3 vec(const gp_Pnt& p) { return {p.X(), p.Y(), p.Z()}; }
inline Vec3 vec(const gp_Dir& d) { return {d.X(), d.Y(), d.Z()}; }

/// Describes the face in the frame of the shape that holds it. The axis of a plane is the face's outward
/// normal.
SurfaceDescription describe(const TopoDS_Face& face);

/// Decides by the determinant, because transforms made from matrices do not report that they are negative.
bool isMirrored(const gp_Trsf& placement);

}  // namespace fitup::importers
