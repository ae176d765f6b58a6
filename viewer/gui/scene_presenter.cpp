#include <viewer/gui/scene_presenter.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <osg/ColorMask>
#include <osg/LineWidth>
#include <osg/Point>
#include <osg/State>
#include <osg/VertexArrayState>

#include <fitup/base/error.h>
#include <fitup/hierarchy/tree_queries.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <viewer/core/colour_likeness.h>
#include <viewer/core/drawn_edges.h>
#include <viewer/core/explode.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/mate_outline.h>
#include <viewer/gui/overlay_shapes.h>
#include <viewer/gui/part_looks.h>
#include <viewer/gui/process_memory.h>

namespace fitup::viewer {
namespace {

/// The colours of reports for the two parts of a finding.
const osg::Vec4 firstColour{0.24F, 0.52F, 0.80F, 1}, secondColour{0.93F, 0.64F, 0.22F, 1};

const osgFitup::HighlightStyle actionStyle{actionColour}, contactStyle{{1.0F, 0.55F, 0.05F, 1}},
    preselectedStyle{{1.0F, 0.85F, 0.2F, 1}}, chosenStyle{{0.75F, 0.1F, 0.75F, 0.55F}, true},
    faceStyle{{0.05F, 0.2F, 0.6F, 0.55F}, true}, measuredStyle{{0.95F, 0.75F, 0.05F, 0.6F}, true},
    firstBorderStyle{{0.03F, 0.18F, 0.45F, 1}}, secondBorderStyle{{0.50F, 0.27F, 0.02F, 1}},
    boxStyle{{0.1F, 0.3F, 0.7F, 1}, false, 1}, mateStyle{{0.9F, 0.1F, 0.8F, 0.25F}},
    holdStyle{{0.0F, 0.65F, 0.75F, 0.85F}};

/// Whether an instance has faces that, as drawn, resemble highlighted ones of a style. Translucent faces do
/// not, and what is behind them must stay visible.
bool hasColourLike(const Assembly& assembly, NodeId instance, const osgFitup::HighlightStyle& style) {
  const Colour lit = osgFitup::toColour(style.colour);
  const auto isOpaque = [](const Colour& colour) { return colour.alpha >= 1; };
  if (const auto& own = assembly.node(instance).colour) return isOpaque(*own) && isMistakenFor(*own, lit);
  bool found = false;
  for (const Surface& surface : assembly.meshOf(instance).surfaces()) {
    if (!surface.colour) continue;
    if (!isOpaque(*surface.colour)) return false;
    found = found || isMistakenFor(*surface.colour, lit);
  }
  return found;
}

}  // namespace

ScenePresenter::ScenePresenter()
    : root_(new osg::Group),
      overlay_(new osg::Group),
      mateOutline_(new osg::Group),
      section_(new osg::ClipNode),
      sky_(new osg::LightSource),
      highlight_(new osgFitup::Highlight),
      marks_(*highlight_),
      firstLook_(makeLook(firstColour)),
      secondLook_(makeLook(secondColour, secondFaceOffset)),
      paleFirstLook_(makeLook({0.62F, 0.76F, 0.90F, 1})),
      paleSecondLook_(makeLook({0.96F, 0.84F, 0.64F, 1}, secondFaceOffset)),
      ghostLook_(makeLook({0.55F, 0.6F, 0.65F, 0.1F})),
      plainLook_(makeLook({0.78F, 0.79F, 0.8F, 1})),
      transparentLook_(makeLook({0.55F, 0.63F, 0.72F, 0.35F})),
      paperLook_(makePaperLook()),
      contacts_(*highlight_) {
  section_->addChild(highlight_);
  // The light of the viewer is at the eye. What faces up is lighter, so that parallel faces differ.
  osg::ref_ptr<osg::Light> sky = new osg::Light(1);
  sky->setDiffuse({0.3F, 0.31F, 0.33F, 1});
  sky->setSpecular({0, 0, 0, 1});
  sky->setAmbient({0, 0, 0, 1});
  sky_->setLight(sky);
  sky_->setStateSetModes(*root_->getOrCreateStateSet(), osg::StateAttribute::ON);
  root_->addChild(sky_);
  setUpAxis(UpAxis::z);
  root_->addChild(section_);
  section_->addChild(outline_.node());
  root_->addChild(caps_.node());
  addPlans();
  root_->addChild(overlay_);
  drawOverEverything(*mateOutline_);
  overlay_->addChild(mateOutline_);
  setPixelRatio(1);
  // Qt blends the picture into the window by its alpha, which transparent parts would change.
  root_->getOrCreateStateSet()->setAttribute(new osg::ColorMask(true, true, true, false));
}

void ScenePresenter::clear() {
  caps_.clear();
  setSections({});
  contacts_.clear();
  marks_.clear();
  highlight_->hideAll();
  if (scene_) section_->removeChild(scene_);
  scene_ = nullptr;
  session_ = nullptr;
  shown_.clear();
  paths_.clear();
  placed_.clear();
  ways_.clear();
  fraction_ = 0;
  outline_.clear();
  lit_.clear();
  looks_ = {};
  ownLooks_.clear();
  litAction_ = litContact_ = false;
  preselected_.reset();
  preselectedId_ = faceId_ = 0;
  chosen_.clear();
  marked_.clear();
  showMate(nullptr);
  clearPlans();
  holding_.clear();
  boxes_.clear();
  measured_.clear();
}

void ScenePresenter::show(const Session& session, osg::ref_ptr<osg::Group> scene) {
  clear();
  session_ = &session;
  scene_ = std::move(scene);
  section_->insertChild(0, scene_);
  std::map<std::string, osgFitup::PartNode*> byPath;
  for (osgFitup::PartNode* node : osgFitup::partNodesBelow(*scene_)) byPath[node->getInstancePath()] = node;
  const Assembly& assembly = session.assembly();
  for (const NodeId node : assembly.instances()) {
    Shown entry;
    entry.node = byPath.at(assembly.path(node));
    paths_[node] = entry.node->getParentalNodePaths(scene_).at(0);
    for (auto up = assembly.node(node).parent; up; up = assembly.node(*up).parent) {
      if (assembly.node(*up).part) {
        entry.above = up;
        break;
      }
      entry.aboveFromParent = assembly.node(*up).parentFromNode * entry.aboveFromParent;
    }
    entry.drawn = dynamic_cast<DrawnInstance*>(entry.node->getChild(0)->asGroup()->getChild(1));
    entry.likeAction = hasColourLike(assembly, node, actionStyle);
    entry.likeContact = hasColourLike(assembly, node, contactStyle);
    entry.isDark = viewer::isDark(mainColour(assembly, node));
    shown_.emplace(node, std::move(entry));
  }
  isNew_ = true;
  place();
}

void ScenePresenter::moveToOpenGl(osg::RenderInfo& info) {
  if (!std::exchange(isNew_, false)) return;
  std::size_t freed = 0;
  for (const auto& [node, entry] : shown_) freed += entry.drawn->moveToOpenGl(info);
  info.getState()->getCurrentVertexArrayState()->resetBufferObjectPointers();
  if (freed > 0) returnFreedMemory();
}

void ScenePresenter::remakeDrawings() {
  std::vector<DrawnInstance*> drawn;
  for (const auto& [node, entry] : shown_) drawn.push_back(entry.drawn);
  fitup::viewer::remakeDrawings(drawn);
  isNew_ = true;
  applyLooks();  // the outline of selected parts shares what they draw, and so do ghosts
  drawGhosts();
}

void ScenePresenter::place(const Poses& moved) {
  if (session_ == nullptr) return;
  Poses next = session_->poses();
  next.set(moved);
  if (isExploded()) next = explodedPoses(session_->scene(), next, ways_, fraction_);
  const auto changed = [&](NodeId node) {
    const Transform *before = placed_.find(node), *after = next.find(node);
    return before == nullptr || after == nullptr ? before != after : *before != *after;
  };
  std::set<NodeId> changes;
  for (const auto& [node, world] : placed_)
    if (changed(node)) changes.insert(node);
  for (const auto& [node, world] : next)
    if (changed(node)) changes.insert(node);
  placed_ = std::move(next);
  const auto worldOf = [&](NodeId node) { return session_->scene().worldFromPart(node, placed_); };
  for (auto& [node, entry] : shown_) {
    // An instance below another one does not follow it.
    if (!changes.contains(node) && !(entry.above && changes.contains(*entry.above))) continue;
    if (placed_.find(node) == nullptr && !entry.above) {
      entry.node->resetPlacement();
      continue;
    }
    const Transform worldFromParent =
        entry.above ? worldOf(*entry.above) * entry.aboveFromParent : entry.aboveFromParent;
    entry.node->setPlacement(worldFromParent.inverse() * worldOf(node));
  }
  outline_.place(worldOf);
}

void ScenePresenter::explode(double fraction) {
  if (session_ == nullptr) return;
  if (fraction > 0 && !isExploded()) ways_ = explodedShifts(session_->scene(), session_->poses());
  fraction_ = fraction;
  place();
}

void ScenePresenter::setLooks(const InstanceLooks& looks) {
  looks_ = looks;
  applyLooks();
}

void ScenePresenter::setUpAxis(UpAxis axis) {
  osg::Vec4 up(0, 0, 0, 0);
  up[axis == UpAxis::x ? 0 : axis == UpAxis::y ? 1 : 2] = 1;
  sky_->getLight()->setPosition(up);
}

void ScenePresenter::setDisplayMode(DisplayMode mode) {
  mode_ = mode;
  makeEdgeLooks();
  setLeisure();
}

bool ScenePresenter::resemblesLit(NodeId node, const Shown& entry) const {
  const auto own = looks_.own.find(node);
  const bool isTranslucent = own != looks_.own.end() && own->second.transparency > 0;
  const auto isLike = [&](bool fileIsLike, const osgFitup::HighlightStyle& style) {
    if (isTranslucent) return false;
    if (own == looks_.own.end() || !own->second.colour) return fileIsLike;
    return isMistakenFor(colourOf(own->second), osgFitup::toColour(style.colour));
  };
  return (litAction_ && isLike(entry.likeAction, actionStyle)) ||
         (litContact_ && isLike(entry.likeContact, contactStyle));
}

osg::StateSet* ScenePresenter::ownLook(NodeId node) {
  const auto own = looks_.own.find(node);
  if (own == looks_.own.end()) return nullptr;
  osg::ref_ptr<osg::StateSet>& look = ownLooks_[own->second];
  if (!look) look = makeOwnLook(own->second);
  return look;
}

osg::StateSet* ScenePresenter::lookOf(NodeId node, const Shown& entry) {
  if (looks_.finding) {
    if (node == looks_.finding->first) return looks_.marksFaces ? paleFirstLook_ : firstLook_;
    if (node == looks_.finding->second) return looks_.marksFaces ? paleSecondLook_ : secondLook_;
    return ghostLook_;
  }
  if (looks_.ghosted.contains(node)) return ghostLook_.get();
  if (looks_.plain || resemblesLit(node, entry)) return plainLook_.get();
  if (mode_ == DisplayMode::transparent) return transparentLook_.get();
  return mode_ == DisplayMode::hiddenLine ? paperLook_.get() : ownLook(node);
}

osg::StateSet* ScenePresenter::edgesOf(NodeId node, const Shown& entry) {
  if (looks_.selected.contains(node)) return selectedEdges_;
  if (entry.look == ghostLook_) return ghostEdges_;
  const bool showsColours = mode_ == DisplayMode::shadedWithEdges && entry.look == ownLook(node);
  const auto own = looks_.own.find(node);
  const bool hasOwn = own != looks_.own.end() && own->second.colour;
  const bool isOnDark = hasOwn ? viewer::isDark(colourOf(own->second)) : entry.isDark;
  return showsColours && isOnDark ? edgesOnDark_ : edges_;
}

void ScenePresenter::applyLooks() {
  outline_.clear();
  for (auto& [node, entry] : shown_) {
    const bool hide = looks_.hidden.contains(node), selected = looks_.selected.contains(node);
    entry.node->getChild(0)->setNodeMask(hide ? 0 : ~0U);
    osg::StateSet* look = lookOf(node, entry);
    if (look != entry.look) entry.node->setStateSet(look);
    entry.look = look;
    entry.drawn->setFaces(mode_ != DisplayMode::wireframe);
    entry.drawn->setEdgeLook(edgesOf(node, entry));
    if (selected && !hide)
      outline_.add(node, session_->assembly().meshOf(node).origin(), entry.drawn->drawing(), pixelRatio_);
  }
  outline_.place([&](NodeId node) { return session_->scene().worldFromPart(node, placed_); });
}

std::size_t ScenePresenter::drawnTriangles() const {
  std::size_t triangles = 0;
  for (const auto& [node, entry] : shown_)
    if (!looks_.hidden.contains(node)) triangles += entry.drawn->drawnTriangles();
  return triangles;
}

void ScenePresenter::setLeisure() {
  for (auto& [node, entry] : shown_) entry.drawn->show(0, mode_ != DisplayMode::shaded);
}

void ScenePresenter::setHaste(const Camera& camera, std::size_t mostTriangles) {
  struct Drawn {
    DrawnInstance* instance;
    double size, pixel;  ///< of the instance and of a pixel there, in the world
    std::size_t level = 0;
  };
  std::vector<Drawn> drawn;
  std::size_t segments = 0;
  for (auto& [node, entry] : shown_) {
    if (looks_.hidden.contains(node)) continue;
    const Box box = session_->scene().worldBounds(node, placed_);
    if (box.empty() || !camera.mayShow(box)) continue;
    drawn.push_back({entry.drawn, 2 * norm(box.halfExtent()), camera.worldPerPixel(box.centre())});
    segments += entry.drawn->drawing().segments;
  }
  // The coarsest pictures still show the larger parts.
  for (double pixels = 1; pixels <= 64; pixels *= 2) {
    std::size_t triangles = 0;
    for (Drawn& each : drawn) {
      const auto& levels = each.instance->drawing().levels;
      const double coarsest = pixels * each.pixel;
      each.level = levels.size();
      if (each.size < coarsest) continue;
      while (each.level > 1 && levels[each.level - 1].cell > coarsest) --each.level;
      triangles += levels[--each.level].triangles;
    }
    if (triangles <= mostTriangles) break;
  }
  // A wireframe is nothing without edges. A segment takes about as long as two triangles.
  const bool drawsEdges =
      mode_ == DisplayMode::wireframe || (mode_ != DisplayMode::shaded && 2 * segments <= mostTriangles);
  for (const Drawn& each : drawn) each.instance->show(each.level, drawsEdges);
}

void ScenePresenter::showInterference(const InterferenceReport* report, const std::set<NodeId>& focus) {
  std::vector<Lit> wanted;
  if (report != nullptr)
    for (const PairInterference& pair : report->pairs) {
      if (marked_.contains({pair.a, pair.b})) continue;
      if (!pair.needsAction() && !focus.contains(pair.a) && !focus.contains(pair.b)) continue;
      const bool showsA = !looks_.hidden.contains(pair.a), showsB = !looks_.hidden.contains(pair.b);
      for (const SurfacePair& surfaces : pair.report.surfacePairs) {
        if (showsA) wanted.push_back({{pair.a, surfaces.a}, pair.needsAction(), 0});
        if (showsB) wanted.push_back({{pair.b, surfaces.b}, pair.needsAction(), 0});
      }
      if (const auto contained = containedPart(session_->assembly(), pair)) {
        const NodeId inner = contained->inner;
        if (looks_.hidden.contains(inner)) continue;
        const std::size_t count = session_->assembly().meshOf(inner).surfaces().size();
        for (std::uint32_t s = 0; s < count; ++s) wanted.push_back({{inner, SurfaceId{s}}, true, 0});
      }
    }
  // Among the entries of a surface, the one that needs action comes first.
  std::ranges::sort(wanted, [](const Lit& x, const Lit& y) {
    return x.surface != y.surface ? x.surface < y.surface : x.action > y.action;
  });
  const auto same = std::ranges::unique(wanted, {}, &Lit::surface);
  wanted.erase(same.begin(), same.end());
  // Both lists are sorted by surface, and what is already highlighted stays.
  auto old = lit_.begin();
  for (Lit& next : wanted) {
    for (; old != lit_.end() && old->surface < next.surface; ++old) highlight_->hide(old->id);
    if (old != lit_.end() && old->surface == next.surface) {
      if (old->action == next.action)
        next.id = old->id;
      else
        highlight_->hide(old->id);
      ++old;
    }
    if (next.id == 0)
      next.id =
          showSurface(*highlight_, paths_.at(next.surface.first), next.surface.second,
                      next.action ? actionStyle : contactStyle, next.action ? actionOffset : highlightOffset);
  }
  for (; old != lit_.end(); ++old) highlight_->hide(old->id);
  lit_ = std::move(wanted);

  const bool action = !marked_.empty() || std::ranges::any_of(lit_, &Lit::action),
             contact = !std::ranges::all_of(lit_, &Lit::action);
  if (action == litAction_ && contact == litContact_) return;
  litAction_ = action;
  litContact_ = contact;
  applyLooks();
}

void ScenePresenter::showContactMap(const ContactMap* map) { contacts_.show(map, paths_, looks_.hidden); }

bool ScenePresenter::showPreselected(const std::optional<Pick>& pick) {
  if (!pick && !preselected_) return false;
  if (pick && preselected_ && pick->isSameSurface(*preselected_)) return false;
  if (preselectedId_ != 0) highlight_->hide(preselectedId_);
  preselectedId_ = 0;
  preselected_ = pick;
  caps_.setLit(pick && !pick->surface ? std::optional(pick->instance) : std::nullopt);
  if (pick && pick->surface)
    preselectedId_ =
        showSurface(*highlight_, paths_.at(pick->instance), *pick->surface, preselectedStyle, cursorOffset);
  return true;
}

void ScenePresenter::showChosen(const std::optional<Finding>& finding) {
  for (const auto id : chosen_) highlight_->hide(id);
  chosen_.clear();
  if (!finding) return;
  if (looks_.marksFaces && finding->surfaces) {
    markFace(finding->a, finding->surfaces->a, true);
    markFace(finding->b, finding->surfaces->b, false);
    return;
  }
  std::vector<SurfaceKey> keys;
  if (finding->surfaces) {
    keys = {{finding->a, finding->surfaces->a}, {finding->b, finding->surfaces->b}};
  } else {
    const auto contained = containedPart(session_->assembly(), *finding);
    for (const NodeId node : finding->instances()) {
      if (contained && node == contained->outer) continue;  // it would cover the inner part
      for (std::uint32_t s = 0; s < session_->assembly().meshOf(node).surfaces().size(); ++s)
        keys.emplace_back(node, SurfaceId{s});
    }
  }
  for (const auto& [node, surface] : keys)
    if (!looks_.hidden.contains(node))
      chosen_.push_back(showSurface(*highlight_, paths_.at(node), surface, chosenStyle));
}

/// Paints a face and draws its border, which both shine through what hides them.
void ScenePresenter::markFace(NodeId node, SurfaceId surface, bool isFirst) {
  if (looks_.hidden.contains(node)) return;
  osgFitup::HighlightStyle face{isFirst ? firstColour : secondColour};
  const float offset = isFirst ? highlightOffset : secondMarkOffset;
  chosen_.push_back(showSurface(*highlight_, paths_.at(node), surface, face, offset));
  face.inFront = true;
  face.colour.a() = 0.25F;
  chosen_.push_back(showSurface(*highlight_, paths_.at(node), surface, face, offset));
  const TriangleMesh& mesh = session_->assembly().meshOf(node);
  const Transform world = session_->scene().worldFromPart(node, placed_);
  std::vector<IntersectionLine> border;
  for (const auto& [from, to] : borderOf(mesh, surface)) {
    IntersectionLine& line = border.emplace_back();
    line.common.count = 2;
    line.common.points[0] = world.apply(mesh.pointInPart(from));
    line.common.points[1] = world.apply(mesh.pointInPart(to));
  }
  if (border.empty()) return;
  osgFitup::HighlightStyle style = isFirst ? firstBorderStyle : secondBorderStyle;
  style.lineWidth = 2.5F * pixelRatio_;
  for (const auto id : showLinesThrough(*highlight_, border, style)) chosen_.push_back(id);
}

void ScenePresenter::showMarks(const std::vector<MarkedPair>& pairs) {
  const bool isChosen = looks_.finding.has_value();
  marks_.show(pairs, {isChosen, (isChosen ? 3 : 2) * pixelRatio_, looks_.hidden});
  marked_.clear();
  for (const MarkedPair& pair : pairs) marked_.insert(pair.instances);
}

void ScenePresenter::showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face) {
  if (faceId_ != 0) highlight_->hide(faceId_);
  faceId_ = 0;
  if (face && !looks_.hidden.contains(face->first))
    faceId_ = showSurface(*highlight_, paths_.at(face->first), face->second, faceStyle);
}

