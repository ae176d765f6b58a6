#include "canonical_form.h"

#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_OffsetCurve.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SurfaceOfLinearExtrusion.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Type.hxx>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <fitup/mesh/analytic_surface.h>
#include <fitup/mesh/recognise.h>

#include "face_description.h"

namespace fitup::importers {
namespace {

/// The part of the surface that holds the face, as a spline, which is exact for these kinds; null for others.
Handle(Geom_BSplineSurface) splineOf(const TopoDS_Face& face) {
  Handle(Geom_Surface) surface = BRep_Tool::Surface(face);
  while (!surface.IsNull() && surface->IsKind(STANDARD_TYPE(Geom_RectangularTrimmedSurface)))
    surface = Handle(Geom_RectangularTrimmedSurface)::DownCast(surface)->BasisSurface();
  if (surface.IsNull()) return {};
  if (surface->IsKind(STANDARD_TYPE(Geom_BSplineSurface)))
    return Handle(Geom_BSplineSurface)::DownCast(surface);
  if (surface->IsKind(STANDARD_TYPE(Geom_BezierSurface)))
    return GeomConvert::SurfaceToBSplineSurface(surface);
  // Curves that are swept may be offsets, which are converted with an error.
  Handle(Geom_Curve) swept;
  if (surface->IsKind(STANDARD_TYPE(Geom_SurfaceOfLinearExtrusion)))
    swept = Handle(Geom_SurfaceOfLinearExtrusion)::DownCast(surface)->BasisCurve();
  if (surface->IsKind(STANDARD_TYPE(Geom_SurfaceOfRevolution)))
    swept = Handle(Geom_SurfaceOfRevolution)::DownCast(surface)->BasisCurve();
  if (swept.IsNull() || swept->IsKind(STANDARD_TYPE(Geom_OffsetCurve))) return {};
  double u = 0, toU = 0, v = 0, toV = 0;
  BRepTools::UVBounds(face, u, toU, v, toV);
  return GeomConvert::SurfaceToBSplineSurface(new Geom_RectangularTrimmedSurface(surface, u, toU, v, toV));
}

/// A mesh of the face alone, around its middle, so that little is rounded; empty if it has none.
std::optional<TriangleMesh> meshOf(const TopoDS_Face& face) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, location);
  if (mesh.IsNull() || mesh->NbTriangles() == 0) return std::nullopt;
  std::vector<Vec3> points;
  for (int i = 1; i <= mesh->NbNodes(); ++i)
    points.push_back(vec(mesh->Node(i).Transformed(location.Transformation())));
  std::vector<TriangleIndices> triangles;
  for (int i = 1; i <= mesh->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    mesh->Triangle(i).Get(a, b, c);
    if (face.Orientation() == TopAbs_REVERSED) std::swap(b, c);
    triangles.push_back({static_cast<std::uint32_t>(a - 1), static_cast<std::uint32_t>(b - 1),
                         static_cast<std::uint32_t>(c - 1)});
  }
  return TriangleMesh::from(points, triangles);
}

/// Nodes for a degree in [from, to], and the factor by which a polynomial may exceed its values there.
struct Nodes {
  std::vector<double> at;
  double factor;
};
Nodes nodesFor(int degree, double from, double to) {
  constexpr int more = 3;
  const int count = more * degree + 1;
  Nodes nodes{{}, 1 / std::cos(degree * std::numbers::pi / (2 * count))};
  for (int i = 0; i < count; ++i)
    nodes.at.push_back(0.5 * (from + to) +
                       0.5 * (to - from) * std::cos((2 * i + 1) * std::numbers::pi / (2 * count)));
  return nodes;
}

