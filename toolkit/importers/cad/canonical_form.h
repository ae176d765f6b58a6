#pragma once

#include <TopoDS_Face.hxx>

#include <optional>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

/// A closed form, and by how much the face may differ from it, in the unit of the shape.
struct CanonicalForm {
  SurfaceDescription description;
  double distance = 0;
};

/// The plane, cylinder, cone or sphere that a face is although its file writes it as a spline, an extrusion
/// or a revolution; empty if it is none, or may differ from it by more than `within`, in the unit of the
/// shape. The candidate comes from the triangulation, which the face must have. The distance is proven: times
/// the weights squared, the equation of such a surface is a polynomial in each span of knots, which is
/// bounded by its values at Chebyshev nodes (Ehlich and Zeller 1964).
std::optional<CanonicalForm> canonicalForm(const TopoDS_Face& face, double within);

}  // namespace fitup::importers
