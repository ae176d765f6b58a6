#include "model_filler.h"

#include <BRep_Builder.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Iterator.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

/// Returns true for names that a writer made up for an occurrence, which are less useful than the name of its
/// part.
bool isMadeUp(const std::string& name) {
  if (name.empty() || name.starts_with("=>[")) return true;
  std::string_view rest = name;
  if (rest.starts_with("NAUO")) rest.remove_prefix(4);
  return rest.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether Open CASCADE uses the name for components into which it divides a shape.
bool isNameOfKind(std::string_view name) {
  constexpr std::array<std::string_view, 6> kinds{"COMPOUND", "COMPSOLID", "SOLID", "SHELL", "FACE", "WIRE"};
  return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
}

std::size_t countOf(const TopoDS_Shape& shape, TopAbs_ShapeEnum type) {
  TopTools_IndexedMapOfShape map;
  TopExp::MapShapes(shape, type, map);
  return static_cast<std::size_t>(map.Extent());
}

/// Returns the name of a body that Open CASCADE named by its kind.
std::string bodyName(const TDF_Label& label) {
  return countOf(XCAFDoc_ShapeTool::GetShape(label), TopAbs_SOLID) > 0 ? "solid" : "sheet";
}

StyledFaces facesOfNoSolid(const PartShape& part) {
  StyledFaces loose;
  for (TopExp_Explorer face(part.shape, TopAbs_FACE, TopAbs_SOLID); face.More(); face.Next()) {
    const int known = loose.faces.Extent();
    if (loose.faces.Add(face.Current()) > known)
      loose.styles.push_back(part.styles[static_cast<std::size_t>(part.faces.FindIndex(face.Current()) - 1)]);
  }
  return loose;
}

/// Joins faces first, because faces that share no edges may still meet.
std::vector<ConnectedFaces> sheetsOf(const StyledFaces& faces, const TopoDS_Shape& shape) {
  std::vector<ConnectedFaces> sets = setsThatShareEdges(faces);
  if (sets.size() < 2) return sets;
  return connectedSets(faces, sewingTolerance(shape)).value_or(std::move(sets));
}

TopoDS_Shape compoundOf(std::span<const ConnectedFaces> sets) {
  TopoDS_Compound compound;
  const BRep_Builder builder;
  builder.MakeCompound(compound);
  for (const ConnectedFaces& set : sets) builder.Add(compound, set.shape);
  return compound;
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
  if (curvesLeftOut_ > 0)
    warn("file", "curves and points of " + std::to_string(curvesLeftOut_) +
                     (curvesLeftOut_ == 1 ? " product" : " products") +
                     " are left out, the first: " + firstWithCurves_ + "; only faces are checked");
  std::optional<Group> looseFaces;
  if (!loose.empty()) looseFaces = addLooseFaces(loose);
  std::vector<TessellatedPart> made = tessellateParts(parts_, options_, early_, model_.warnings, progress_);
  for (const auto& [part, mesh] : meshes_) made[index(part)].mesh = mesh;
  for (TessellatedPart& part : made) {
    model_.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(part.mesh)));
    model_.exactShapes.push_back(std::move(part.exactShape));
  }
  for (const TDF_Label& root : assemblies) addOccurrence(root, std::nullopt, 0);
  if (looseFaces) addNodes(*looseFaces, std::nullopt);
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
  const auto [seen, isNew] = seen_.emplace(entryOf(target), Bodies{});
  if (!isNew) return;
  const auto tessellated = tessellated_.find(seen->first);
  if (tessellated != tessellated_.end())
    seen->second = makeBodies(std::move(tessellated->second), namesOf(label, target).part);
  if (!XCAFDoc_ShapeTool::IsAssembly(target)) {
    const bool isBody = isBodyOfProduct(label);
    if (tessellated != tessellated_.end()) return;
    if (!isBody || countOf(XCAFDoc_ShapeTool::GetShape(target), TopAbs_FACE) > 0)
      seen->second = makeBodies(target, isBody ? bodyName(target) : namesOf(label, target).part);
    return;
  }
  TDF_LabelSequence components;
  XCAFDoc_ShapeTool::GetComponents(target, components);
  occurrenceCount_ += static_cast<std::size_t>(components.Length());
  for (const TDF_Label& component : components) {
    collectParts(component, depth + 1);
    if (isBodyOfProduct(component) && countOf(XCAFDoc_ShapeTool::GetShape(component), TopAbs_FACE) == 0 &&
        curvesLeftOut_++ == 0)
      firstWithCurves_ = namesOf(label, target).part;
  }
}

