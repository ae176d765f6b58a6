#include "model_filler.h"

#include <BRep_Builder.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TopExp.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

Transform transformOf(const TopLoc_Location& location) {
  const gp_Trsf& trsf = location.Transformation();
  Transform result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      result.m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          trsf.Value(row + 1, column + 1);
    result.t[row] = trsf.Value(row + 1, 4);
  }
  return result;
}

std::string entryOf(const TDF_Label& label) {
  TCollection_AsciiString entry;
  TDF_Tool::Entry(label, entry);
  return entry.ToCString();
}

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

ModelFiller::ModelFiller(const Handle(TDocStd_Document) & document, const Deflection& deflection,
                         Model& model, ProgressLines& progress)
    : shapes_(XCAFDoc_DocumentTool::ShapeTool(document->Main())),
      styles_(document),
      deflection_(deflection),
      model_(model),
      progress_(progress) {}

void ModelFiller::fill() {
  TDF_LabelSequence roots;
  shapes_->GetFreeShapes(roots);
  std::vector<TDF_Label> assemblies, loose;
  for (const TDF_Label& root : roots) (isLoose(root) ? loose : assemblies).push_back(root);
  for (const TDF_Label& root : assemblies) countParts(root, 0);
  if (!loose.empty()) ++partCount_;
  for (const TDF_Label& root : assemblies) addOccurrence(root, std::nullopt, 0);
  if (!loose.empty()) addLooseFaces(loose);
}

void ModelFiller::countParts(const TDF_Label& label, int depth) {
  if (depth > deepestTree) throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
  const TDF_Label target = referredTo(label);
  if (!seen_.emplace(entryOf(target), Part{}).second) return;
  TDF_LabelSequence components;
  if (!XCAFDoc_ShapeTool::GetComponents(target, components)) ++partCount_;
  occurrenceCount_ += static_cast<std::size_t>(components.Length());
  for (const TDF_Label& component : components) countParts(component, depth + 1);
}

void ModelFiller::addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth) {
  if (depth > deepestTree) throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
  const TDF_Label target = referredTo(label);
  const bool isReference = !target.IsEqual(label);
  const std::string productName = styles_.nameOf(target);
  std::string name = isReference ? styles_.nameOf(label) : productName;
  if (isMadeUp(name)) name = productName.empty() ? "unnamed" : productName;
  const TopLoc_Location placement = isReference ? XCAFDoc_ShapeTool::GetLocation(label) : TopLoc_Location();
  const std::optional<Colour> colour = isReference ? styles_.colourOf(label) : std::nullopt;

  TDF_LabelSequence components;
  if (XCAFDoc_ShapeTool::IsAssembly(target)) XCAFDoc_ShapeTool::GetComponents(target, components);
  if (!XCAFDoc_ShapeTool::IsAssembly(target)) {
    const Part& part = partOf(target, productName.empty() ? name : productName);
    model_.assembly.addNode(name, transformOf(placement * part.location), parent, part.id, colour);
    return;
  }
  const NodeId node = model_.assembly.addNode(name, transformOf(placement), parent, std::nullopt, colour);
  for (const TDF_Label& component : components) addOccurrence(component, node, depth + 1);
}

const ModelFiller::Part& ModelFiller::partOf(const TDF_Label& label, const std::string& name) {
  Part& part = seen_[entryOf(label)];
  if (part.id) return part;
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
  part.id = addPart(shape);
  return part;
}

bool ModelFiller::isLoose(const TDF_Label& root) const {
  if (!looseFacesName_ || XCAFDoc_ShapeTool::IsAssembly(root)) return false;
  return countOf(XCAFDoc_ShapeTool::GetShape(root), TopAbs_SOLID) == 0;
}

void ModelFiller::addLooseFaces(const std::vector<TDF_Label>& labels) {
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
    for (int i = 1; i <= own.Extent(); ++i)
      if (const int at = shape.faces.FindIndex(own(i).Moved(located.Location())); at > 0)
        shape.styles[static_cast<std::size_t>(at - 1)] = styles[static_cast<std::size_t>(i - 1)];
  }
  const PartId part = addPart(shape);
  model_.assembly.addNode(shape.name, Transform{}, std::nullopt, part);
}

PartId ModelFiller::addPart(const PartShape& shape) {
  faceCount_ += static_cast<std::size_t>(shape.faces.Extent());
  if (shape.faces.IsEmpty()) warn(shape.name, "has no faces");
  const std::string phase = "tessellating part " + std::to_string(model_.assembly.partCount() + 1) + " of " +
                            std::to_string(partCount_);
  progress_.report(phase, 0);
  return model_.assembly.addPart(std::make_shared<const TriangleMesh>(
      tessellate(shape, deflection_, model_.warnings, progress_, phase)));
}

void ModelFiller::warn(const std::string& element, const std::string& message) {
  model_.warnings.push_back({element, message, false});
}

}  // namespace fitup::importers
