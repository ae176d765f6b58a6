#include "model_filler.h"

#include <BRep_Builder.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopExp.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

/// True for names that a writer made up for an occurrence, which say less than the name of its part.
bool isMadeUp(const std::string& name) {
  if (name.empty() || name.starts_with("=>[")) return true;
  std::string_view rest = name;
  if (rest.starts_with("NAUO")) rest.remove_prefix(4);
  return rest.find_first_not_of("0123456789") == std::string_view::npos;
}

std::size_t countOf(const TopoDS_Shape& shape, TopAbs_ShapeEnum type) {
  TopTools_IndexedMapOfShape map;
  TopExp::MapShapes(shape, type, map);
  return static_cast<std::size_t>(map.Extent());
}

TDF_Label referredTo(const TDF_Label& label) {
  TDF_Label target;
  return XCAFDoc_ShapeTool::GetReferredShape(label, target) ? target : label;
}

}  // namespace

ModelFiller::ModelFiller(const Handle(TDocStd_Document) & document, const CadOptions& options, Model& model,
                         ProgressLines& progress)
    : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
      styles_(document),
      options_(options),
      model_(model),
      progress_(progress) {}

void ModelFiller::fill() {
  TDF_LabelSequence roots;
  shapes_->GetFreeShapes(roots);
  std::vector<TDF_Label> assemblies, loose;
  for (const TDF_Label& root : roots) (isLoose(root) ? loose : assemblies).push_back(root);
  for (const TDF_Label& root : assemblies) collectParts(root, 0);
  std::optional<PartId> looseFaces;
  if (!loose.empty()) looseFaces = addLooseFaces(loose);
  for (TriangleMesh& mesh :
       tessellateParts(parts_, options_.deflection, options_.threads, model_.warnings, progress_))
    model_.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(mesh)));
  for (const TDF_Label& root : assemblies) addOccurrence(root, std::nullopt, 0);
  if (looseFaces) model_.assembly.addNode(*looseFacesName_, Transform{}, std::nullopt, *looseFaces);
}

ModelFiller::Names ModelFiller::namesOf(const TDF_Label& label, const TDF_Label& target) {
  const std::string productName = DocumentStyles::nameOf(target);
  std::string name = target.IsEqual(label) ? productName : DocumentStyles::nameOf(label);
  if (isMadeUp(name)) name = productName.empty() ? "unnamed" : productName;
  return {name, productName.empty() ? name : productName};
}

void ModelFiller::collectParts(const TDF_Label& label, int depth) {
  if (depth > deepestTree) throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
  const TDF_Label target = referredTo(label);
  if (!seen_.emplace(entryOf(target), Part{}).second) return;
  if (!XCAFDoc_ShapeTool::IsAssembly(target)) return addPart(target, namesOf(label, target).part);
  TDF_LabelSequence components;
  XCAFDoc_ShapeTool::GetComponents(target, components);
  occurrenceCount_ += static_cast<std::size_t>(components.Length());
  for (const TDF_Label& component : components) collectParts(component, depth + 1);
}

void ModelFiller::addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth) {
  if (depth > deepestTree) throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
  const TDF_Label target = referredTo(label);
  const bool isReference = !target.IsEqual(label);
  const std::string name = namesOf(label, target).occurrence;
  const auto other = placements_.find(entryOf(label));
  const Transform placement = other != placements_.end() ? other->second
                              : isReference              ? transformOf(XCAFDoc_ShapeTool::GetLocation(label))
                                                         : Transform{};
  const std::optional<Colour> colour = isReference ? styles_.colourOf(label) : std::nullopt;

  if (!XCAFDoc_ShapeTool::IsAssembly(target)) {
    const Part& part = seen_.at(entryOf(target));
    model_.assembly.addNode(name, placement * transformOf(part.location), parent, part.id, colour);
    return;
  }
  TDF_LabelSequence components;
  XCAFDoc_ShapeTool::GetComponents(target, components);
  const NodeId node = model_.assembly.addNode(name, placement, parent, std::nullopt, colour);
  for (const TDF_Label& component : components) addOccurrence(component, node, depth + 1);
}

void ModelFiller::addPart(const TDF_Label& label, const std::string& name) {
  Part& part = seen_.at(entryOf(label));
  const TopoDS_Shape located = XCAFDoc_ShapeTool::GetShape(label);
  PartShape shape;
  shape.name = name;
  if (!located.IsNull()) {
    part.location = located.Location();
    shape.shape = located.Located(TopLoc_Location());
    TopExp::MapShapes(shape.shape, TopAbs_FACE, shape.faces);
    shape.styles = styles_.facesOf(label, located, shape.faces);
    const std::size_t solids = countOf(shape.shape, TopAbs_SOLID);
    solidCount_ += solids;
    if (solids > 1) warn(name, std::to_string(solids) + " solids in one part");
  }
  part.id = addShape(std::move(shape));
}

bool ModelFiller::isLoose(const TDF_Label& root) const {
  if (!looseFacesName_ || XCAFDoc_ShapeTool::IsAssembly(root)) return false;
  return countOf(XCAFDoc_ShapeTool::GetShape(root), TopAbs_SOLID) == 0;
}

PartId ModelFiller::addLooseFaces(const std::vector<TDF_Label>& labels) {
  PartShape shape;
  shape.name = *looseFacesName_;
  TopoDS_Compound compound;
  BRep_Builder builder;
  builder.MakeCompound(compound);
  for (const TDF_Label& label : labels) builder.Add(compound, XCAFDoc_ShapeTool::GetShape(label));
  shape.shape = compound;
  TopExp::MapShapes(compound, TopAbs_FACE, shape.faces);
  shape.styles.resize(static_cast<std::size_t>(shape.faces.Extent()));
  for (const TDF_Label& label : labels) {
    const TopoDS_Shape located = XCAFDoc_ShapeTool::GetShape(label);
    TopTools_IndexedMapOfShape own;
    TopExp::MapShapes(located.Located(TopLoc_Location()), TopAbs_FACE, own);
    const std::vector<FaceStyle> styles = styles_.facesOf(label, located, own);
    constexpr Standard_Boolean mayScale = Standard_False;  // no exception for locations that scale or mirror
    for (int i = 1; i <= own.Extent(); ++i)
      if (const int at = shape.faces.FindIndex(own(i).Moved(located.Location(), mayScale)); at > 0)
        shape.styles[static_cast<std::size_t>(at - 1)] = styles[static_cast<std::size_t>(i - 1)];
  }
  return addShape(std::move(shape));
}

PartId ModelFiller::addShape(PartShape shape) {
  faceCount_ += static_cast<std::size_t>(shape.faces.Extent());
  if (shape.faces.IsEmpty()) warn(shape.name, "has no faces");
  parts_.push_back(std::move(shape));
  return static_cast<PartId>(parts_.size() - 1);
}

void ModelFiller::warn(const std::string& element, const std::string& message) {
  model_.warnings.push_back({element, message, false});
}

}  // namespace fitup::importers
