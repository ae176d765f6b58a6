#pragma once

#include <IMeshTools_Parameters.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>

#include <functional>

namespace fitup::importers {

/// A face of which Open CASCADE makes no triangles, or too few, in another form of which it makes some:
/// divided by angles or along its seam, as NURBS, more finely, or healed. Its faces have triangulations,
/// whose area is about the face's. Whether that is the form that was looked for is for `accept` to say; false
/// if there is none. The face itself is not changed.
bool tessellateOtherwise(const TopoDS_Face& face, const IMeshTools_Parameters& parameters,
                         const std::function<bool(const TopoDS_Shape&)>& accept);

}  // namespace fitup::importers
