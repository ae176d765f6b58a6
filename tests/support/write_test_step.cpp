// Writes the project's own small STEP assembly, for tests of the importer. Arguments: OUTPUT [UNIT]. UNIT is
// MM or INCH, as in Open CASCADE. Instead of it, EXTERNAL writes a file of each part beside OUTPUT (in mm),
// ROOTS writes block, pin and balls without an assembly, BODIES writes products of several bodies (see
// `addBodies`), and FITS parts that fit or overlap (see `addFits`). OUTPUT.igs is IGES; UNIT is then BREP
// (solids) or FACES (loose faces).
//
// The assembly is "plate-and-pins":
// - the block (red, 10 x 20 x 30) twice: "left" shifted by 100 in x, "right" (blue) turned by 90 degrees
//   about z
// - the pin (d 12, height 40, its top face green) once, "pin:1"
// - the wedge and its mirror image, as writers of STEP make them: two parts of opposite hand
// - two balls in one product
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <BRep_Builder.hxx>
#include <IGESCAFControl_Writer.hxx>
#include <IGESControl_Controller.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Controller.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <string>
#include <string_view>

namespace {

gp_Trsf shift(double x, double y, double z) {
  gp_Trsf result;
  result.SetTranslation(gp_Vec(x, y, z));
  return result;
}

TopoDS_Shape mirrored(const TopoDS_Shape& shape) {
  gp_Trsf mirror;
  mirror.SetMirror(gp_Ax2(gp::Origin(), gp::DX()));
  return BRepBuilderAPI_Transform(shape, mirror, Standard_True).Shape();
}

TopoDS_Shape twoBalls() {
  TopoDS_Compound compound;
  BRep_Builder builder;
  builder.MakeCompound(compound);
  builder.Add(compound, BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 5).Solid());
  builder.Add(compound, BRepPrimAPI_MakeSphere(gp_Pnt(20, 0, 0), 5).Solid());
  return compound;
}

/// Adds "machine" with "frame" twice, 100 apart in x: the solids "base", a box of 10 x 10 x 10, and one
/// without a name that overlaps it by 5 in x; and a square face, 5 x 5, at z = 50. Also adds "film", two
/// faces without a solid.
void addBodies(const Handle(XCAFDoc_ShapeTool) & shapes) {
  const auto named = [](const TDF_Label& label, const char* name) {
    TDataStd_Name::Set(label, name);
    return label;
  };
  const auto square = [](double z) {
    return BRepBuilderAPI_MakeFace(gp_Pln(gp_Pnt(0, 0, z), gp::DZ()), 0, 5, 0, 5).Shape();
  };
  const BRep_Builder builder;
  TopoDS_Compound frame, film;
  builder.MakeCompound(frame);
  builder.MakeCompound(film);
  const TopoDS_Shape base = BRepPrimAPI_MakeBox(10, 10, 10).Solid();
  builder.Add(frame, base);
  builder.Add(frame, BRepPrimAPI_MakeBox(gp_Pnt(5, 0, 0), gp_Pnt(15, 10, 10)).Solid());
  builder.Add(frame, square(50));
  builder.Add(film, square(0));
  builder.Add(film, square(1));
  const TDF_Label assembly = named(shapes->NewShape(), "machine");
  const TDF_Label frameLabel = named(shapes->AddShape(frame, Standard_False), "frame");
  named(shapes->AddSubShape(frameLabel, base), "base");
  named(shapes->AddComponent(assembly, frameLabel, TopLoc_Location()), "frame:1");
  named(shapes->AddComponent(assembly, frameLabel, TopLoc_Location(shift(100, 0, 0))), "frame:2");
  named(shapes->AddComponent(assembly, named(shapes->AddShape(film, Standard_False), "film"),
                             TopLoc_Location(shift(0, 100, 0))),
        "film:1");
  shapes->UpdateAssemblies();
}

