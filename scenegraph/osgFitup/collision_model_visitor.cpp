#include <osgFitup/collision_model_visitor.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <osg/Geometry>
#include <osg/ValueObject>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/model_review.h>
#include <osgFitup/detail/part_collector.h>
#include <osgFitup/detail/part_contents.h>
#include <osgFitup/detail/primitive_restart.h>

namespace osgFitup {
namespace {

using detail::CollectedPart;
using detail::DrawableTriangles;
using detail::PartDrawable;
using fitup::ImportWarning;

constexpr const char* markName = "osgFitup.part";

/// A built model: what the parts that share it have in common.
struct Built {
  std::shared_ptr<const fitup::CollisionModel> model;
  std::vector<std::size_t> surfaces;  ///< the index of each surface's drawable
  SurfaceDivision division;
  std::vector<ImportWarning> warnings;
  std::size_t pointsAndLines = 0;
};

std::string countText(std::size_t n, const std::string& problem) {
  return std::to_string(n) + (n == 1 ? " primitive" : " primitives") + " left out: " + problem;
}

/// Adds warnings about what the triangles of a drawable lack.
void describe(const PartDrawable& from, const DrawableTriangles& found,
              std::vector<ImportWarning>& warnings) {
  const auto say = [&](const std::string& message) { warnings.push_back({from.pathText, message, true}); };
  if (found.outOfRange > 0) say(countText(found.outOfRange, "vertices that do not exist"));
  if (found.notFinite > 0) say(countText(found.notFinite, "vertices that are not finite, or above 2^100"));
  if (found.unknownPrimitives > 0)
    say(std::to_string(found.unknownPrimitives) + " primitive sets left out: unknown mode");
  const osg::Geometry* geometry = from.drawable->asGeometry();
  if (const std::size_t copies = detail::copiesByShader(*from.drawable);
      copies > 0 && !found.triangles.empty())
    say("its " + std::to_string(copies) +
        " copies are placed by a shader; only one of them is checked, at its place without the shader");
  if (!found.points.empty()) return;
  if (detail::isShapedWhileShown(*from.drawable))
    say("left out: it gets its shape from an animation that has not started");
  else if (const osgText::Text3D* const text = detail::solidTextOf(*from.drawable)) {
    if (detail::isDrawn(*text)) say(detail::noSolidLetters);
  } else if (geometry == nullptr)
    say("left out: the drawable does not report its triangles");
  else if (const osg::Array* vertices = detail::vertexArrayOf(*geometry);
           vertices != nullptr && vertices->getNumElements() > 0 && geometry->getNumPrimitiveSets() > 0)
    say("left out: its vertices are neither floats nor doubles");
}

/// Transforms the vertices to the part's frame and leaves out triangles that are out of range there.
void place(const fitup::Transform& partFromDrawable, DrawableTriangles& triangles) {
  if (partFromDrawable == fitup::Transform{}) return;
  for (fitup::Vec3& point : triangles.points) point = partFromDrawable.apply(point);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.triangles.size(); ++t) {
    const fitup::TriangleIndices corners = triangles.triangles[t];
    if (!std::all_of(corners.begin(), corners.end(),
                     [&](std::uint32_t c) { return detail::isUsable(triangles.points[c]); })) {
      ++triangles.notFinite;
      continue;
    }
    triangles.triangles[kept] = corners;
    triangles.primitives[kept++] = triangles.primitives[t];
  }
  triangles.triangles.resize(kept);
  triangles.primitives.resize(kept);
}

/// Whether a drawable has other triangles where its part is below other nodes.
bool dependsOnPlace(const std::vector<detail::PrimitiveRestart>& places, const CollectedPart& part,
                    const PartDrawable& drawable, const DrawableTriangles& found) {
  if (places.size() < 2) return false;
  const osg::NodePath path = detail::nodesAlong(*part.node, drawable.path);
  return std::any_of(places.begin(), places.end(), [&](detail::PrimitiveRestart restart) {
    for (const osg::Node* node : path)
      if (node->asDrawable() == nullptr) restart.apply(node->getStateSet());
    return detail::trianglesOf(*drawable.drawable, restart).triangles != found.triangles;
  });
}

/// Builds one or more surfaces for each drawable that has triangles.
Built build(const CollectedPart& part, const fitup::BuildOptions& options, const SurfaceDivision& division,
            const fitup::WorkMeter& meter) {
  Built built;
  built.division = division;
  const std::vector<detail::PrimitiveRestart> places = detail::restartsAbove(*part.node);
  fitup::TriangleMeshBuilder builder(part.name.empty() ? "part" : part.name);
  for (std::size_t i = 0; i < part.drawables.size(); ++i) {
    const PartDrawable& from = part.drawables[i];
    meter.poll();
    DrawableTriangles found =
        detail::trianglesOf(*from.drawable, detail::restartAlong(detail::nodesAlong(*part.node, from.path)));
    if (dependsOnPlace(places, part, from, found))
      built.warnings.push_back({from.pathText,
                                "has different primitive restart indices at different places in the scene; "
                                "it is checked with the first one",
                                true});
    place(from.partFromDrawable, found);
    built.pointsAndLines += found.pointsAndLines;
    describe(from, found, built.warnings);
    if (found.triangles.empty()) continue;
    const std::vector<std::uint32_t> labels = detail::surfacesWithin(*from.drawable, found, division);
    std::vector<std::vector<std::size_t>> surfaces(*std::max_element(labels.begin(), labels.end()) +
                                                   std::size_t{1});
    for (std::size_t t = 0; t < labels.size(); ++t) surfaces[labels[t]].push_back(t);
    // Vertices that no triangle uses may have any coordinates.
    constexpr std::uint32_t unused = ~0U;
    std::vector<std::uint32_t> points(found.points.size(), unused);
    for (const std::vector<std::size_t>& surface : surfaces) {
      built.surfaces.push_back(i);
      builder.beginSurface(from.name, from.colour);
      for (const std::size_t t : surface) {
        fitup::TriangleIndices corners = found.triangles[t];
        for (std::uint32_t& corner : corners) {
          std::uint32_t& point = points[corner];
          if (point == unused) point = builder.addPoint(found.points[corner]);
          corner = point;
        }
        builder.addTriangle(corners[0], corners[1], corners[2], found.primitives[t]);
      }
    }
  }
  if (!built.surfaces.empty())
    built.model = fitup::CollisionModel::build(std::make_shared<const fitup::TriangleMesh>(builder.build()),
                                               options, meter);
  return built;
}

/// The key by which parts share a model.
struct ContentKey {
  struct Shown {
    const osg::Drawable* drawable;
    std::array<double, 16> placeAndColour;
    detail::PrimitiveRestart restart;
    friend auto operator<=>(const Shown&, const Shown&) = default;
  };
  std::vector<Shown> drawables;
  fitup::SceneSurfaces surfaces;
  double angleDegrees;
  friend auto operator<=>(const ContentKey&, const ContentKey&) = default;
};

ContentKey contentKey(const CollectedPart& part, const SurfaceDivision& division) {
  ContentKey key{{}, division.surfaces, division.angleDegrees};
  for (const PartDrawable& d : part.drawables) {
    const auto& f = d.partFromDrawable;
    const fitup::Colour c = d.colour.value_or(fitup::Colour{-1, -1, -1, -1});
    key.drawables.push_back({d.drawable,
                             {f.m[0][0], f.m[0][1], f.m[0][2], f.m[1][0], f.m[1][1], f.m[1][2], f.m[2][0],
                              f.m[2][1], f.m[2][2], f.t.x, f.t.y, f.t.z, c.red, c.green, c.blue, c.alpha},
                             detail::restartAlong(detail::nodesAlong(*part.node, d.path))});
  }
  return key;
}

/// The division that the visitor requests, or otherwise that of the node's model.
SurfaceDivision divisionFor(const osg::Node& node, const std::optional<SurfaceDivision>& asked) {
  if (asked) return *asked;
  const PartModel* const model = partModelOf(node);
  return model != nullptr && model->getContents() ? model->getContents()->division.value_or(SurfaceDivision{})
                                                  : SurfaceDivision{};
}

std::vector<ChildPath> surfacePaths(const CollectedPart& part, const Built& built) {
  std::vector<ChildPath> paths;
  for (const std::size_t i : built.surfaces) paths.push_back(part.drawables[i].path);
  return paths;
}

/// Returns the parts that no longer show the drawables that their model was built from, or whose surfaces are
/// not divided as requested.
detail::PartCollector::Nodes staleOf(const std::vector<CollectedPart>& parts, detail::ModelReview& review,
                                     const std::optional<SurfaceDivision>& asked) {
  detail::PartCollector::Nodes stale;
  for (const CollectedPart& part : parts) {
    if (!part.keepsModel) continue;
    const PartModel* model = partModelOf(*part.node);
    if (model == nullptr || model->getCollisionModel() == nullptr ||
        model->getPrimitiveNumbering() != PrimitiveNumbering::fromSource)
      continue;
    if (review.look(*part.node) != detail::ModelFit::fits ||
        !detail::isDividedBy(*partModelOf(*part.node), asked))
      stale.insert(part.node);
  }
  return stale;
}

}  // namespace

