#include "iges_reader.h"

#include <IGESCAFControl_Reader.hxx>
#include <IGESControl_Controller.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Interface_Static.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <fitup/base/error.h>

#include "document_styles.h"
#include "iges_placements.h"
#include "iges_text.h"
#include "lost_shapes.h"
#include "model_filler.h"
#include "occt_failures.h"
#include "occt_progress.h"
#include "unread_entities.h"

namespace fitup::importers {
namespace {

// Entity types of the IGES standard.
constexpr int boundedSurface = 143, trimmedSurface = 144, solid = 186, face = 510;

/// Compares what the directory section announces with what arrived.
void warnOfMissingGeometry(const IgesText& text, const ModelFiller& filler,
                           std::vector<ImportWarning>& warnings) {
  const auto compare = [&](const char* what, std::size_t expected, std::size_t got) {
    if (got < expected)
      warnings.push_back({"file",
                          "holds " + std::to_string(expected) + " " + what + ", of which " +
                              std::to_string(expected - got) + " did not arrive",
                          true});
  };
  compare("solids", text.countOf(solid), filler.solidCount());
  compare("faces", text.countOf(boundedSurface) + text.countOf(trimmedSurface) + text.countOf(face),
          filler.faceCount());
}

bool isPlaced(const TopoDS_Shape& compound) {
  if (!compound.Location().IsIdentity()) return true;
  for (TopoDS_Iterator child(compound); child.More(); child.Next())
    if (!child.Value().Location().IsIdentity()) return true;
  return false;
}

/// IGES has no products: what a writer groups arrives as one compound. One that holds several solids becomes
/// an assembly of them, for interference between solids of one part would not be seen. Throws InputError for
/// a group that is placed by a matrix: Open CASCADE cannot take it apart, and mirrors it inside out.
void splitIntoSolids(const Handle(TDocStd_Document) & document) {
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  TDF_LabelSequence roots;
  shapes->GetFreeShapes(roots);
  for (const TDF_Label& root : roots) {
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(root);
    TopTools_IndexedMapOfShape solids;
    TopExp::MapShapes(shape, TopAbs_SOLID, solids);
    if (solids.Extent() < 2 || XCAFDoc_ShapeTool::IsAssembly(root)) continue;
    if (isPlaced(shape))
      throw InputError("group '" + DocumentStyles::nameOf(root) + "'", "",
                       "a group of several solids that has a matrix is not read");
    shapes->Expand(root);
  }
}

Model readDocument(const SourceFile& source, const CadOptions& options, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const IgesText text(source.bytes());

  IGESControl_Controller::Init();  // sets its own defaults, so what follows comes after
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  IGESCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_True);
  reader.SetLayerMode(Standard_False);
  reader.SetReadVisible(Standard_False);

  progress.report("reading", -1);
  if (reader.ReadFile(source.bytes().c_str()) != IFSelect_RetDone)
    throw InputError("not readable as IGES: syntax error");

  Model model;
  model.assembly = Assembly(validUtf8(source.name().stem().string()));
  model.source.path = source.name().string();
  warnOfUnreadEntities(reader.WS()->Model(), model.warnings);

  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  progress.report("transferring", 0);
  const Handle(OcctProgress) indicator =
      new OcctProgress([&](double fraction) { progress.report("transferring", fraction); });
  if (!reader.Transfer(document, indicator->Start()))
    throw InputError("holds no shapes that could be transferred");

  splitIntoSolids(document);
  ModelFiller filler(document, options, model, progress);
  filler.mergeLooseFaces(model.assembly.name());
  filler.place(placedSolids(reader.WS(), document, model.warnings));
  filler.fill();
  if (filler.faceCount() == 0) throw InputError("holds no solids and no faces");
  warnOfLostShapes(reader.WS(), {}, model.warnings);
  warnOfMissingGeometry(text, filler, model.warnings);
  return model;
}

}  // namespace

Model readIges(const SourceFile& source, const CadOptions& options, ProgressLines& progress) {
  return withOcctFailures([&] { return readDocument(source, options, progress); });
}

}  // namespace fitup::importers