void ScenePresenter::setPixelRatio(double ratio) {
  pixelRatio_ = static_cast<float>(ratio);
  makeEdgeLooks();
  caps_.setPixelRatio(pixelRatio_);
  osg::StateSet* state = overlay_->getOrCreateStateSet();
  state->setAttribute(new osg::LineWidth(overlayLineWidth * pixelRatio_), osg::StateAttribute::OVERRIDE);
  state->setAttribute(new osg::Point(overlayPointSize * pixelRatio_), osg::StateAttribute::OVERRIDE);
}

void ScenePresenter::makeEdgeLooks() {
  // Opaque faces are behind edges in the other modes, whatever the background is.
  const bool isLight = isDark_ && (mode_ == DisplayMode::wireframe || mode_ == DisplayMode::transparent);
  edges_ =
      edgeLook(isLight ? osg::Vec4(0.82F, 0.85F, 0.89F, 1) : osg::Vec4(0.1F, 0.11F, 0.13F, 1), pixelRatio_);
  edgesOnDark_ = edgeLook({0.46F, 0.48F, 0.52F, 1}, pixelRatio_);
  ghostEdges_ = edgeLook(isDark_ ? osg::Vec4(0.7F, 0.75F, 0.8F, 0.3F) : osg::Vec4(0.35F, 0.4F, 0.45F, 0.3F),
                         pixelRatio_);
  selectedEdges_ =
      edgeLook(isLight ? osg::Vec4(0.3F, 0.6F, 1, 1) : osg::Vec4(0.02F, 0.3F, 0.85F, 1), 2 * pixelRatio_);
  applyLooks();
}

