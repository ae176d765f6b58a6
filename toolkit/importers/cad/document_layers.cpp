#include "document_layers.h"

#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_LevelListEntity.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepVisual_LayeredItem.hxx>
#include <StepVisual_PresentationLayerAssignment.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TransferBRep.hxx>
#include <XSControl_TransferReader.hxx>

#include <algorithm>
#include <set>
#include <utility>

#include <fitup/base/count_text.h>
#include <fitup/base/text.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

/// A file with more is not made by a CAD system; each face would have to carry all of them.
constexpr std::size_t mostLayersOfShape = 256;

void insert(std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), number);
  if (at == sorted.end() || *at != number) sorted.insert(at, number);
}

std::string nameOf(const Handle(TCollection_HAsciiString) & text) {
  std::string name = text.IsNull() ? std::string() : validUtf8(text->ToCString());
  name.erase(name.find_last_not_of(' ') + 1);
  return shortened(name);
}

/// The shape that an entity became; null if none.
TopoDS_Shape shapeOf(const Handle(XSControl_WorkSession) & session,
                     const Handle(Standard_Transient) & entity) {
  return TransferBRep::ShapeResult(session->TransferReader()->TransientProcess(), entity);
}

bool wasTransferred(const Handle(XSControl_WorkSession) & session) {
  return !session.IsNull() && !session->Model().IsNull() && !session->TransferReader().IsNull() &&
         !session->TransferReader()->TransientProcess().IsNull();
}

}  // namespace

void DocumentLayers::add(const TopoDS_Shape& shape, const Names& layers) {
  if (shape.IsNull() || shape.ShapeType() > TopAbs_FACE) return;
  for (const std::string& layer : layers) {
    if (layer.empty()) continue;
    const auto [known, isNew] = numbers_.emplace(layer, static_cast<std::uint32_t>(names_.size()));
    if (isNew) names_.push_back(layer);
    std::vector<std::uint32_t>& own = ofShape_[shape.TShape().get()];
    if (own.size() < mostLayersOfShape)
      insert(own, known->second);
    else
      hasTooMany_ = true;
  }
}

void DocumentLayers::addOccurrence(const TopoDS_Shape& shape, Names layers) {
  if (shape.IsNull() || shape.ShapeType() > TopAbs_FACE) return;
  std::ranges::sort(layers);
  Occurrences& all = occurrences_[shape.TShape().get()];
  all.shape = shape;
  all.layers.push_back(std::move(layers));
}

void DocumentLayers::settle(std::vector<ImportWarning>& warnings) {
  std::set<std::string> leftOut;
  for (const auto& [key, all] : occurrences_)
    if (std::ranges::all_of(all.layers, [&](const Names& each) { return each == all.layers.front(); }))
      add(all.shape, all.layers.front());
    else
      for (const Names& each : all.layers) leftOut.insert(each.begin(), each.end());
  if (!leftOut.empty())
    warnings.push_back(
        {"layer '" + *leftOut.begin() + "'",
         "holds some occurrences of a shape within a product and not others" +
             (leftOut.size() > 1 ? ", as do " + countText(leftOut.size() - 1, "other layer") : "") +
             "; they are left out of it, so rules by layer do not find them"});
  if (hasTooMany_)
    warnings.push_back(
        {"layers", "a shape is on more than " + std::to_string(mostLayersOfShape) +
                       " of them; the others are left out, so rules by layer do not find it there"});
}

void DocumentLayers::addTo(std::vector<FaceStyle>& styles, const TopoDS_Shape& shape,
                           const TopTools_IndexedMapOfShape& faces) const {
  if (ofShape_.empty()) return;
  const TopLoc_Location toPart = shape.Location().Inverted();
  constexpr Standard_Boolean mayScale = Standard_False;  // locations that scale or mirror must not throw
  TopTools_IndexedMapOfShape pieces;
  TopExp::MapShapes(shape.Moved(toPart, mayScale), pieces);
  for (int i = 1; i <= pieces.Extent(); ++i) {
    const TopoDS_Shape& piece = pieces(i);
    const auto found = ofShape_.find(piece.TShape().get());
    if (found == ofShape_.end()) continue;
    for (TopExp_Explorer face(piece, TopAbs_FACE); face.More(); face.Next()) {
      const int at = faces.FindIndex(face.Current());
      if (at == 0) continue;
      for (const std::uint32_t layer : found->second)
        insert(styles[static_cast<std::size_t>(at - 1)].layers, layer);
    }
  }
}

DocumentLayers::Names DocumentLayers::namesOf(std::span<const FaceStyle> styles) const {
  std::set<std::uint32_t> numbers;
  for (const FaceStyle& style : styles) numbers.insert(style.layers.begin(), style.layers.end());
  Names names;
  for (const std::uint32_t number : numbers) names.push_back(names_[number]);
  return names;
}

void addStepLayers(const Handle(XSControl_WorkSession) & session, DocumentLayers& layers) {
  if (!wasTransferred(session)) return;
  const Handle(Interface_InterfaceModel) model = session->Model();
  std::map<const Standard_Transient*, DocumentLayers::Names> ofItem;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    const auto layer = Handle(StepVisual_PresentationLayerAssignment)::DownCast(model->Value(i));
    if (layer.IsNull() || layer->AssignedItems().IsNull()) continue;
    for (int k = 1; k <= layer->NbAssignedItems(); ++k)
      if (const Handle(Standard_Transient) item = layer->AssignedItemsValue(k).Value(); !item.IsNull())
        ofItem[item.get()].push_back(nameOf(layer->Name()));
  }
  if (ofItem.empty()) return;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    const Handle(Standard_Transient) item = model->Value(i);
    const auto found = ofItem.find(item.get());
    if (item->IsKind(STANDARD_TYPE(StepRepr_MappedItem)))
      layers.addOccurrence(shapeOf(session, item),
                           found == ofItem.end() ? DocumentLayers::Names() : found->second);
    else if (found != ofItem.end())
      layers.add(shapeOf(session, item), found->second);
  }
}

void addIgesLayers(const Handle(XSControl_WorkSession) & session, DocumentLayers& layers) {
  if (!wasTransferred(session)) return;
  constexpr int subfigureInstance = 408;
  const auto model = Handle(IGESData_IGESModel)::DownCast(session->Model());
  if (model.IsNull()) return;
  for (int i = 1; i <= model->NbEntities(); ++i) {
    const Handle(IGESData_IGESEntity) entity = model->Entity(i);
    DocumentLayers::Names names;
    const auto add = [&](int level) {
      if (level > 0) names.push_back(std::to_string(level));
    };
    if (const Handle(IGESData_LevelListEntity) list = entity->LevelList(); !list.IsNull())
      for (int k = 1; k <= list->NbLevelNumbers(); ++k) add(list->LevelNumber(k));
    else
      add(entity->Level());
    if (entity->TypeNumber() == subfigureInstance)
      layers.addOccurrence(shapeOf(session, entity), std::move(names));
    else if (!names.empty())
      layers.add(shapeOf(session, entity), names);
  }
}

}  // namespace fitup::importers
