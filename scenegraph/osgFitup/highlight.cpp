#include <osgFitup/highlight.h>

#include <algorithm>
#include <string>
#include <utility>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/LightModel>
#include <osg/LineWidth>
#include <osg/Material>
#include <osg/MatrixTransform>
#include <osg/Point>
#include <osg/PolygonOffset>

#include <fitup/base/error.h>
#include <fitup/query/intersection_marks.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawing_traversal.h>
#include <osgFitup/detail/followed_part.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/overlay_geometry.h>
#include <osgFitup/detail/scene_walk.h>

namespace osgFitup {
namespace {

using detail::FollowedPart;
using fitup::NodeId;

/// `function` is the function that was given the path.
PartModel& partAt(const osg::NodePath& path, const char* function) {
  (void)detail::givenPath(path, function, "toPart");
  PartModel* part = path.empty() ? nullptr : partModelOf(*path.back());
  if (part == nullptr || part->getCollisionModel() == nullptr)
    throw fitup::InputError("highlight", detail::pathText(path), "has no collision model");
  return *part;
}

/// Drawn after transparent surfaces, which would otherwise be drawn over it. Between faces and lines there is
/// room for edges of the scene, which belong over the former and below the latter.
constexpr int renderBin = 20, renderBinOfLines = 30;

osg::ref_ptr<osg::StateSet> makeState(const HighlightStyle& style, bool lit) {
  const auto on = osg::StateAttribute::ON | osg::StateAttribute::PROTECTED | osg::StateAttribute::OVERRIDE;
  const auto off = osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED | osg::StateAttribute::OVERRIDE;
  const auto face = osg::Material::FRONT_AND_BACK;
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::OFF);
  const osg::Vec4 black(0, 0, 0, style.colour.a());
  // Half of the colour is emitted, so that it is visible from any direction of the light.
  osg::Vec4 half = style.colour * 0.5F;
  half.a() = style.colour.a();
  material->setEmission(face, half);
  material->setAmbient(face, black);
  material->setDiffuse(face, half);
  material->setSpecular(face, black);
  state->setAttributeAndModes(material, on);
  state->setMode(GL_LIGHTING, lit ? on : off);
  state->setMode(GL_CULL_FACE, off);
  for (unsigned int unit = 0; unit < 2; ++unit) state->setTextureMode(unit, GL_TEXTURE_2D, off);
  if (lit) {
    osg::ref_ptr<osg::LightModel> light = new osg::LightModel;
    light->setTwoSided(true);
    state->setAttributeAndModes(light, on);
    state->setMode(GL_NORMALIZE, on);
  }
  // The same triangles are already drawn in the same place.
  state->setAttributeAndModes(
      new osg::PolygonOffset(style.offset, HighlightStyle::unitsOfOffset * style.offset), on);
  state->setAttributeAndModes(
      new osg::Depth(style.inFront ? osg::Depth::ALWAYS : osg::Depth::LEQUAL, 0, 1, style.colour.a() >= 1),
      on);
  if (!lit) {
    state->setAttributeAndModes(new osg::LineWidth(style.lineWidth), on);
    state->setAttributeAndModes(new osg::Point(2 * style.lineWidth), on);
  }
  if (style.colour.a() < 1)
    state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA), on);
  state->setRenderBinDetails((lit ? renderBin : renderBinOfLines) + (style.inFront ? 1 : 0), "RenderBin");
  return state;
}

osg::ref_ptr<osg::MatrixTransform> moved(const osg::Matrixd& matrix, osg::Node* child) {
  osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform(matrix);
  transform->addChild(child);
  return transform;
}

/// The original of a highlighted surface.
struct Source {
  osg::Geometry* geometry =
      nullptr;  ///< null if the drawable is not a geometry, does not exist, or shows other surfaces too
  osg::Matrixd partFromDrawable;
};