void ScenePresenter::setDark(bool dark) {
  if (dark == isDark_) return;
  isDark_ = dark;
  makeEdgeLooks();
}

void ScenePresenter::showMeasured(NodeId instance, std::span<const SurfaceId> surfaces) {
  for (const auto id : measured_) highlight_->hide(id);
  measured_.clear();
  for (const SurfaceId surface : surfaces)
    measured_.push_back(showSurface(*highlight_, paths_.at(instance), surface, measuredStyle));
}

void ScenePresenter::showBoxes(const std::set<NodeId>& instances,
                               const std::function<std::vector<LevelBox>(NodeId)>& boxesOf) {
  for (const auto id : boxes_) highlight_->hide(id);
  boxes_.clear();
  osgFitup::HighlightStyle style = boxStyle;
  style.lineWidth *= pixelRatio_;
  for (const NodeId node : instances)
    if (const auto path = paths_.find(node); path != paths_.end() && !looks_.hidden.contains(node))
      boxes_.push_back(highlight_->showBoxes(path->second, boxesOf(node), style));
}

void ScenePresenter::showHolding(std::span<const SlideHold> holding) {
  for (const auto id : holding_) highlight_->hide(id);
  holding_.clear();
  std::set<SurfaceKey> faces;
  for (const SlideHold& hold : holding) {
    faces.emplace(hold.a, hold.surfaces.a);
    faces.emplace(hold.b, hold.surfaces.b);
  }
  for (const auto& [node, surface] : faces)
    if (!looks_.hidden.contains(node))
      holding_.push_back(showSurface(*highlight_, paths_.at(node), surface, holdStyle));
}