Transform ModelFiller::placementOf(const TDF_Label& label) const {
  if (const auto other = placements_.find(entryOf(label)); other != placements_.end()) return other->second;
  return referredTo(label).IsEqual(label) ? Transform{} : transformOf(XCAFDoc_ShapeTool::GetLocation(label));
}

bool ModelFiller::isBodyOfProduct(const TDF_Label& component) const {
  if (!occurrences_ || occurrences_->contains(entryOf(component))) return false;
  const TDF_Label target = referredTo(component);
  return !target.IsEqual(component) && isNameOfKind(DocumentStyles::nameOf(target));
}

ModelFiller::Bodies ModelFiller::bodiesOf(const TDF_Label& component, int depth) const {
  if (depth > deepestTree)
    throw InputError("assembly", "'" + styles_.nameOf(component) + "'", "contains itself");
  const TDF_Label target = referredTo(component);
  Bodies bodies = seen_.at(entryOf(target));
  if (XCAFDoc_ShapeTool::IsAssembly(target)) {
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(target, components);
    for (const TDF_Label& each : components)
      for (Body& body : bodiesOf(each, depth + 1)) bodies.push_back(std::move(body));
  }
  const Transform placement = placementOf(component);
  const std::optional<Colour> colour = styles_.colourOf(component);
  for (Body& body : bodies) {
    body.productFromBody = placement * body.productFromBody;
    if (colour) body.colour = colour;
  }
  return bodies;
}

void ModelFiller::addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth) {
  if (depth > deepestTree) throw InputError("assembly", "'" + styles_.nameOf(label) + "'", "contains itself");
  const TDF_Label target = referredTo(label);
  const std::string name = namesOf(label, target).occurrence;
  const Transform placement = placementOf(label);
  const std::optional<Colour> colour = target.IsEqual(label) ? std::nullopt : styles_.colourOf(label);

  Bodies bodies = seen_.at(entryOf(target));
  std::vector<TDF_Label> occurrences;
  if (XCAFDoc_ShapeTool::IsAssembly(target)) {
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(target, components);
    for (const TDF_Label& component : components)
      if (!isBodyOfProduct(component))
        occurrences.push_back(component);
      else
        for (Body& body : bodiesOf(component, depth + 1)) bodies.push_back(std::move(body));
  }
  if (occurrences.empty() && bodies.size() == 1) {
    const Body& body = bodies.front();
    addInstance(name, placement * body.productFromBody, parent, body.part, colour ? colour : body.colour);
    return;
  }
  const NodeId node = model_.assembly.addNode(name, placement, parent, std::nullopt, colour);
  for (const Body& body : bodies) addInstance(body.name, body.productFromBody, node, body.part, body.colour);
  for (const TDF_Label& component : occurrences) addOccurrence(component, node, depth + 1);
}

