#pragma once

#include <TopoDS_Face.hxx>

#include <optional>

namespace fitup::importers {

/// Returns how far the triangulation of a face is from the face, and the polygons along its edges from their
/// curves, in the unit of the shape. Empty if the face has no triangulation with parameters.
///
/// Of planes, cylinders and spheres, and of lines and circles, this is exact apart from rounding. Elsewhere
/// the distance is taken at the middle of each triangle and edge, and a margin added; on surfaces and curves
/// without a closed form, the result is at least `promised`, the chord error that the library was asked to
/// keep.
std::optional<double> chordErrorOf(const TopoDS_Face& face, double promised);

}  // namespace fitup::importers
