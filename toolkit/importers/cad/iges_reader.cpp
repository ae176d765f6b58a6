#include "iges_reader.h"

#include <IGESCAFControl_Reader.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Interface_Static.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <map>
#include <string>

#include <fitup/base/error.h>

#include "document_layers.h"
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
constexpr int boundedSurface = 143, trimmedSurface = 144, solid = 186, face = 510, group = 402,
              subfigure = 308;

/// Compares the entities in the directory section with what arrived.
void warnOfMissingGeometry(const IgesText& text, const ModelFiller& filler,
                           std::vector<ImportWarning>& warnings) {
  const auto compare = [&](const char* what, std::size_t expected, std::size_t got) {
    warnOfLoss(what, expected, got, warnings);
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

/// Makes assemblies of compounds with several solids. IGES has no products, so what a writer groups arrives
/// as one compound, and interference between solids of one part would not be detected. Throws InputError for
/// a group that is placed by a matrix, because Open CASCADE cannot divide it, and mirrors it inside out.
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
                       "a group of several solids with a matrix is not supported");
    shapes->Expand(root);
  }
}

/// Returns the names (property 15) of the compounds made from groups and other associations.
std::map<const TopoDS_TShape*, std::string> groupNames(const Handle(XSControl_WorkSession) & session) {
  std::map<const TopoDS_TShape*, std::string> names;
  const auto data = Handle(IGESData_IGESModel)::DownCast(session->Model());
  const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
  if (data.IsNull() || process.IsNull()) return names;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const Handle(IGESData_IGESEntity) entity = data->Entity(i);
    if (entity->TypeNumber() != group && entity->TypeNumber() != subfigure) continue;
    const Handle(TCollection_HAsciiString) name = entity->NameValue();
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
    if (shape.IsNull() || name.IsNull()) continue;
    std::string text = validUtf8(name->ToCString());
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) names.emplace(shape.TShape().get(), std::move(text));
  }
  return names;
}

Model readDocument(const SourceFile& source, const CadOptions& options, ProgressLines& progress) {
  progress.report("checking the file", -1);
  const IgesText text(source.bytes());

  IGESControl_Controller::Init();  // sets its own defaults, so it must come before the next settings
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  IGESCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_True);
  reader.SetLayerMode(Standard_False);  // `addIgesLayers` reads them
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
  filler.groupLooseFaces(model.assembly.name(), groupNames(reader.WS()));
  DocumentLayers layers;
  addIgesLayers(reader.WS(), layers);
  layers.settle(model.warnings);
  filler.setLayers(std::move(layers));
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