ModelFiller::Bodies ModelFiller::makeBodies(const TDF_Label& label, const std::string& name) {
  const TopoDS_Shape located = XCAFDoc_ShapeTool::GetShape(label);
  PartShape whole;
  whole.name = name;
  if (located.IsNull()) return {{name, addShape(std::move(whole)), {}, {}}};
  const Transform location = transformOf(located.Location());
  whole.shape = located.Located(TopLoc_Location());
  TopExp::MapShapes(whole.shape, TopAbs_FACE, whole.faces);
  whole.styles = facesOf(label, located, whole.faces);
  faceCount_ += static_cast<std::size_t>(whole.faces.Extent());

  TopTools_IndexedMapOfShape solids;
  TopExp::MapShapes(whole.shape, TopAbs_SOLID, solids);
  solidCount_ += static_cast<std::size_t>(solids.Extent());
  const StyledFaces loose = facesOfNoSolid(whole);
  if (solids.IsEmpty() && !loose.faces.IsEmpty())
    warn(name, "has only sheets and no solid, so it has no inside: a part that it encloses is not found");
  if (options_.mergeSolids) {
    if (solids.Extent() > 1)
      warn(name, std::to_string(solids.Extent()) +
                     " solids form one part; interference between them is not checked");
    return {{name, addShape(std::move(whole)), location, {}}};
  }
  const std::vector<ConnectedFaces> sheets = sheetsOf(loose, whole.shape);
  const bool isOneSheet = sheets.size() == 1 || areScattered(sheets);
  if (areScattered(sheets)) warnOfScattered(name, sheets.size());
  if (sheets.empty() && solids.Extent() < 2) return {{name, addShape(std::move(whole)), location, {}}};
  if (solids.IsEmpty() && isOneSheet) return {{name, addSets(name, sheets), location, {}}};

  Bodies bodies;
  const auto names = DocumentStyles::namesOfSolids(label, located, solids);
  for (int i = 1; i <= solids.Extent(); ++i) {
    const std::string& own = names[static_cast<std::size_t>(i - 1)];
    const std::string body = own.empty() ? "solid" : own;
    PartShape part;
    part.name = name + '/' + body;
    part.shape = solids(i);
    TopExp::MapShapes(part.shape, TopAbs_FACE, part.faces);
    for (int k = 1; k <= part.faces.Extent(); ++k)
      part.styles.push_back(whole.styles[static_cast<std::size_t>(whole.faces.FindIndex(part.faces(k)) - 1)]);
    bodies.push_back({body, addShape(std::move(part)), location, {}});
  }
  const auto addSheet = [&](std::span<const ConnectedFaces> sets) {
    bodies.push_back({"sheet", addSets(name + "/sheet", sets), location, {}});
  };
  if (isOneSheet)
    addSheet(sheets);
  else
    for (const ConnectedFaces& sheet : sheets) addSheet({&sheet, 1});
  return bodies;
}

ModelFiller::Bodies ModelFiller::makeBodies(std::vector<TessellatedBody> tessellated,
                                            const std::string& name) {
  if (options_.mergeSolids && tessellated.size() > 1) {
    warn(name, std::to_string(tessellated.size()) +
                   " bodies form one part; interference between them is not checked");
    for (std::size_t i = 1; i < tessellated.size(); ++i) {
      for (TessellatedFace& face : tessellated[i].faces) tessellated[0].faces.push_back(std::move(face));
      tessellated[0].layers.insert(tessellated[0].layers.end(), tessellated[i].layers.begin(),
                                   tessellated[i].layers.end());
    }
    tessellated.resize(1);
  }
  Bodies bodies;
  for (const TessellatedBody& body : tessellated) {
    const std::string kind = body.isSolid ? "solid" : "sheet";
    const std::string& own = body.name.empty() ? kind : body.name;
    PartShape part;
    part.name = tessellated.size() == 1 ? name : name + '/' + own;
    const auto id = static_cast<PartId>(parts_.size());
    try {
      meshes_.emplace(id, meshOf(body, part.name));
    } catch (const Error& error) {
      throw InputError("part '" + part.name + "'", "", error.what());
    }
    parts_.push_back(std::move(part));
    if (!body.layers.empty()) layersOfPart_[id] = body.layers;
    bodies.push_back({own, id, {}, {}});
  }
  return bodies;
}