void markAsPart(osg::Node& node, bool isPart) { node.setUserValue(markName, isPart); }

bool isMarkedAsPart(const osg::Node& node) {
  bool marked = false;
  return node.getUserDataContainer() != nullptr && node.getUserValue(markName, marked) && marked;
}

CollisionModelVisitor::CollisionModelVisitor() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}

/// Models for parts, made before any node is given one.
struct CollisionModelVisitor::Plan {
  std::unique_ptr<detail::PartCollector> collector;
  std::map<ContentKey, Built> built;
  /// The collector's parts that need a model, with the model.
  std::vector<std::pair<const CollectedPart*, const Built*>> wanting;

  void collect(osg::Node& node, const osg::NodeVisitor& masks, bool keepModels,
               const detail::PartCollector::Nodes& stale) {
    wanting.clear();
    collector = std::make_unique<detail::PartCollector>(masks, keepModels, stale);
    collector->collect(node);
  }
  /// Which nodes without a model will get one, and which will lose theirs.
  [[nodiscard]] detail::ModelsToBe changes() const {
    detail::ModelsToBe changes;
    for (const auto& [part, b] : wanting)
      if (const bool gets = b->model != nullptr; gets != (partModelOf(*part->node) != nullptr))
        changes.emplace(part->node, gets);
    return changes;
  }
};

