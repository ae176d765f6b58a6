#include "stubborn_face.h"

#include <BRepBuilderAPI_Copy.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <Poly_Triangulation.hxx>
#include <ShapeFix_Shape.hxx>
#include <ShapeUpgrade_ShapeDivideAngle.hxx>
#include <ShapeUpgrade_ShapeDivideClosed.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace fitup::importers {
namespace {

/// Empty if a face has no triangles.
std::optional<double> areaOfTriangles(const TopoDS_Shape& shape) {
  double area = 0;
  for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) {
    TopLoc_Location location;
    const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(TopoDS::Face(face.Current()), location);
    if (mesh.IsNull() || mesh->NbTriangles() == 0) return std::nullopt;
    for (int i = 1; i <= mesh->NbTriangles(); ++i) {
      int a = 0, b = 0, c = 0;
      mesh->Triangle(i).Get(a, b, c);
      const gp_Vec ab(mesh->Node(a), mesh->Node(b)), ac(mesh->Node(a), mesh->Node(c));
      area += ab.Crossed(ac).Magnitude() / 2;
    }
  }
  return area;
}

struct AreaRange {
  double least = 0, most = 0;
};

/// Returns the range of the triangles' area within the chord error: edges may move the border in or out by
/// that much, and curved faces lose some area.
AreaRange areaRangeOf(const TopoDS_Face& face, double chordError) {
  GProp_GProps surface, edges;
  BRepGProp::SurfaceProperties(face, surface);
  BRepGProp::LinearProperties(face, edges);
  const double area = std::abs(surface.Mass()), atEdges = edges.Mass() * chordError;
  return {0.9 * area - atEdges, 1.1 * area + atEdges};
}

/// Open CASCADE divides unbounded faces endlessly.
bool isBounded(const TopoDS_Face& face) {
  constexpr double most = 1e12;
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  for (const double bound : {u0, u1, v0, v1})
    if (!(std::abs(bound) <= most)) return false;
  return u0 < u1 && v0 < v1;
}

TopoDS_Shape copied(const TopoDS_Face& face) { return BRepBuilderAPI_Copy(face).Shape(); }

TopoDS_Shape healed(const TopoDS_Face& face) {
  const Handle(ShapeFix_Shape) fix = new ShapeFix_Shape(copied(face));
  fix->Perform();
  return fix->Shape();
}

TopoDS_Shape dividedByAngle(const TopoDS_Shape& shape) {
  ShapeUpgrade_ShapeDivideAngle divide(std::numbers::pi / 2, shape);
  divide.Perform();
  return divide.Result();
}

TopoDS_Shape dividedAlongSeam(const TopoDS_Shape& shape) {
  ShapeUpgrade_ShapeDivideClosed divide(shape);
  divide.SetNbSplitPoints(1);
  divide.Perform();
  return divide.Result();
}

}  // namespace

bool tessellateOtherwise(const TopoDS_Face& face, const IMeshTools_Parameters& parameters,
                         const std::function<bool(const TopoDS_Shape&)>& accept) {
  IMeshTools_Parameters finer = parameters;
  finer.Deflection /= 8;
  finer.Angle /= 4;
  struct Form {
    std::function<TopoDS_Shape()> make;
    const IMeshTools_Parameters& parameters;
  };
  const std::array<Form, 6> forms{{
      {[&] { return dividedByAngle(copied(face)); }, parameters},
      {[&] { return BRepBuilderAPI_NurbsConvert(face, Standard_True).Shape(); }, parameters},
      {[&] { return dividedAlongSeam(copied(face)); }, parameters},
      {[&] { return copied(face); }, finer},
      {[&] { return dividedByAngle(healed(face)); }, parameters},
      {[&] { return healed(face); }, finer},
  }};
  AreaRange wanted;
  try {
    if (!isBounded(face)) return false;
    wanted = areaRangeOf(face, parameters.Deflection);
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure&) {
    return false;
  }
  if (!std::isfinite(wanted.most)) return false;
  for (const Form& form : forms) {
    try {
      const TopoDS_Shape shape = form.make();
      if (shape.IsNull()) continue;
      BRepTools::Clean(shape);
      BRepMesh_IncrementalMesh(shape, form.parameters);
      const std::optional<double> area = areaOfTriangles(shape);
      if (area && *area >= wanted.least && *area <= wanted.most && accept(shape)) return true;
    } catch (const Standard_OutOfMemory&) {
      throw;
    } catch (const Standard_Failure&) {
      continue;
    }
  }
  return false;
}

}  // namespace fitup::importers