Source sourceOf(const PartModel& part, fitup::SurfaceId surface, const osg::NodePath& below) {
  const auto [begin, end] = part.surfacesBeside(surface);
  const bool isWhole = index(end) - index(begin) == 1;
  if (below.empty() || below.back()->asGeometry() == nullptr || !isWhole) {
    const fitup::Vec3& origin = part.getCollisionModel()->mesh().origin();
    return {nullptr, osg::Matrixd::translate(toVec3d(origin))};
  }
  return {below.back()->asGeometry(),
          osg::computeLocalToWorld(osg::NodePath(below.begin() + 1, below.end()))};
}

/// Lines are unlit; their colour is that of the vertices.
void setColour(osg::Geometry& geometry, const osg::Vec4& colour) {
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colours->push_back(colour);
  geometry.setColorArray(colours);
}

fitup::PosedModel posedAt(const SceneAssembly& scene, NodeId node, const fitup::Poses& placements) {
  const fitup::Transform* placed = placements.find(node);
  return {scene.at(node).part->getCollisionModel(), placed == nullptr ? scene.worldFromPart(node) : *placed};
}

/// `function` was given the scene, and a report of it.
void requireInstances(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                      const char* function) {
  for (const fitup::PairInterference& pair : report.pairs)
    for (const NodeId node : {pair.a, pair.b}) {
      const SceneInstance& instance = scene.at(node);
      if (instance.path.empty()) throw fitup::InputError(function, "scene", "has an instance without a path");
      (void)detail::givenPath(instance.path, function, "scene");
      (void)detail::given(instance.part.get(), function, "scene");
    }
}

}  // namespace

Highlight::Highlight() {
  setName("highlight");
  setDataVariance(osg::Object::DYNAMIC);
  setCullingActive(false);  // it has no bound
}

Highlight::~Highlight() = default;

/// A copy shows nothing: shown items stay with the original, because paths are observed, not owned.
Highlight::Highlight(const Highlight& other, const osg::CopyOp& copyop) : osg::Group() {
  setName(other.getName());
  setDataVariance(osg::Object::DYNAMIC);
  setNodeMask(other.getNodeMask());
  setStateSet(copyop(other.getStateSet()));
  setCullingActive(false);
}

osg::StateSet* Highlight::stateOf(const HighlightStyle& style, bool lit) {
  const std::pair key(style, lit);
  const auto found =
      std::find_if(states_.begin(), states_.end(), [&](const auto& entry) { return entry.first == key; });
  if (found != states_.end()) return found->second.get();
  return states_.emplace_back(key, makeState(style, lit)).second.get();
}

template <typename Path>
FollowedPart& Highlight::followed(const Path& toPart) {
  const auto [begin, end] = followed_.equal_range(&*toPart.back());
  for (auto found = begin; found != end; ++found)
    if (found->second->follows(toPart)) return *found->second;
  osg::ref_ptr<FollowedPart> part = new FollowedPart(osg::NodePath(toPart.begin(), toPart.end()));
  addChild(part);
  followed_.emplace(&*toPart.back(), part);
  return *part;
}

/// Discards everything about deleted parts, because new nodes may get their addresses.
void Highlight::dropDead() {
  std::erase_if(followed_, [&](const auto& entry) {
    FollowedPart* part = entry.second.get();
    if (part->isAlive()) return false;
    std::erase_if(surfaces_, [&](const SurfaceKey& key) { return key.first == part; });
    std::erase_if(shown_, [&](const auto& shown) {
      const osg::Group* place = shown.second.parent.get();
      return place != nullptr && place->getNumParents() > 0 && place->getParent(0) == part;
    });
    removeChild(part);
    return true;
  });
}

Highlight::Id Highlight::keep(osg::Group& parent, osg::Node* node) {
  parent.addChild(node);
  const bool isOwn = &parent == this;  // it must not own itself
  if (!isOwn) parent.getParent(0)->setNodeMask(~0U);
  shown_[++lastId_] = {isOwn ? nullptr : &parent, node};
  return lastId_;
}