bool ModelFiller::isLoose(const TDF_Label& root) const {
  if (!looseFacesName_ || XCAFDoc_ShapeTool::IsAssembly(root)) return false;
  return countOf(XCAFDoc_ShapeTool::GetShape(root), TopAbs_SOLID) == 0;
}

ModelFiller::Group ModelFiller::addLooseFaces(const std::vector<TDF_Label>& labels) {
  TopoDS_Compound compound;
  const BRep_Builder builder;
  builder.MakeCompound(compound);
  for (const TDF_Label& label : labels) builder.Add(compound, XCAFDoc_ShapeTool::GetShape(label));
  StyledFaces all;
  TopExp::MapShapes(compound, TopAbs_FACE, all.faces);
  faceCount_ += static_cast<std::size_t>(all.faces.Extent());
  all.styles.resize(static_cast<std::size_t>(all.faces.Extent()));
  for (const TDF_Label& label : labels) {
    const TopoDS_Shape located = XCAFDoc_ShapeTool::GetShape(label);
    TopTools_IndexedMapOfShape own;
    TopExp::MapShapes(located.Located(TopLoc_Location()), TopAbs_FACE, own);
    const std::vector<FaceStyle> styles = facesOf(label, located, own);
    constexpr Standard_Boolean mayScale = Standard_False;  // locations that scale or mirror must not throw
    for (int i = 1; i <= own.Extent(); ++i)
      if (const int at = all.faces.FindIndex(own(i).Moved(located.Location(), mayScale)); at > 0)
        all.styles[static_cast<std::size_t>(at - 1)] = styles[static_cast<std::size_t>(i - 1)];
  }
  if (!options_.mergeSolids) return addGroup(compound, *looseFacesName_, all, false, 0);
  PartShape shape;
  shape.name = *looseFacesName_;
  shape.shape = compound;
  shape.faces = all.faces;
  shape.styles = all.styles;
  return {*looseFacesName_, addShape(std::move(shape)), {}};
}

ModelFiller::Group ModelFiller::addGroup(const TopoDS_Shape& compound, std::string name,
                                         const StyledFaces& all, bool isOneOfSeveral, int depth) {
  if (depth > deepestTree) throw InputError("group '" + name + "'", "", "groups are nested too deeply");
  std::vector<TopoDS_Shape> groups;
  TopoDS_Compound others;
  const BRep_Builder builder;
  builder.MakeCompound(others);
  for (TopoDS_Iterator member(compound); member.More(); member.Next()) {
    const bool isGroup = member.Value().ShapeType() == TopAbs_COMPOUND;
    if (countOf(member.Value(), TopAbs_FACE) == 0) continue;
    if (isGroup)
      groups.push_back(member.Value());
    else
      builder.Add(others, member.Value());
  }
  const auto nameOf = [&](const TopoDS_Shape& group) {
    const auto found = groupNames_.find(group.TShape().get());
    return found != groupNames_.end() ? found->second : std::string("group");
  };
  const bool hasOthers = countOf(others, TopAbs_FACE) > 0;
  if (groups.size() == 1 && !hasOthers) {
    const std::string own = nameOf(groups.front());
    return addGroup(groups.front(), own == "group" ? std::move(name) : own, all, isOneOfSeveral, depth + 1);
  }
  Group result{std::move(name), std::nullopt, {}};
  for (const TopoDS_Shape& group : groups)
    result.members.push_back(addGroup(group, nameOf(group), all, true, depth + 1));
  if (!hasOthers) return result;
  StyledFaces own;
  for (TopExp_Explorer face(others, TopAbs_FACE); face.More(); face.Next()) {
    const int known = own.faces.Extent(), at = all.faces.FindIndex(face.Current());
    if (own.faces.Add(face.Current()) > known)
      own.styles.push_back(at > 0 ? all.styles[static_cast<std::size_t>(at - 1)] : FaceStyle{});
  }
  addFaces(own, others, isOneOfSeveral && groups.empty(), result);
  return result;
}

