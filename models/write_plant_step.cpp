// fitup-plant-step OUT.step [CLEARANCE]: writes the process plant, or its variant whose spool comes out with
// that clearance, as STEP from analytic faces, one for each of its 1,073 surfaces.

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>

#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <BRepLib.hxx>
#include <BRep_Builder.hxx>
#include <GProp_GProps.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_PrinterOStream.hxx>
#include <Quantity_ColorRGBA.hxx>
#include <STEPCAFControl_Controller.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <ShapeFix_Face.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <gp_Circ.hxx>
#include <gp_Pln.hxx>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <models/process_plant.h>

namespace {

using namespace fitup;
using namespace fitup::models;

constexpr double turn = 2 * std::numbers::pi;
constexpr double tolerance = 1e-4;  // mm; far above the rounding of the descriptions, far below any edge

gp_Pnt point(const Vec3& p) { return {p.x, p.y, p.z}; }
gp_Ax3 axes(const Frame& f) {
  return {point(f.origin), gp_Dir(f.z.x, f.z.y, f.z.z), gp_Dir(f.x.x, f.x.y, f.x.z)};
}

[[noreturn]] void fail(const std::string& part, const std::string& problem) {
  throw InputError("plant", part, problem);
}

TopoDS_Face faceOf(const CurvedFace& face) {
  Handle(Geom_Surface) surface;
  double v0 = face.v0, v1 = face.v1;
  switch (face.kind) {
    case SurfaceKind::cylinder:
      surface = new Geom_CylindricalSurface(axes(face.frame), face.radius);
      break;
    case SurfaceKind::cone: {
      // Open CASCADE measures v along the slant from the reference circle.
      const double rise = face.v1 - face.v0, spread = face.secondRadius - face.radius;
      surface = new Geom_ConicalSurface(axes(face.frame.movedTo(0, 0, face.v0)), std::atan2(spread, rise),
                                        face.radius);
      v0 = 0;
      v1 = std::hypot(rise, spread);
      break;
    }
    case SurfaceKind::torus:
      surface = new Geom_ToroidalSurface(axes(face.frame), face.radius, face.secondRadius);
      v0 *= turn;
      v1 *= turn;
      break;
    default:
      surface = new Geom_SphericalSurface(axes(face.frame), face.radius);
      v0 *= turn;
      v1 *= turn;
  }
  const TopoDS_Face made =
      BRepBuilderAPI_MakeFace(surface, face.u0 * turn, face.u1 * turn, v0, v1, tolerance);
  return face.inward ? TopoDS::Face(made.Reversed()) : made;
}

TopoDS_Wire wireOf(const Loop& loop) {
  BRepBuilderAPI_MakeWire wire;
  for (const LoopEdge& edge : loop) {
    if (edge.steps == 0) {
      wire.Add(BRepBuilderAPI_MakeEdge(point(edge.start), point(edge.end)));
      continue;
    }
    const bool forward = edge.a1 > edge.a0;
    // A circle walked backwards is the circle seen from behind.
    Frame frame = edge.frame;
    double a0 = edge.a0, a1 = edge.a1;
    if (!forward) {
      frame = frame.flipped();
      a0 = -a0;
      a1 = -a1;
    }
    const gp_Circ circle(axes(frame).Ax2(), edge.radius);
    if (a1 - a0 == 1)
      wire.Add(BRepBuilderAPI_MakeEdge(circle));
    else
      wire.Add(BRepBuilderAPI_MakeEdge(circle, a0 * turn, a1 * turn));
  }
  return wire.Wire();
}

TopoDS_Face faceOf(const PlaneFace& face) {
  BRepBuilderAPI_MakeFace made(gp_Pln(axes(face.frame)), wireOf(face.loops.front()), true);
  for (std::size_t i = 1; i < face.loops.size(); ++i) made.Add(wireOf(face.loops[i]));
  ShapeFix_Face fix(made.Face());  // turns the holes' loops the right way
  fix.FixOrientation();
  return fix.Face();
}

TopoDS_Shape shapeOf(const PartDescription& part) {
  TopoDS_Compound compound;
  BRep_Builder builder;
  builder.MakeCompound(compound);
  TopoDS_Shape last;
  for (const Solid& solid : part.solids) {
    BRepBuilderAPI_Sewing sewing(10 * tolerance);
    for (const Face& face : solid.faces)
      sewing.Add(std::visit([](const auto& f) -> TopoDS_Shape { return faceOf(f); }, face));
    sewing.Perform();
    TopoDS_Shape sewn = sewing.SewedShape();
    if (sewn.ShapeType() != TopAbs_SHELL) fail(part.name, "a solid's faces did not join to one shell");
    if (!part.open) {
      if (sewing.NbFreeEdges() != 0) fail(part.name, "a solid is not closed");
      TopoDS_Solid body;
      builder.MakeSolid(body);
      builder.Add(body, sewn);
      BRepLib::OrientClosedSolid(body);
      GProp_GProps volume;
      BRepGProp::VolumeProperties(body, volume);
      if (volume.Mass() <= 0) fail(part.name, "a solid is inside out");
      sewn = body;
    }
    if (!BRepCheck_Analyzer(sewn).IsValid()) fail(part.name, "a solid is not valid");
    builder.Add(compound, sewn);
    last = sewn;
  }
  const TopoDS_Shape shape = part.solids.size() == 1 ? last : TopoDS_Shape(compound);
  std::size_t count = 0;
  for (TopExp_Explorer it(shape, TopAbs_FACE); it.More(); it.Next()) ++count;
  if (count != part.faceCount())
    fail(part.name, std::to_string(count) + " faces instead of " + std::to_string(part.faceCount()));
  return shape;
}

TopLoc_Location locationOf(const Transform& t) {
  gp_Trsf placement;
  placement.SetValues(t.m[0][0], t.m[0][1], t.m[0][2], t.t.x, t.m[1][0], t.m[1][1], t.m[1][2], t.t.y,
                      t.m[2][0], t.m[2][1], t.m[2][2], t.t.z);
  return {placement};
}

void write(const char* file, const ProcessPlantOptions& options) {
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const Handle(XCAFDoc_ColorTool) colours = XCAFDoc_DocumentTool::ColorTool(document->Main());

  const TDF_Label root = shapes->NewShape();
  TDataStd_Name::Set(root, "process-plant");
  std::map<std::string, TDF_Label> groups;
  std::size_t faces = 0;
  for (const PartDescription& part : describeProcessPlant(options)) {
    const std::string group = subassemblyOf(part.name);
    if (!groups.count(group)) {
      groups[group] = shapes->NewShape();
      TDataStd_Name::Set(groups[group], group.c_str());
    }
    const TDF_Label label = shapes->AddShape(shapeOf(part), false);
    TDataStd_Name::Set(label, part.name.c_str());
    colours->SetColor(label,
                      Quantity_Color(part.colour.red, part.colour.green, part.colour.blue, Quantity_TOC_sRGB),
                      XCAFDoc_ColorSurf);
    TDataStd_Name::Set(shapes->AddComponent(groups[group], label, locationOf(part.worldFromPart)),
                       part.name.c_str());
    faces += part.faceCount();
    std::printf("%-15s %4zu faces\n", part.name.c_str(), part.faceCount());
  }
  for (const auto& [name, label] : groups)
    TDataStd_Name::Set(shapes->AddComponent(root, label, {}), name.c_str());
  shapes->UpdateAssemblies();

  // Settings hold only between the controller's start and the making of the writer.
  STEPCAFControl_Controller::Init();
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  Interface_Static::SetCVal("write.step.unit", "MM");
  Interface_Static::SetCVal("write.step.schema", "AP214IS");
  Interface_Static::SetCVal("write.step.product.name", "process-plant");
  STEPCAFControl_Writer writer;
  writer.SetNameMode(true);
  writer.SetColorMode(true);
  if (!writer.Transfer(document, STEPControl_AsIs)) fail(file, "the document could not be translated");
  // The same geometry section on every run; Open CASCADE orders the colours at the end by address.
  APIHeaderSection_MakeHeader(writer.ChangeWriter().Model())
      .SetTimeStamp(new TCollection_HAsciiString("2000-01-01T00:00:00"));
  if (writer.Write(file) != IFSelect_RetDone) throw FileError(std::string(file) + ": could not be written");
  std::printf("%-15s %4zu faces, %s\n", "all", faces, file);
}

}  // namespace

int main(int argc, char** argv) {
  ProcessPlantOptions options;
  if (argc == 3) options.clearance = numberFromText(argv[2]);
  if (argc < 2 || argc > 3 || (argc == 3 && !options.clearance)) {
    std::fprintf(stderr, "usage: fitup-plant-step OUT.step [CLEARANCE]\n");
    return 2;
  }
  try {
    Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_PrinterOStream));
    write(argv[1], options);
  } catch (const Standard_Failure& e) {
    std::fprintf(stderr, "fitup-plant-step: %s\n", e.GetMessageString());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fitup-plant-step: %s\n", e.what());
    return 2;
  }
}