Highlight::Id Highlight::showSurface(const osg::NodePath& toPart, fitup::SurfaceId surface,
                                     const HighlightStyle& style) {
  dropDead();
  (void)partAt(toPart, "Highlight::showSurface");  // fails before anything is created
  const Shown shown = makeSurface(followed(toPart), surface, style);
  return keep(*shown.parent, shown.node);
}

Highlight::Shown Highlight::makeSurface(FollowedPart& followedPart, fitup::SurfaceId surface,
                                        const HighlightStyle& style) {
  const osg::NodePath toPart = followedPart.path();
  PartModel& part = partAt(toPart, "Highlight::showSurface");
  const osg::NodePath below = part.pathTo(*toPart.back(), surface);
  if (below.empty()) return {&followedPart.placeAt({}, nullptr), new osg::Group};
  const Source source = sourceOf(part, surface, below);
  osg::ref_ptr<osg::Geometry> geometry;
  if (source.geometry != nullptr) {
    geometry = detail::sharingGeometry(*source.geometry);
  } else {
    const fitup::TriangleMesh& mesh = part.getCollisionModel()->mesh();
    const fitup::Surface& range = mesh.surfaces()[index(surface)];
    std::vector<fitup::TriangleId> triangles;
    for (std::uint32_t i = 0; i < range.triangleCount; ++i)
      triangles.push_back(fitup::TriangleId{range.firstTriangle + i});
    geometry = detail::triangleGeometry(mesh, triangles);
  }
  const bool lit = geometry->getNormalArray() != nullptr;
  if (!lit) setColour(*geometry, style.colour);
  return {&followedPart.placeAt(source.partFromDrawable, stateOf(style, lit)), geometry};
}

Highlight::Id Highlight::showTriangles(const osg::NodePath& toPart,
                                       std::span<const fitup::TriangleId> triangles,
                                       const HighlightStyle& style) {
  dropDead();
  const fitup::TriangleMesh& mesh = partAt(toPart, "Highlight::showTriangles").getCollisionModel()->mesh();
  for (const fitup::TriangleId triangle : triangles)
    if (index(triangle) >= mesh.triangles().size())
      throw fitup::InputError("highlight", "triangle " + std::to_string(index(triangle)),
                              "is not in part '" + mesh.name() + "'");
  osg::ref_ptr<osg::Geometry> geometry = detail::triangleGeometry(mesh, triangles);
  const osg::Matrixd partFromPoints = osg::Matrixd::translate(toVec3d(mesh.origin()));
  return keep(followed(toPart).placeAt(partFromPoints, stateOf(style, true)), geometry);
}

Highlight::Id Highlight::showLines(std::span<const fitup::IntersectionLine> lines,
                                   const HighlightStyle& style) {
  const fitup::Vec3 origin = lines.empty() ? fitup::Vec3{} : lines.front().common.points[0];
  osg::ref_ptr<osg::Geometry> geometry = detail::lineGeometry(lines, origin);
  setColour(*geometry, style.colour);
  geometry->setStateSet(stateOf(style, false));
  return keep(*this, moved(osg::Matrixd::translate(toVec3d(origin)), geometry));
}

Highlight::Id Highlight::showPieces(std::span<const fitup::Triangle> pieces, const HighlightStyle& style) {
  const fitup::Vec3 origin = pieces.empty() ? fitup::Vec3{} : pieces.front().v[0];
  osg::ref_ptr<osg::Geometry> geometry = detail::pieceGeometry(pieces, origin);
  geometry->setStateSet(stateOf(style, true));
  return keep(*this, moved(osg::Matrixd::translate(toVec3d(origin)), geometry));
}