void ScenePresenter::showMate(const MateSuggestion* mate) {
  for (const auto id : mate_) highlight_->hide(id);
  mate_.clear();
  mateOutline_->removeChildren(0, mateOutline_->getNumChildren());
  if (mate == nullptr) return;
  if (looks_.hidden.contains(mate->moved) || looks_.hidden.contains(mate->fixed)) return;
  mateOutline_->addChild(outlineOf(*mate, session_->scene(), placed_));
  const auto light = [&](NodeId node, const std::vector<SurfaceId>& surfaces) {
    for (const SurfaceId surface : surfaces)
      mate_.push_back(showSurface(*highlight_, paths_.at(node), surface, mateStyle));
  };
  light(mate->moved, mate->movedSurfaces);
  light(mate->fixed, mate->fixedSurfaces);
}

void ScenePresenter::setSections(std::span<const SectionPlane> planes) {
  if (std::ranges::equal(planes, planes_)) return;
  planes_.assign(planes.begin(), planes.end());
  while (section_->getNumClipPlanes() > 0) section_->removeClipPlane(0U);
  const double margin = capMargin();
  unsigned number = 0;
  for (const SectionPlane& plane : planes_) {
    if (!plane.enabled) continue;
    const Vec3& n = plane.normal;
    section_->addClipPlane(new osg::ClipPlane(number++, -n.x, -n.y, -n.z, plane.offset - margin));
  }
}

