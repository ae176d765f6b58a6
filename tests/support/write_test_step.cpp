// Writes the project's own small STEP assembly, for tests of the importer. Arguments: OUTPUT [UNIT]. UNIT is
// MM or INCH, as in Open CASCADE. Instead of it, EXTERNAL writes a file of each part beside OUTPUT (in mm),
// ROOTS writes block, pin and balls without an assembly, BODIES writes products of several bodies (see
// `addBodies`), FITS parts that fit or overlap (see `addFits`), LAYERS parts on layers (see `addLayers`), and
// FIT KIND CLEARANCE TURN two parts with a clearance (see `addFit`).
// OUTPUT.igs is IGES; UNIT is then BREP (solids), FACES (loose faces) or LAYERS.
//
// The assembly is "plate-and-pins":
// - the block (red, 10 x 20 x 30) twice: "left" shifted by 100 in x, "right" (blue) turned by 90 degrees
//   about z
// - the pin (d 12, height 40, its top face green) once, "pin:1"
// - the wedge and its mirror image, as writers of STEP make them: two parts of opposite hand
// - two balls in one product
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <BRep_Builder.hxx>
#include <GeomAPI_PointsToBSplineSurface.hxx>
#include <Geom_BSplineSurface.hxx>
#include <IGESCAFControl_Writer.hxx>
#include <IGESControl_Controller.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Controller.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Face.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_LayerTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <cmath>
#include <cstdio>
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

/// Adds "layers" with a block on layer 7, in two places; a pin on 7 and 12, whose mantle is on 31 too;
/// "pair", a product of two solids, the first of them, "inner", on 12; and a ball on none.
void addLayers(const Handle(XCAFDoc_ShapeTool) & shapes, const Handle(XCAFDoc_LayerTool) & layers) {
  const TDF_Label assembly = shapes->NewShape();
  TDataStd_Name::Set(assembly, "layers");
  const auto add = [&](const TopoDS_Shape& shape, const char* name, double x) {
    const TDF_Label part = shapes->AddShape(shape, Standard_False);
    TDataStd_Name::Set(part, name);
    TDataStd_Name::Set(shapes->AddComponent(assembly, part, TopLoc_Location(shift(x, 0, 0))), name);
    return part;
  };
  const TDF_Label block = add(BRepPrimAPI_MakeBox(10, 10, 10).Solid(), "block", 0);
  TDataStd_Name::Set(shapes->AddComponent(assembly, block, TopLoc_Location(shift(20, 0, 0))), "block");
  layers->SetLayer(block, "7");
  const TopoDS_Shape cylinder = BRepPrimAPI_MakeCylinder(3, 10).Solid();
  const TDF_Label pin = add(cylinder, "pin", 40);
  for (const char* layer : {"7", "12"}) layers->SetLayer(pin, layer);
  layers->SetLayer(shapes->AddSubShape(pin, TopExp_Explorer(cylinder, TopAbs_FACE).Current()), "31");
  TopoDS_Compound both;
  const BRep_Builder builder;
  builder.MakeCompound(both);
  const TopoDS_Shape inner = BRepPrimAPI_MakeBox(4, 4, 4).Solid();
  builder.Add(both, inner);
  builder.Add(both, BRepPrimAPI_MakeBox(gp_Pnt(6, 0, 0), gp_Pnt(8, 4, 4)).Solid());
  const TDF_Label innerLabel = shapes->AddSubShape(add(both, "pair", 60), inner);
  TDataStd_Name::Set(innerLabel, "inner");
  layers->SetLayer(innerLabel, "12");
  add(BRepPrimAPI_MakeSphere(5).Solid(), "ball", 80);
  shapes->UpdateAssemblies();
}

/// A block with a wavy spline surface at about z = 0 and a wall of `depth` behind it.
TopoDS_Shape wavyBlock(double phase, double depth) {
  constexpr int points = 9;
  TColgp_Array2OfPnt grid(1, points, 1, points);
  for (int i = 1; i <= points; ++i)
    for (int j = 1; j <= points; ++j) {
      const double x = 4.0 * (i - 5), y = 4.0 * (j - 5);
      grid(i, j) = gp_Pnt(x, y, 2 * std::sin(x / 5 + phase) * std::cos(y / 6 + phase));
    }
  const Handle(Geom_BSplineSurface) spline = GeomAPI_PointsToBSplineSurface(grid).Surface();
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(spline, 1e-7);
  return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, depth)).Shape();
}