/// Adds "fits" with a block, 40 x 40 x 20 below z = 0; a plate on it, 5 thick, with a hole d 10; a peg of
/// that diameter in the hole, which ends 4 deep in the block; and a ball d 20 that reaches 3 into the block
/// beside the plate.
void addFits(const Handle(XCAFDoc_ShapeTool) & shapes) {
  const TDF_Label assembly = shapes->NewShape();
  TDataStd_Name::Set(assembly, "fits");
  const auto add = [&](const TopoDS_Shape& shape, const char* name) {
    const TDF_Label part = shapes->AddShape(shape, Standard_False);
    TDataStd_Name::Set(part, name);
    const std::string occurrence = std::string(name) + ":1";
    TDataStd_Name::Set(shapes->AddComponent(assembly, part, TopLoc_Location()), occurrence.c_str());
  };
  const auto peg = [](double from, double to) {
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(10, 20, from), gp::DZ()), 5, to - from).Solid();
  };
  add(BRepPrimAPI_MakeBox(gp_Pnt(0, 0, -20), gp_Pnt(40, 40, 0)).Solid(), "block");
  const TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), gp_Pnt(20, 40, 5)).Solid();
  add(TopExp_Explorer(BRepAlgoAPI_Cut(plate, peg(-1, 6)).Shape(), TopAbs_SOLID).Current(), "plate");
  add(peg(-4, 10), "peg");
  add(BRepPrimAPI_MakeSphere(gp_Pnt(31, 20, 7), 10).Solid(), "ball");
  shapes->UpdateAssemblies();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const Handle(XCAFDoc_ColorTool) colours = XCAFDoc_DocumentTool::ColorTool(document->Main());
  const auto named = [](const TDF_Label& label, const char* name) {
    TDataStd_Name::Set(label, name);
    return label;
  };

  const std::string_view mode = argc > 2 ? argv[2] : "MM";
  const auto write = [&] {
    STEPCAFControl_Controller::Init();  // sets its own defaults, so it must come before the next settings
    Interface_Static::SetIVal("write.stepcaf.subshapes.name", 1);
    if (mode == "INCH") Interface_Static::SetCVal("write.step.unit", "INCH");
    STEPCAFControl_Writer writer;
    writer.SetColorMode(Standard_True);
    writer.SetNameMode(Standard_True);
    const bool isTransferred =
        mode == "EXTERNAL" ? writer.Transfer(document, STEPControl_AsIs, "part-") : writer.Transfer(document);
    return isTransferred && writer.Write(argv[1]) == IFSelect_RetDone ? 0 : 1;
  };
  if (mode == "BODIES" || mode == "FITS") {
    mode == "BODIES" ? addBodies(shapes) : addFits(shapes);
    return write();
  }
  const bool hasAssembly = mode != "ROOTS";
  const TDF_Label assembly = hasAssembly ? named(shapes->NewShape(), "plate-and-pins") : TDF_Label();
  const auto part = [&](const TopoDS_Shape& shape, const char* name) {
    return named(shapes->AddShape(shape, Standard_False), name);
  };
  const auto place = [&](const TDF_Label& what, const gp_Trsf& where, const char* name) {
    if (!hasAssembly) return what;
    return named(shapes->AddComponent(assembly, what, TopLoc_Location(where)), name);
  };

  const TDF_Label block = part(BRepPrimAPI_MakeBox(10, 20, 30).Shape(), "block");
  colours->SetColor(block, Quantity_Color(1, 0, 0, Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
  place(block, shift(100, 0, 0), "left");
  gp_Trsf turn;
  turn.SetRotation(gp::OZ(), M_PI / 2);
  colours->SetColor(place(block, turn, "right"), Quantity_Color(0, 0, 1, Quantity_TOC_sRGB),
                    XCAFDoc_ColorSurf);

  const TopoDS_Shape pinShape = BRepPrimAPI_MakeCylinder(6, 40).Shape();
  const TDF_Label pin = part(pinShape, "pin");
  TopExp_Explorer faces(pinShape, TopAbs_FACE);  // mantle, top, bottom
  faces.Next();
  colours->SetColor(shapes->AddSubShape(pin, faces.Current()), Quantity_Color(0, 0.5, 0, Quantity_TOC_sRGB),
                    XCAFDoc_ColorSurf);
  place(pin, shift(0, 0, 50), "pin:1");

  const TopoDS_Shape wedge = BRepPrimAPI_MakeWedge(10, 20, 30, 4).Shape();
  if (hasAssembly) {
    place(part(wedge, "wedge"), shift(0, 100, 0), "wedge:1");
    place(part(mirrored(wedge), "wedge mirrored"), shift(0, 100, 0), "wedge:2");
  }
  place(part(twoBalls(), "balls"), shift(0, 0, 200), "balls:1");
  shapes->UpdateAssemblies();

  if (std::string_view(argv[1]).ends_with(".igs")) {
    IGESControl_Controller::Init();
    Interface_Static::SetIVal("write.iges.brep.mode", mode == "FACES" ? 0 : 1);
    IGESCAFControl_Writer writer;
    writer.SetColorMode(Standard_True);
    writer.SetNameMode(Standard_True);
    return writer.Transfer(document) && writer.Write(argv[1]) ? 0 : 1;
  }
  return write();
}
