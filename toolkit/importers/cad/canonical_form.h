#pragma once

#include <TopoDS_Face.hxx>

#include <optional>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

/// The plane, cylinder, cone or sphere that a face is although its file writes it as a spline, an extrusion
/// or a revolution; empty if it is none. The candidate comes from the triangulation, which the face must
/// have. It is proven: times the weights squared, the equation of such a surface is a polynomial in each span
/// of knots, which is bounded by its values at Chebyshev nodes (Ehlich and Zeller 1964). The face differs
/// from the result by at most `within`, in the unit of the shape.
std::optional<SurfaceDescription> canonicalForm(const TopoDS_Face& face, double within);

}  // namespace fitup::importers