/// Adds "fit" with the parts "inner" and "outer", which are `clearance` apart, or overlap if it is negative;
/// `inner` is turned about z. Kinds: "shaft" d 20 in a bore; "ball" d 20 on a plate; "cone" in a conical
/// bore; "ring", a torus in a groove; "plates". With "-nurbs" behind it, all faces are NURBS. "blend" has two
/// wavy splines face each other, about as far apart; the distance that Open CASCADE finds is printed.
void addFit(const Handle(XCAFDoc_ShapeTool) & shapes, std::string_view kind, double clearance, double turn) {
  TopoDS_Shape inner, outer;
  const auto cut = [](const TopoDS_Shape& from, const TopoDS_Shape& tool) {
    return TopExp_Explorer(BRepAlgoAPI_Cut(from, tool).Shape(), TopAbs_SOLID).Current();
  };
  const auto cylinder = [](double radius, double from, double to) {
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, from), gp::DZ()), radius, to - from).Solid();
  };
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-30, -30, 0), gp_Pnt(30, 30, 20)).Solid();
  if (kind.starts_with("shaft")) {
    inner = cylinder(10, -5, 25);
    outer = cut(block, cylinder(10 + clearance, -1, 21));
  } else if (kind.starts_with("ball")) {
    inner = BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 30 + clearance), 10).Solid();
    outer = block;
  } else if (kind.starts_with("cone")) {
    // Half angle of 30 degrees: along the axis, the clearance is twice as long.
    const auto cone = [](double from, double to, double shift) {
      const double slope = std::tan(M_PI / 6);
      return BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(0, 0, from + shift), gp::DZ()), slope * (from + 10),
                                  slope * (to + 10), to - from)
          .Solid();
    };
    inner = cone(-5, 25, 2 * clearance);
    outer = cut(block, cone(-2, 22, 0));
  } else if (kind.starts_with("ring")) {
    const auto torus = [](double radius) {
      return BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 20), gp::DZ()), 15, radius).Solid();
    };
    inner = torus(4);
    outer = cut(block, torus(4 + clearance));
  } else if (kind == "blend") {
    outer = wavyBlock(0, -20);
    inner = BRepBuilderAPI_Transform(wavyBlock(2, 20), shift(1, 2, 12), Standard_True).Shape();
    gp_Trsf about;
    about.SetRotation(gp::OZ(), turn);
    inner = BRepBuilderAPI_Transform(inner, about, Standard_True).Shape();
    turn = 0;
    // Along z, the distance changes as fast as the parts move, or less.
    const auto apart = [&] { return BRepExtrema_DistShapeShape(inner, outer).Value(); };
    for (int i = 0; i < 20; ++i)
      inner = BRepBuilderAPI_Transform(inner, shift(0, 0, clearance - apart()), Standard_True).Shape();
    std::printf("%.9f\n", apart());
  } else {
    inner = BRepPrimAPI_MakeBox(gp_Pnt(-10, -10, 20 + clearance), gp_Pnt(10, 10, 40)).Solid();
    outer = block;
  }
  gp_Trsf turned;
  turned.SetRotation(gp::OZ(), turn);
  const TDF_Label assembly = shapes->NewShape();
  TDataStd_Name::Set(assembly, "fit");
  const auto add = [&](TopoDS_Shape shape, const char* name, const gp_Trsf& where) {
    if (kind.ends_with("-nurbs")) shape = BRepBuilderAPI_NurbsConvert(shape, Standard_True).Shape();
    const TDF_Label part = shapes->AddShape(shape, Standard_False);
    TDataStd_Name::Set(part, name);
    TDataStd_Name::Set(shapes->AddComponent(assembly, part, TopLoc_Location(where)), name);
  };
  add(inner, "inner", turned);
  add(outer, "outer", {});
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
    writer.SetLayerMode(Standard_True);
    const bool isTransferred =
        mode == "EXTERNAL" ? writer.Transfer(document, STEPControl_AsIs, "part-") : writer.Transfer(document);
    return isTransferred && writer.Write(argv[1]) == IFSelect_RetDone ? 0 : 1;
  };
  const auto writeIges = [&] {
    IGESControl_Controller::Init();
    Interface_Static::SetIVal("write.iges.brep.mode", mode == "FACES" ? 0 : 1);
    IGESCAFControl_Writer writer;
    writer.SetColorMode(Standard_True);
    writer.SetNameMode(Standard_True);
    writer.SetLayerMode(Standard_True);
    return writer.Transfer(document) && writer.Write(argv[1]) ? 0 : 1;
  };
  const bool isIges = std::string_view(argv[1]).ends_with(".igs");
  if (mode == "LAYERS") {
    addLayers(shapes, XCAFDoc_DocumentTool::LayerTool(document->Main()));
    return isIges ? writeIges() : write();
  }
  if (mode == "FIT" && argc == 6) {
    addFit(shapes, argv[3], std::stod(argv[4]), std::stod(argv[5]));
    return write();
  }
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

  return isIges ? writeIges() : write();
}