Highlight::Id Highlight::showBoxes(const osg::NodePath& toPart, fitup::HierarchyKind kind, std::size_t level,
                                   const HighlightStyle& style) {
  fitup::BuildOptions build;
  build.wide.reset();
  build.add(kind);
  const auto model =
      fitup::CollisionModel::with(partAt(toPart, "Highlight::showBoxes").getCollisionModel(), build);
  return showBoxes(toPart, levelBoxes(*model, kind, level), style);
}

Highlight::Id Highlight::showBoxes(const osg::NodePath& toPart, std::span<const fitup::LevelBox> boxes,
                                   const HighlightStyle& style) {
  dropDead();
  const fitup::Vec3 origin = partAt(toPart, "Highlight::showBoxes").getCollisionModel()->mesh().origin();
  osg::ref_ptr<osg::Geometry> geometry = detail::boxGeometry(boxes, origin);
  setColour(*geometry, style.colour);
  const osg::Matrixd partFromPoints = osg::Matrixd::translate(toVec3d(origin));
  return keep(followed(toPart).placeAt(partFromPoints, stateOf(style, false)), geometry);
}

bool Highlight::hide(Id id) {
  const auto found = shown_.find(id);
  if (found == shown_.end()) return false;
  const Shown shown = found->second;
  shown_.erase(found);
  if (!shown.parent.valid()) return removeChild(shown.node);
  shown.parent->removeChild(shown.node);
  auto* part = static_cast<FollowedPart*>(shown.parent->getParent(0));
  part->maskIfEmpty();
  if (part->getNodeMask() == 0 && part->foundCount() == 0) {
    std::erase_if(followed_, [&](const auto& entry) { return entry.second == part; });
    removeChild(part);
  }
  return true;
}

void Highlight::hideAll() {
  removeChildren(0, getNumChildren());
  shown_.clear();
  followed_.clear();
  surfaces_.clear();
  lines_ = 0;
  pieces_ = 0;
  solids_.clear();
}

/// Discards what was kept of a part whose model is another one, unless it is of the same drawable at the same
/// place, as after a refit.
void Highlight::renewFound(FollowedPart& part) {
  osg::Node& node = part.node();
  const PartModel* model = partModelOf(node);
  if (model == nullptr || !part.changesModel(model)) return;
  for (std::uint32_t s = 0; s < part.foundCount(); ++s) {
    FollowedPart::Found& found = part.found(fitup::SurfaceId{s});
    if (!found.node.valid()) continue;
    const Source now = sourceOf(*model, fitup::SurfaceId{s}, model->pathTo(node, fitup::SurfaceId{s}));
    if (now.geometry != nullptr && detail::originalOf(*found.node) == now.geometry &&
        found.place == &part.placeAt(now.partFromDrawable, found.place->getStateSet()))
      continue;
    if (found.isShown) part.hide(found);
    found = {};
  }
  std::erase_if(surfaces_,
                [&](const SurfaceKey& key) { return key.first == &part && !part.found(key.second).isShown; });
}

void Highlight::dropFound() {
  for (const auto& [part, surface] : surfaces_) part->hide(part->found(surface));
  surfaces_.clear();
  for (const auto& [node, part] : followed_) part->dropFound();
}

