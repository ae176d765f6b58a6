#pragma once

#include <IMeshTools_Parameters.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>

#include <functional>

namespace fitup::importers {

/// Tessellates a face for which Open CASCADE makes no triangles, or too few, in other forms: divided by
/// angles or along its seam, as NURBS, more finely, or healed. The faces of a form have triangulations whose
/// area is about that of the face. `accept` decides whether a form is suitable; returns false if none is. The
/// face itself does not change.
bool tessellateOtherwise(const TopoDS_Face& face, const IMeshTools_Parameters& parameters,
                         const std::function<bool(const TopoDS_Shape&)>& accept);

}  // namespace fitup::importers
