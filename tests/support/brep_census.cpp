// Counts what Open CASCADE alone makes of a STEP or IGES file, without any code of the importer. Arguments:
// FILE LINEAR RELATIVE ANGULAR, the settings of the tessellation (`ImportSettings`). Prints lines, with
// lengths in mm, which `import_census.h` reads:
//
//   version TEXT                         Open CASCADE's
//   body KIND OPEN VOLUME CHORD NAME     a distinct body, numbered from 0; see `Census`
//   face AREA X Y Z EDGES TRIANGLES OK   a face of that body: area, centroid, length of the edges; area of
//                                        its triangles, -1 without any; 1 if it is valid, otherwise 0
//   at BODY M00 M01 M02 T0 M10 ... T2    an occurrence: the placement of the body in the world
//   end                                  missing if the program did not finish
//
// With FILE alone, prints the seconds that Open CASCADE takes on one thread to read a STEP file, to transfer
// it and to mesh it with a chord error of 0.1 mm: "read 3.8 transfer 9.1 mesh 13.7".
//
// Exits with 1 and the reason if Open CASCADE opens nothing.
#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_DataMapOfShapeInteger.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "brep_document.h"

namespace {

/// Relative error of areas and volumes. Without it, the library uses a few points per face, and some solids
/// of freeform faces get a volume that is four per cent too small.
constexpr double exactly = 1e-5;

using namespace fitup::test::brep;

/// The names of the solids of products, wherever these are.
using Names = std::map<const TopoDS_TShape*, std::string>;

Names namesOfSolids(const Handle(XCAFDoc_ShapeTool) & shapes) {
  Names names;
  TDF_LabelSequence labels;
  shapes->GetShapes(labels);
  for (const TDF_Label& label : labels) {
    Handle(TDataStd_Name) name;
    if (XCAFDoc_ShapeTool::IsAssembly(label) || !label.FindAttribute(TDataStd_Name::GetID(), name)) continue;
    TCollection_AsciiString text(name->Get(), '?');
    text.ChangeAll('\n', ' ');
    for (TopExp_Explorer solid(XCAFDoc_ShapeTool::GetShape(label), TopAbs_SOLID); solid.More(); solid.Next())
      names.emplace(solid.Current().TShape().get(), text.ToCString());
  }
  return names;
}

/// Returns the number of edges that are not used equally often in each direction. A seam is used twice by its
/// face; an edge of zero length is ignored.
int openEdges(const TopoDS_Shape& body) {
  TopTools_DataMapOfShapeInteger balance;
  for (TopExp_Explorer face(body, TopAbs_FACE); face.More(); face.Next())
    for (TopExp_Explorer edge(face.Current(), TopAbs_EDGE); edge.More(); edge.Next()) {
      if (BRep_Tool::Degenerated(TopoDS::Edge(edge.Current()))) continue;
      const TopAbs_Orientation side = edge.Current().Orientation();
      const int step = side == TopAbs_FORWARD ? 1 : side == TopAbs_REVERSED ? -1 : 0;
      if (int* const sum = balance.ChangeSeek(edge.Current()))
        *sum += step;
      else
        balance.Bind(edge.Current(), step);
    }
  int open = 0;
  for (TopTools_DataMapOfShapeInteger::Iterator edge(balance); edge.More(); edge.Next())
    open += edge.Value() != 0;
  return open;
}

/// Returns -1 for a face without triangles.
double areaOfTriangles(const TopoDS_Face& face) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(face, location);
  if (mesh.IsNull() || mesh->NbTriangles() == 0) return -1;
  double area = 0;
  for (int i = 1; i <= mesh->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    mesh->Triangle(i).Get(a, b, c);
    area +=
        gp_Vec(mesh->Node(a), mesh->Node(b)).Crossed(gp_Vec(mesh->Node(a), mesh->Node(c))).Magnitude() / 2;
  }
  return area;
}

template <typename Properties>
GProp_GProps propertiesOf(const TopoDS_Shape& shape, Properties compute) {
  GProp_GProps result;
  try {
    compute(shape, result);
  } catch (const Standard_Failure&) {
    return {};
  }
  return result;
}

bool isValid(const TopoDS_Face& face) {
  try {
    return BRepCheck_Analyzer(face).IsValid();
  } catch (const Standard_Failure&) {
    return false;
  }
}

void printFace(const TopoDS_Face& face) {
  const GProp_GProps surface = propertiesOf(face, [](const TopoDS_Shape& shape, GProp_GProps& result) {
    BRepGProp::SurfaceProperties(shape, result, exactly);
  });
  const GProp_GProps edges = propertiesOf(face, [](const TopoDS_Shape& shape, GProp_GProps& result) {
    BRepGProp::LinearProperties(shape, result);
  });
  const gp_Pnt centre = surface.CentreOfMass();
  std::printf("face %.17g %.17g %.17g %.17g %.17g %.17g %d\n", std::abs(surface.Mass()), centre.X(),
              centre.Y(), centre.Z(), edges.Mass(), areaOfTriangles(face), isValid(face) ? 1 : 0);
}

void printBody(const TopoDS_Shape& body, const Settings& settings, const std::string& name) {
  const bool isSolid = body.ShapeType() == TopAbs_SOLID;
  const double chord = chordError(body, settings);
  const GProp_GProps volume = propertiesOf(body, [&](const TopoDS_Shape& shape, GProp_GProps& result) {
    if (isSolid) BRepGProp::VolumeProperties(shape, result, exactly);
  });
  try {
    BRepTools::Clean(body);
    BRepMesh_IncrementalMesh(body, chord, Standard_False, settings.angular);
  } catch (const Standard_Failure&) {  // faces that have their triangles keep them
  }
  std::printf("body %s %d %.17g %.17g %s\n", isSolid ? "solid" : "sheet", openEdges(body),
              std::abs(volume.Mass()), chord, name.c_str());
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(body, TopAbs_FACE, faces);
  for (int i = 1; i <= faces.Extent(); ++i) printFace(TopoDS::Face(faces(i)));
}