/// Upper bound on the distance of the face from the surface. The equation of a round surface is e (e + 2 r),
/// where e is the distance across its axis and r the radius there; it is a polynomial of twice the degree.
double distanceFrom(const Geom_BSplineSurface& spline, const TopoDS_Face& face,
                    const SurfaceDescription& form) {
  const auto surface = AnalyticSurface::of(form);
  const bool isPlane = form.kind == SurfaceKind::plane, isCone = form.kind == SurfaceKind::cone;
  const double slope = isCone ? std::tan(form.halfAngle) : 0, cosine = isCone ? std::cos(form.halfAngle) : 1;
  const auto radiusAt = [&](const Vec3& p) { return form.radius + slope * dot(p - form.point, form.axis); };
  // The surface lies in the hull of its poles, if their weights are positive.
  double leastWeight = 1, largestWeight = 1, leastRadius = std::numeric_limits<double>::infinity();
  if (spline.IsURational() || spline.IsVRational()) leastWeight = largestWeight = spline.Weight(1, 1);
  for (int i = 1; i <= spline.NbUPoles(); ++i)
    for (int j = 1; j <= spline.NbVPoles(); ++j) {
      leastWeight = std::min(leastWeight, spline.Weight(i, j));
      largestWeight = std::max(largestWeight, spline.Weight(i, j));
      leastRadius = std::min(leastRadius, std::max(0.0, radiusAt(vec(spline.Pole(i, j)))));
    }
  if (!(leastWeight > 0)) return std::numeric_limits<double>::infinity();
  double u = 0, toU = 0, v = 0, toV = 0;
  BRepTools::UVBounds(face, u, toU, v, toV);
  const int power = isPlane ? 1 : 2;
  double worst = 0;
  for (int i = spline.FirstUKnotIndex(); i < spline.LastUKnotIndex(); ++i) {
    // Parameters of a face may run on into the next period.
    if (!spline.IsUPeriodic() && (spline.UKnot(i + 1) < u || spline.UKnot(i) > toU)) continue;
    for (int j = spline.FirstVKnotIndex(); j < spline.LastVKnotIndex(); ++j) {
      if (!spline.IsVPeriodic() && (spline.VKnot(j + 1) < v || spline.VKnot(j) > toV)) continue;
      const Nodes alongU = nodesFor(power * spline.UDegree(), spline.UKnot(i), spline.UKnot(i + 1)),
                  alongV = nodesFor(power * spline.VDegree(), spline.VKnot(j), spline.VKnot(j + 1));
      for (const double s : alongU.at)
        for (const double t : alongV.at) {
          const Vec3 p = vec(spline.Value(s, t));
          const double e = surface->distance(p) / cosine;
          worst = std::max(worst,
                           alongU.factor * alongV.factor * std::abs(isPlane ? e : e * (e + 2 * radiusAt(p))));
        }
    }
  }
  const double most = worst * std::pow(largestWeight / leastWeight, power);
  if (isPlane) return most;
  const double square = leastRadius * leastRadius;
  return most < square ? leastRadius - std::sqrt(square - most) : std::sqrt(most);
}

}  // namespace

std::optional<CanonicalForm> canonicalForm(const TopoDS_Face& face, double within) {
  try {
    const Handle(Geom_BSplineSurface) spline = splineOf(face);
    if (spline.IsNull()) return std::nullopt;
    // Larger ones take long, and are no cylinders.
    constexpr int mostPoles = 4096, highest = 12;
    if (spline->NbUPoles() * spline->NbVPoles() > mostPoles || spline->UDegree() > highest ||
        spline->VDegree() > highest)
      return std::nullopt;
    const auto mesh = meshOf(face);
    if (!mesh) return std::nullopt;
    const auto form = recogniseSurface(*mesh, SurfaceId{0}, 4 * within);
    if (!form || !AnalyticSurface::of(*form)) return std::nullopt;
    const double distance = distanceFrom(*spline, face, *form);
    return distance <= within ? std::optional(CanonicalForm{*form, distance}) : std::nullopt;
  } catch (const Standard_Failure&) {  // the face remains what its file says
    return std::nullopt;
  }
}

}  // namespace fitup::importers