/// Builds the models that the plan's parts need and that are not yet built. Returns false if cancelled.
bool CollisionModelVisitor::buildMissing(Plan& plan) {
  std::vector<std::pair<const CollectedPart*, Built*>> missing;
  for (const CollectedPart& part : plan.collector->parts) {
    if (part.keepsModel) continue;
    const SurfaceDivision division = divisionFor(*part.node, division_);
    const auto [found, isNew] = plan.built.try_emplace(contentKey(part, division));
    found->second.division = division;
    if (isNew) missing.emplace_back(&part, &found->second);
    plan.wanting.emplace_back(&part, &found->second);
  }
  std::atomic<std::size_t> done{0};
  const fitup::WorkMeter meter(progress_);
  const auto buildOne = [&](std::size_t i, unsigned) {
    meter.poll();
    Built& built = *missing[i].second;
    built = build(*missing[i].first, options_, SurfaceDivision(built.division), meter);
    progress_.report("building hierarchies",
                     static_cast<double>(++done) / static_cast<double>(missing.size()));
  };
  try {
    fitup::parallelFor(missing.size(), threads_, buildOne);
  } catch (const fitup::CancelledError&) {
    return false;
  }
  return !progress_.cancelled();
}

/// A node that becomes a part takes drawables from the parts that showed them before. The models of these are
/// then rebuilt too, which may end further parts. Each round finds at least one more stale part, so the loop
/// ends.
CollisionModelVisitor::Plan CollisionModelVisitor::planFor(osg::Node& node) {
  const detail::NodeMasks masks{getTraversalMask(), getNodeMaskOverride()};
  Plan plan;
  plan.collect(node, *this, !rebuild_, {});
  detail::PartCollector::Nodes stale;
  if (!rebuild_) {
    detail::ModelReview review(masks);
    stale = staleOf(plan.collector->parts, review, division_);
    if (!stale.empty()) plan.collect(node, *this, true, stale);
  }
  while (true) {
    cancelled_ = !buildMissing(plan);
    if (cancelled_ || rebuild_) return plan;
    const detail::ModelsToBe changes = plan.changes();
    if (changes.empty()) return plan;
    detail::ModelReview review(masks, &changes);
    detail::PartCollector::Nodes more = staleOf(plan.collector->parts, review, division_);
    if (more.empty()) return plan;
    stale.merge(more);
    plan.collect(node, *this, true, stale);
  }
}