void printPlace(int body, const TopLoc_Location& location) {
  const gp_Trsf& world = location.Transformation();
  std::printf("at %d", body);
  for (int row = 1; row <= 3; ++row)
    for (int column = 1; column <= 4; ++column) std::printf(" %.17g", world.Value(row, column));
  std::printf("\n");
}

/// Returns the faces outside of solids, in world placements; those connected by edges form one sheet.
std::vector<std::vector<TopoDS_Shape>> sheetsOf(const TopoDS_Shape& world) {
  TopTools_IndexedMapOfShape faces;
  TopTools_IndexedDataMapOfShapeListOfShape facesOfEdge;
  for (TopExp_Explorer face(world, TopAbs_FACE, TopAbs_SOLID); face.More(); face.Next())
    if (const int known = faces.Extent(); faces.Add(face.Current()) > known)
      for (TopExp_Explorer edge(face.Current(), TopAbs_EDGE); edge.More(); edge.Next()) {
        const int at = facesOfEdge.Add(edge.Current(), TopTools_ListOfShape());
        facesOfEdge.ChangeFromIndex(at).Append(face.Current());
      }
  std::vector<std::vector<TopoDS_Shape>> sheets;
  TopTools_IndexedMapOfShape seen;
  for (int i = 1; i <= faces.Extent(); ++i) {
    if (seen.Contains(faces(i))) continue;
    std::vector<TopoDS_Shape>& sheet = sheets.emplace_back();
    seen.Add(faces(i));
    sheet.push_back(faces(i));
    for (std::size_t next = 0; next < sheet.size(); ++next) {
      const TopoDS_Shape face = sheet[next];
      for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next())
        for (const TopoDS_Shape& neighbour : facesOfEdge.FindFromKey(edge.Current()))
          if (!seen.Contains(neighbour)) {
            seen.Add(neighbour);
            sheet.push_back(neighbour);
          }
    }
  }
  return sheets;
}

void printSolids(const TopoDS_Shape& world, const Settings& settings, const Names& names, int& bodies) {
  std::map<const TopoDS_TShape*, int> numberOf;
  for (TopExp_Explorer solid(world, TopAbs_SOLID); solid.More(); solid.Next()) {
    const TopoDS_TShape* const key = solid.Current().TShape().get();
    const auto [known, isNew] = numberOf.emplace(key, bodies);
    if (isNew) {
      ++bodies;
      const auto name = names.find(key);
      printBody(solid.Current().Located(TopLoc_Location()), settings,
                name == names.end() ? "" : name->second);
    }
    printPlace(known->second, solid.Current().Location());
  }
}

void printSheets(const TopoDS_Shape& world, const Settings& settings, int& bodies) {
  constexpr Standard_Boolean mayScale = Standard_False;  // locations that scale or mirror must not throw
  std::map<std::vector<const TopoDS_TShape*>, int> numberOf;
  for (const std::vector<TopoDS_Shape>& sheet : sheetsOf(world)) {
    std::vector<const TopoDS_TShape*> key;
    for (const TopoDS_Shape& face : sheet) key.push_back(face.TShape().get());
    std::sort(key.begin(), key.end(), std::less<>());
    const TopLoc_Location place = sheet.front().Location();
    const auto [known, isNew] = numberOf.emplace(key, bodies);
    if (isNew) {
      ++bodies;
      TopoDS_Compound compound;
      const BRep_Builder builder;
      builder.MakeCompound(compound);
      for (const TopoDS_Shape& face : sheet) builder.Add(compound, face.Moved(place.Inverted(), mayScale));
      printBody(compound, settings, "");
    }
    printPlace(known->second, place);
  }
}

int count(const char* file, const Settings& settings) {
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  if (!open(file, document)) {
    std::fputs("opens nothing\n", stderr);
    return 1;
  }
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const TopoDS_Compound world = worldOf(shapes);
  std::printf("version %s\n", OCC_VERSION_COMPLETE);
  int bodies = 0;
  printSolids(world, settings, namesOfSolids(shapes), bodies);
  printSheets(world, settings, bodies);
  std::printf("end\n");
  return 0;
}

int printTimes(const char* file) {
  using Clock = std::chrono::steady_clock;
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  STEPCAFControl_Reader reader;
  const Clock::time_point begin = Clock::now();
  const bool isRead = reader.ReadFile(file) == IFSelect_RetDone;
  const Clock::time_point read = Clock::now();
  if (!isRead || !reader.Transfer(document)) {
    std::fputs("opens nothing\n", stderr);
    return 1;
  }
  const Clock::time_point transferred = Clock::now();
  TDF_LabelSequence roots;
  XCAFDoc_DocumentTool::ShapeTool(document->Main())->GetFreeShapes(roots);
  for (const TDF_Label& root : roots)
    BRepMesh_IncrementalMesh(XCAFDoc_ShapeTool::GetShape(root), 0.1, Standard_False, 0.5, Standard_False);
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  std::printf("read %.2f transfer %.2f mesh %.2f\n", seconds(read - begin), seconds(transferred - read),
              seconds(Clock::now() - transferred));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 2) return 2;
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  try {
    if (argc == 2) return printTimes(argv[1]);
    return count(argv[1], {std::atof(argv[2]), std::atof(argv[3]), std::atof(argv[4])});
  } catch (const Standard_Failure& failure) {
    std::fprintf(stderr, "ends with %s\n", failure.DynamicType()->Name());
    return 1;
  }
}
