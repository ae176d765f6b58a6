#include "tessellate.h"

#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <IMeshTools_Parameters.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>

#include "face_description.h"
#include "occt_progress.h"

namespace fitup::importers {
namespace {

/// "face 12" counts from 0 as reports do.
std::string faceText(int index, const FaceStyle& style) {
  return "face " + std::to_string(index) + (style.name.empty() ? "" : " '" + style.name + "'");
}

/// False if the face has no triangles.
bool addFace(const TopoDS_Face& face, TriangleMeshBuilder& builder) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& triangulation = BRep_Tool::Triangulation(face, location);
  if (triangulation.IsNull() || triangulation->NbTriangles() == 0) return false;
  const gp_Trsf& partFromFace = location.Transformation();
  // A mirrored location turns the winding round, as a reversed face does.
  const bool flip = (face.Orientation() == TopAbs_REVERSED) != isMirrored(partFromFace);
  const auto first = static_cast<std::uint32_t>(builder.pointCount());
  for (int i = 1; i <= triangulation->NbNodes(); ++i) {
    const gp_Pnt p = triangulation->Node(i).Transformed(partFromFace);
    builder.addPoint({p.X(), p.Y(), p.Z()});
  }
  for (int i = 1; i <= triangulation->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    triangulation->Triangle(i).Get(a, b, c);
    if (flip) std::swap(b, c);
    builder.addTriangle(first + static_cast<std::uint32_t>(a - 1), first + static_cast<std::uint32_t>(b - 1),
                        first + static_cast<std::uint32_t>(c - 1));
  }
  return true;
}

/// How far the triangles of a sphere lie within it. The library divides spheres into quadrangles that are as
/// near as it is asked for along their sides, not along their diagonals; other faces it keeps to that.
double chordErrorOfSphere(const TopoDS_Face& face, const SurfaceDescription& sphere) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& triangulation = BRep_Tool::Triangulation(face, location);
  const auto corner = [&](int node) {
    const gp_Pnt p = triangulation->Node(node).Transformed(location.Transformation());
    return Vec3{p.X(), p.Y(), p.Z()};
  };
  double error = 0;
  for (int i = 1; i <= triangulation->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    triangulation->Triangle(i).Get(a, b, c);
    const Triangle triangle{{corner(a), corner(b), corner(c)}};
    error = std::max(error, sphere.radius - distancePointTriangle(sphere.point, triangle).distance);
  }
  return error;
}

}  // namespace

TriangleMesh tessellate(const PartShape& part, const Deflection& deflection,
                        std::vector<ImportWarning>& warnings, const std::function<void(double)>& moved) {
  BRepTools::Clean(part.shape);
  IMeshTools_Parameters parameters;
  parameters.Deflection = deflection.linear;
  parameters.Angle = deflection.angular;
  parameters.Relative = Standard_False;
  parameters.InParallel = Standard_True;
  const Handle(OcctProgress) indicator = new OcctProgress(moved);
  try {
    if (part.faces.Extent() > 0) BRepMesh_IncrementalMesh(part.shape, parameters, indicator->Start());
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure& failure) {  // faces that have their triangles keep them
    warnings.push_back(
        {part.name, std::string("tessellating ended with Open CASCADE's ") + failure.DynamicType()->Name(),
         true});
  }

  TriangleMeshBuilder builder(part.name);
  Deflection reached = deflection;
  for (int i = 0; i < part.faces.Extent(); ++i) {
    const TopoDS_Face& face = TopoDS::Face(part.faces(i + 1));
    const FaceStyle& style = part.styles[static_cast<std::size_t>(i)];
    try {
      const SurfaceDescription description = describe(face);
      builder.beginSurface(style.name, style.colour, description);
      if (!addFace(face, builder))
        warnings.push_back(
            {part.name + ": " + faceText(i, style), "could not be tessellated; it is missing", true});
      else if (description.kind == SurfaceKind::sphere)
        reached.linear = std::max(reached.linear, chordErrorOfSphere(face, description));
    } catch (const Error& error) {
      throw InputError("part '" + part.name + "'", faceText(i, style), error.what());
    }
  }
  builder.setDeflection(reached);
  BRepTools::Clean(part.shape);  // the mesh has the triangles now
  return builder.build();
}

}  // namespace fitup::importers