void ScenePresenter::showCaps(const std::optional<double>& tolerance) {
  if (session_ == nullptr) return;
  caps_.show(*session_, {planes_, placed_, looks_.hidden, tolerance, looks_.own},
             {looks_.selected, looks_.ghosted, {}});
}

/// Faces in a section plane would compete with its caps: they are cut off by so much, and are not picked.
double ScenePresenter::capMargin() const { return scene_ ? 1e-5 * scene_->getBound().radius() : 0; }

std::optional<Pick> ScenePresenter::pickOf(NodeId node, const Shown& entry, const Ray& ray,
                                           double reach) const {
  const auto model = entry.node->getCollisionModel();
  const auto pickAt = [&](const RayHit& hit) {
    return Pick{node, model->mesh().surfaceOf(hit.triangle), ray.at(hit.at), hit.at};
  };
  try {
    const PlacedTree tree = PlacedTree::inWorld(model, session_->scene().worldFromPart(node, placed_));
    const fitup::Ray part{ray.from, ray.direction, reach};
    if (std::ranges::none_of(planes_, &SectionPlane::enabled)) {
      const auto hit = tree.castRay(part);
      return hit ? std::optional(pickAt(*hit)) : std::nullopt;
    }
    for (const RayHit& hit : tree.allHits(part))
      if (!isCutAway(planes_, ray.at(hit.at))) return pickAt(hit);
  } catch (const Error&) {
    // A part that is too far away for exact tests cannot be picked.
  }
  return std::nullopt;
}

std::optional<Pick> ScenePresenter::pick(const Ray& ray, PickFrom from) const {
  std::optional<Pick> nearest;
  double reach = std::numeric_limits<double>::infinity();
  if (const auto cap = caps_.pick(ray)) {
    reach = std::max(0.0, cap->distance - capMargin());
    nearest = Pick{cap->instance, std::nullopt, cap->point, cap->distance};
  }
  for (const auto& [node, entry] : shown_) {
    if (looks_.hidden.contains(node)) continue;
    if (from == PickFrom::solidParts && entry.look == ghostLook_) continue;
    const Box box = session_->scene().worldBounds(node, placed_);
    if (box.empty()) continue;
    const Vec3 way = box.centre() - ray.from;
    if (norm(cross(way, ray.direction)) > norm(box.halfExtent())) continue;
    if (const auto found = pickOf(node, entry, ray, reach)) {
      nearest = found;
      reach = found->distance;
    }
  }
  return nearest;
}

}  // namespace fitup::viewer
