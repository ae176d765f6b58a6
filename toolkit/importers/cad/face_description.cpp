#include "face_description.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRep_Tool.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

namespace fitup::importers {
bool isMirrored(const gp_Trsf& placement) { return placement.VectorialPart().Determinant() < 0; }

SurfaceDescription describe(const TopoDS_Face& face) {
  SurfaceDescription result;
  TopLoc_Location location;
  if (BRep_Tool::Surface(face, location).IsNull()) return result;
  const BRepAdaptor_Surface surface(face, Standard_False);
  const auto place = [&](const gp_Ax3& position) {
    result.point = vec(position.Location());
    result.axis = vec(position.Direction());
  };
  switch (surface.GetType()) {
    case GeomAbs_Plane: {
      const gp_Ax3 position = surface.Plane().Position();
      result.kind = SurfaceKind::plane;
      place(position);
      // The surface's normal is x cross y, which in a left-handed position is opposite to its axis. A
      // location that mirrors also makes the position left-handed, but carries the normal along with the
      // axis.
      const bool isLeftHanded = position.Direct() == isMirrored(location.Transformation());
      if ((face.Orientation() == TopAbs_REVERSED) != isLeftHanded) result.axis = -result.axis;
      break;
    }
    case GeomAbs_Cylinder:
      result.kind = SurfaceKind::cylinder;
      place(surface.Cylinder().Position());
      result.radius = surface.Cylinder().Radius();
      break;
    case GeomAbs_Cone:
      result.kind = SurfaceKind::cone;
      place(surface.Cone().Position());
      result.radius = surface.Cone().RefRadius();
      result.halfAngle = surface.Cone().SemiAngle();
      if (result.halfAngle < 0) {  // the radius grows along the axis
        result.halfAngle = -result.halfAngle;
        result.axis = -result.axis;
      }
      break;
    case GeomAbs_Sphere:
      result.kind = SurfaceKind::sphere;
      place(surface.Sphere().Position());
      result.radius = surface.Sphere().Radius();
      break;
    case GeomAbs_Torus:
      result.kind = SurfaceKind::torus;
      place(surface.Torus().Position());
      result.radius = surface.Torus().MajorRadius();
      result.secondRadius = surface.Torus().MinorRadius();
      break;
    case GeomAbs_SurfaceOfRevolution: {
      const gp_Ax1 axis = surface.AxeOfRevolution();
      result.kind = SurfaceKind::revolution;
      result.point = vec(axis.Location());
      result.axis = vec(axis.Direction());
      break;
    }
    case GeomAbs_SurfaceOfExtrusion:
      result.kind = SurfaceKind::extrusion;
      result.axis = vec(surface.Direction());
      break;
    default:
      result.kind = SurfaceKind::freeform;
      break;
  }
  // The numbers of a damaged file may be anything; the face's triangles are checked separately.
  if (!isFinite(result)) return {};
  return result;
}

}  // namespace fitup::importers