void Highlight::showInterference(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                                 const HighlightStyle& surfaceStyle,
                                 const std::optional<HighlightStyle>& lineStyle,
                                 const fitup::Poses& placements) {
  requireInstances(scene, report, "Highlight::showInterference");
  dropDead();
  if (!(surfaceStyle == surfaceStyle_)) dropFound();
  surfaceStyle_ = surfaceStyle;
  ++call_;
  std::vector<SurfaceKey> added;
  const auto find = [&](FollowedPart& part, fitup::SurfaceId surface) {
    FollowedPart::Found& found = part.found(surface);
    if (std::exchange(found.call, call_) == call_ || found.isShown) return;
    if (!found.node.valid()) {
      const Shown made = makeSurface(part, surface, surfaceStyle);
      found.place = made.parent;
      found.node = made.node;
    }
    added.emplace_back(&part, surface);
  };
  for (const fitup::PairInterference& pair : report.pairs) {
    if (!pair.report.intersects()) continue;
    FollowedPart &a = followed(scene.at(pair.a).path), &b = followed(scene.at(pair.b).path);
    renewFound(a);
    renewFound(b);
    for (const fitup::SurfacePair& surfaces : pair.report.surfacePairs) {
      find(a, surfaces.a);
      find(b, surfaces.b);
    }
  }
  // Little changes from one step to the next; the rest stays untouched.
  std::erase_if(surfaces_, [&](const SurfaceKey& key) {
    FollowedPart::Found& found = key.first->found(key.second);
    if (found.call == call_) return false;
    key.first->hide(found);
    return true;
  });
  for (const auto& [part, surface] : added) part->show(part->found(surface));
  surfaces_.insert(surfaces_.end(), added.begin(), added.end());

  hide(lines_);
  lines_ = 0;
  hide(pieces_);
  pieces_ = 0;
  if (!lineStyle) return;
  std::vector<fitup::IntersectionLine> lines;
  for (const fitup::PairInterference& pair : report.pairs) {
    const auto more = fitup::intersectionLines(posedAt(scene, pair.a, placements),
                                               posedAt(scene, pair.b, placements), pair.report);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  if (!lines.empty()) lines_ = showLines(lines, *lineStyle);
}

void Highlight::showRegions(const SceneAssembly& scene, const fitup::InterferenceReport& report,
                            const HighlightStyle& style, const fitup::Poses& placements) {
  requireInstances(scene, report, "Highlight::showRegions");
  // Those of models that are not shown any more, as of deforming parts, are freed.
  const auto kept = std::exchange(solids_, {});
  const auto solidOf = [&](const fitup::PosedModel& model) {
    std::shared_ptr<const fitup::SolidModel>& solid = solids_[model.model];
    if (const auto old = kept.find(model.model); !solid && old != kept.end()) solid = old->second;
    if (!solid) solid = fitup::SolidModel::build(fitup::CollisionModel::with(model.model, {}));
    return fitup::PosedSolid{solid, model.worldFromPart};
  };
  std::vector<fitup::Triangle> pieces;
  std::vector<fitup::IntersectionLine> lines;
  fitup::InterferenceReport whole;
  for (const fitup::PairInterference& pair : report.pairs) {
    if (!pair.report.intersects()) continue;
    const fitup::PosedSolid a = solidOf(posedAt(scene, pair.a, placements)),
                            b = solidOf(posedAt(scene, pair.b, placements));
    const fitup::IntersectionMarks marks = fitup::intersectionMarks(a, b);
    lines.insert(lines.end(), marks.lines.begin(), marks.lines.end());
    if (marks.isCut() || !marks.hasRegions())
      whole.pairs.push_back(pair);
    else
      for (const auto& region : marks.regions)
        pieces.insert(pieces.end(), region.pieces.begin(), region.pieces.end());
  }
  showInterference(scene, whole, style, std::nullopt, placements);
  if (!pieces.empty()) pieces_ = showPieces(pieces, style);
  HighlightStyle over = style;
  over.inFront = true;
  if (!lines.empty()) lines_ = showLines(lines, over);
}

void Highlight::showRegions(const InterferenceMonitor& monitor, const HighlightStyle& style) {
  showRegions(monitor.getSceneAssembly(), monitor.getReport(), style, monitor.getPlacements());
}

void Highlight::showInterference(const InterferenceMonitor& monitor, const HighlightStyle& surfaceStyle,
                                 const std::optional<HighlightStyle>& lineStyle) {
  showInterference(monitor.getSceneAssembly(), monitor.getReport(), surfaceStyle, lineStyle,
                   monitor.getPlacements());
}

void Highlight::traverse(osg::NodeVisitor& visitor) {
  if (detail::isDrawingTraversal(visitor)) osg::Group::traverse(visitor);
}

}  // namespace osgFitup
