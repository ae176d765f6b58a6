#include "chord_error.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRep_Tool.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TColStd_HArray1OfReal.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>

#include "face_description.h"

namespace fitup::importers {
namespace {

/// The deviation of a smooth surface or curve from its chords is largest near the middle, though not exactly
/// there.
constexpr double marginOfMiddle = 1.1;

double distanceFromSegment(const Vec3& point, const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  const double square = dot(way, way);
  const double at = square > 0 ? std::clamp(dot(point - from, way) / square, 0.0, 1.0) : 0;
  return norm(point - (from + at * way));
}

/// Whether the closed form of the surface, or of the curve, tells how far its chords are from it.
bool isElementary(GeomAbs_SurfaceType type) {
  return type == GeomAbs_Plane || type == GeomAbs_Cylinder || type == GeomAbs_Cone ||
         type == GeomAbs_Sphere || type == GeomAbs_Torus;
}
bool isElementary(GeomAbs_CurveType type) {
  return type == GeomAbs_Line || type == GeomAbs_Circle || type == GeomAbs_Ellipse ||
         type == GeomAbs_Hyperbola || type == GeomAbs_Parabola;
}

/// The triangles of a face, in the frame of its shape.
class FaceTriangles {
 public:
  FaceTriangles(const Handle(Poly_Triangulation) & mesh, const TopLoc_Location& location)
      : mesh_(mesh), placement_(location.Transformation()) {}

  [[nodiscard]] Vec3 node(int i) const { return vec(mesh_->Node(i).Transformed(placement_)); }
  /// The largest value of a function of a triangle's nodes.
  template <typename Function>
  [[nodiscard]] double largest(const Function& function) const {
    double result = 0;
    for (int i = 1; i <= mesh_->NbTriangles(); ++i) {
      int a = 0, b = 0, c = 0;
      mesh_->Triangle(i).Get(a, b, c);
      result = std::max(result, function(a, b, c));
    }
    return result;
  }
  [[nodiscard]] gp_Pnt2d parameters(int i) const { return mesh_->UVNode(i); }

 private:
  Handle(Poly_Triangulation) mesh_;
  gp_Trsf placement_;
};

double errorOnPlane(const gp_Pln& plane, const FaceTriangles& triangles) {
  return triangles.largest([&](int a, int b, int c) {
    double error = 0;
    for (const int node : {a, b, c}) {
      const Vec3 at = triangles.node(node);
      error = std::max(error, plane.Distance(gp_Pnt(at.x, at.y, at.z)));
    }
    return error;
  });
}

/// The distance from an axis or a centre is convex, so it is largest at a corner.
double errorAround(double radius, const Triangle& fromCentre) {
  double error = radius - distancePointTriangle({0, 0, 0}, fromCentre).distance;
  for (const Vec3& corner : fromCentre.v) error = std::max(error, norm(corner) - radius);
  return error;
}

double errorOnCylinder(const gp_Cylinder& cylinder, const FaceTriangles& triangles) {
  const Vec3 centre = vec(cylinder.Location()), axis = vec(cylinder.Axis().Direction());
  return triangles.largest([&](int a, int b, int c) {
    Triangle flat;  // seen along the axis
    int i = 0;
    for (const int node : {a, b, c}) {
      const Vec3 at = triangles.node(node) - centre;
      flat.v[i++] = at - dot(at, axis) * axis;
    }
    return errorAround(cylinder.Radius(), flat);
  });
}

double errorOnSphere(const gp_Sphere& sphere, const FaceTriangles& triangles) {
  const Vec3 centre = vec(sphere.Location());
  return triangles.largest([&](int a, int b, int c) {
    return errorAround(sphere.Radius(), {{triangles.node(a) - centre, triangles.node(b) - centre,
                                          triangles.node(c) - centre}});
  });
}

/// Compares the surface with its triangles at equal parameters, which cannot be nearer than the nearest
/// point.
double errorAtMiddles(const BRepAdaptor_Surface& surface, const FaceTriangles& triangles) {
  return marginOfMiddle * triangles.largest([&](int a, int b, int c) {
    const auto apart = [&](std::initializer_list<int> nodes) {
      Vec3 flat;
      double u = 0, v = 0;
      for (const int node : nodes) {
        flat = flat + triangles.node(node);
        u += triangles.parameters(node).X();
        v += triangles.parameters(node).Y();
      }
      const auto count = static_cast<double>(nodes.size());
      return norm(vec(surface.Value(u / count, v / count)) - (1 / count) * flat);
    };
    return std::max({apart({a, b}), apart({b, c}), apart({c, a}), apart({a, b, c})});
  });
}

double errorOnSurface(const BRepAdaptor_Surface& surface, const FaceTriangles& triangles, double promised) {
  switch (surface.GetType()) {
    case GeomAbs_Plane:
      return errorOnPlane(surface.Plane(), triangles);
    case GeomAbs_Cylinder:
      return errorOnCylinder(surface.Cylinder(), triangles);
    case GeomAbs_Sphere:
      return errorOnSphere(surface.Sphere(), triangles);
    default:
      return std::max(isElementary(surface.GetType()) ? 0 : promised, errorAtMiddles(surface, triangles));
  }
}

/// Returns the distance of a polygon from its curve; empty if it has no parameters.
std::optional<double> errorOnEdge(const TopoDS_Edge& edge, const TopoDS_Face& face,
                                  const FaceTriangles& triangles, const Handle(Poly_Triangulation) & mesh,
                                  const TopLoc_Location& location, double promised) {
  const Handle(Poly_PolygonOnTriangulation) polygon = BRep_Tool::PolygonOnTriangulation(edge, mesh, location);
  if (BRep_Tool::Degenerated(edge)) return 0;
  if (polygon.IsNull() || !polygon->HasParameters()) return std::nullopt;
  double first = 0, last = 0;
  const bool isInSpace = !BRep_Tool::Curve(edge, first, last).IsNull();
  BRepAdaptor_Curve curve;
  isInSpace ? curve.Initialize(edge) : curve.Initialize(edge, face);
  double error = isElementary(curve.GetType()) ? 0 : promised;
  for (int i = 1; i < polygon->NbNodes(); ++i) {
    const Vec3 from = triangles.node(polygon->Node(i)), to = triangles.node(polygon->Node(i + 1));
    const double begin = polygon->Parameter(i), end = polygon->Parameter(i + 1);
    for (const double share : {0.25, 0.5, 0.75})
      error =
          std::max(error, (curve.GetType() == GeomAbs_Circle ? 1 : marginOfMiddle) *
                              distanceFromSegment(vec(curve.Value(begin + share * (end - begin))), from, to));
  }
  return error;
}

}  // namespace

std::optional<double> chordErrorOf(const TopoDS_Face& face, double promised) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, location);
  if (mesh.IsNull() || mesh->NbTriangles() == 0 || !mesh->HasUVNodes()) return std::nullopt;
  const FaceTriangles triangles(mesh, location);
  double error = errorOnSurface(BRepAdaptor_Surface(face, Standard_False), triangles, promised);
  for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next()) {
    const auto ofEdge = errorOnEdge(TopoDS::Edge(edge.Current()), face, triangles, mesh, location, promised);
    if (!ofEdge) return std::nullopt;
    error = std::max(error, *ofEdge);
  }
  return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

}  // namespace fitup::importers