void ModelFiller::addFaces(const StyledFaces& faces, const TopoDS_Shape& shape, bool areGrouped,
                           Group& group) {
  std::vector<ConnectedFaces> sets =
      connectedSets(faces, sewingTolerance(shape)).value_or(std::vector{ConnectedFaces{shape, faces, false}});
  const bool isScattered = !areGrouped && areScattered(sets);
  if (isScattered) warnOfScattered(group.name, sets.size());
  // A group of several closed sets consists of bodies, whose interference would not be detected.
  const bool hasBodies =
      std::count_if(sets.begin(), sets.end(), [](const ConnectedFaces& set) { return set.isClosed; }) > 1;
  if ((areGrouped && !hasBodies) || isScattered || sets.size() == 1) {
    const bool isAlone = group.members.empty();
    Group& owner = isAlone ? group : group.members.emplace_back(Group{"faces", std::nullopt, {}});
    owner.part = addSets(group.name, sets);
    return;
  }
  if (!areGrouped)
    warn(group.name, "a part for each of " + std::to_string(sets.size()) +
                         " sets of faces that hang together, since the file has no groups of them");
  for (const ConnectedFaces& set : sets) {
    const std::string kind = set.isClosed ? "solid" : "sheet";
    group.members.push_back({kind, addSets(group.name + '/' + kind, {&set, 1}), {}});
  }
}

PartId ModelFiller::addSets(const std::string& name, std::span<const ConnectedFaces> sets) {
  PartShape part;
  part.name = name;
  for (const ConnectedFaces& set : sets) {
    for (int i = 1; i <= set.faces.faces.Extent(); ++i) part.faces.Add(set.faces.faces(i));
    part.styles.insert(part.styles.end(), set.faces.styles.begin(), set.faces.styles.end());
  }
  part.shape = compoundOf(sets);
  return addShape(std::move(part));
}

void ModelFiller::addNodes(const Group& group, std::optional<NodeId> parent) {
  const NodeId node = group.part ? addInstance(group.name, {}, parent, *group.part, {})
                                 : model_.assembly.addNode(group.name, {}, parent);
  for (const Group& member : group.members) addNodes(member, node);
}

PartId ModelFiller::addShape(PartShape shape) {
  if (shape.faces.IsEmpty()) warn(shape.name, "has no faces, so nothing that it intersects is found");
  const auto id = static_cast<PartId>(parts_.size());
  if (DocumentLayers::Names layers = layers_.namesOf(shape.styles); !layers.empty())
    layersOfPart_[id] = std::move(layers);
  parts_.push_back(std::move(shape));
  return id;
}

NodeId ModelFiller::addInstance(const std::string& name, const Transform& parentFromNode,
                                std::optional<NodeId> parent, PartId part, std::optional<Colour> colour) {
  const NodeId node = model_.assembly.addNode(name, parentFromNode, parent, part, colour);
  if (const auto layers = layersOfPart_.find(part); layers != layersOfPart_.end())
    model_.assembly.setLayers(node, layers->second);
  return node;
}

std::vector<FaceStyle> ModelFiller::facesOf(const TDF_Label& part, const TopoDS_Shape& shape,
                                            const TopTools_IndexedMapOfShape& faces) const {
  std::vector<FaceStyle> styles = styles_.facesOf(part, shape, faces);
  layers_.addTo(styles, shape, faces);
  return styles;
}

void ModelFiller::warnOfScattered(const std::string& name, std::size_t sets) {
  model_.warnings.push_back({name,
                             "consists of " + std::to_string(sets) +
                                 " sets of faces that are not connected to each other; interference between "
                                 "the sets is not checked",
                             true});
}

void ModelFiller::warn(const std::string& element, const std::string& message) {
  model_.warnings.push_back({element, message, false});
}

}  // namespace fitup::importers