/// Nodes that share a model mostly agree in what it was built from, except for drawables without triangles.
void CollisionModelVisitor::rememberContents(osg::Node& node, PartModel& model,
                                             const SurfaceDivision& division) const {
  auto contents = std::make_shared<detail::PartContents>(
      detail::contentsOf(node, model, {getTraversalMask(), getNodeMaskOverride()}));
  contents->division = division;
  if (!model.getContents()) return model.setContents(std::move(contents));
  if (detail::compareContents(node, *model.getContents()).isSame) return;
  const osg::ref_ptr<PartModel> own = new PartModel(model);
  own->setContents(std::move(contents));
  setPartModel(node, own);
}

void CollisionModelVisitor::apply(osg::Node& node) {
  parts_.clear();
  builtModels_ = pointsAndLines_ = 0;
  const Plan plan = planFor(node);
  detail::PartCollector& collector = *plan.collector;
  warnings_ = std::move(collector.warnings);
  if (cancelled_) return;

  // Each once, in the order of their first parts.
  std::set<const Built*> said;
  for (const auto& [part, b] : plan.wanting) {
    if (!said.insert(b).second) continue;
    detail::addWarnings(b->warnings, warnings_);
    pointsAndLines_ += b->pointsAndLines;
    if (b->model) ++builtModels_;
  }
  for (osg::Node* node : collector.outdated) setPartModel(*node, nullptr);
  // Parts whose drawables are in the same places share everything, so that files keep them together too.
  std::map<std::pair<const Built*, std::vector<ChildPath>>, osg::ref_ptr<PartModel>> partModels;
  for (const auto& [part, b] : plan.wanting) {
    if (!b->model) {
      setPartModel(*part->node, nullptr);
      continue;
    }
    osg::ref_ptr<PartModel>& model = partModels[{b, surfacePaths(*part, *b)}];
    if (!model) {
      model = new PartModel(b->model, surfacePaths(*part, *b), PrimitiveNumbering::fromSource, b->warnings);
      std::vector<VertexVersion> versions;
      for (const std::size_t i : b->surfaces) versions.push_back(versionOf(*part->drawables[i].drawable));
      model->setVertexVersions(std::move(versions));
      model->setSaved(saved_);
    }
    setPartModel(*part->node, model);
  }
  // After all parts have their models, because these decide about parts within parts.
  for (const auto& [part, b] : plan.wanting)
    if (PartModel* model = partModelOf(*part->node)) rememberContents(*part->node, *model, b->division);
  for (const CollectedPart& part : collector.parts)
    if (PartModel* model = partModelOf(*part.node)) {
      if (saved_) {
        model->setSaved(true);
        setPartModel(*part.node, model);
      }
      parts_.emplace_back(part.node);
      detail::addWarnings(model->getWarnings(), warnings_);
    }
}

}  // namespace osgFitup
