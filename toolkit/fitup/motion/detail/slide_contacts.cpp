#include <fitup/motion/detail/slide_contacts.h>

#include <algorithm>
#include <unordered_map>

#include <fitup/motion/detail/rigid_path.h>

namespace fitup::detail {
namespace {

/// Of t: what is left between the aim and the limit, for errors of second order of a step and for the
/// accuracy of depths. With half of t or less, depths at the aim are just those that the guard asks about,
/// and its searches take several times as long.
constexpr double shareKept = 0.7;
/// Of t: the part of that which a step may use. The guard stops a pair a resolution, at most a quarter of t,
/// before its limit.
constexpr double shareOfStep = 0.15;
/// In resolutions of the guard: what a pair that must not touch keeps beyond its limit.
constexpr double resolutionsKept = 8;

}  // namespace

SlideContacts::SlideContacts(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
                             const RigidMotion& start, const Poses& reference, DragGuard& guard)
    : scene_(scene), guard_(guard), start_(start), reference_(reference) {
  std::unordered_map<NodeId, std::uint32_t> positions;
  for (const NodeId node : scene.instances()) {
    const bool moves = std::ranges::find(dragged, node) != dragged.end();
    std::vector<PlacedInstance>& list = moves ? moved_ : rest_;
    positions[node] = static_cast<std::uint32_t>(list.size());
    list.push_back(placedInstance(scene.assembly(), node, scene.worldFromPart(node, poses)));
    if (moves && !list.back().worldBox.empty())
      for (const Vec3& corner : cornersInWorld(scene.modelOf(node).mesh(), list.back().worldFromPart))
        corners_.push_back(corner);
  }
  restPlaced_.resize(rest_.size());
  for (const auto& [a, b] : guard.pairs()) pairs_.push_back({positions.at(a), positions.at(b)});
}

const ContactPart& SlideContacts::partOf(NodeId instance) const {
  const PartId part = scene_.assembly().partOf(instance);
  std::unique_ptr<const ContactPart>& made = parts_[part];
  if (!made) made = std::make_unique<const ContactPart>(scene_.solid(part));
  return *made;
}

const PlacedContactPart& SlideContacts::resting(std::uint32_t i) {
  std::unique_ptr<const PlacedContactPart>& placed = restPlaced_[i];
  if (!placed)
    placed = std::make_unique<const PlacedContactPart>(partOf(rest_[i].node), rest_[i].worldFromPart);
  return *placed;
}

std::vector<Triangle> SlideContacts::triangles() const {
  std::vector<Triangle> all;
  for (const PlacedInstance& p : moved_) {
    const PlacedContactPart placed(partOf(p.node), p.worldFromPart);
    for (std::uint32_t i = 0; i < placed.part().solid().mesh().triangleCount(); ++i)
      all.push_back(placed.triangle(TriangleId{i}));
  }
  return all;
}

SurfaceId SlideContacts::surfaceOf(NodeId instance, TriangleId triangle) const {
  return partOf(instance).solid().mesh().surfaceOf(triangle);
}

void SlideContacts::findOverlaps(Pair& pair, double deepest) {
  pair.isKnown = true;
  const NodeId a = moved_[pair.moved].node, b = rest_[pair.rest].node;
  const auto look = [&](const Transform& ofA, const Transform& ofB) {
    const PlacedContactPart placedA(partOf(a), ofA), placedB(partOf(b), ofB);
    for (const ContactRow& row : contactRows(placedA, placedB, {0, deepest})) {
      double& overlap = row.isExact ? pair.exactOverlap : pair.overlap;
      overlap = std::max(overlap, -row.gap);
    }
  };
  look(scene_.worldFromPart(a, reference_), scene_.worldFromPart(b, reference_));
  look(start_.transform() * moved_[pair.moved].worldFromPart, rest_[pair.rest].worldFromPart);
}

std::vector<SlideRow> SlideContacts::at(const RigidMotion& pose, double reach, double mostOver) {
  std::vector<SlideRow> rows;
  std::vector<std::optional<PlacedInstance>> instances(moved_.size());
  std::vector<std::unique_ptr<const PlacedContactPart>> placed(moved_.size());
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
    Pair& pair = pairs_[k];
    std::optional<PlacedInstance>& instance = instances[pair.moved];
    if (!instance)
      instance = placedInstance(scene_.assembly(), moved_[pair.moved].node,
                                pose.transform() * moved_[pair.moved].worldFromPart);
    if (boxDistance(*instance, rest_[pair.rest]) > reach) continue;
    const DragLimit limit = guard_.limitOf(k);
    if (limit.isFree) continue;
    const double deepest = limit.depth.value_or(0);
    if (!pair.isKnown) findOverlaps(pair, deepest);
    if (!placed[pair.moved])
      placed[pair.moved] =
          std::make_unique<const PlacedContactPart>(partOf(instance->node), instance->worldFromPart);
    const double kept = resolutionsKept * limit.resolution;
    for (const ContactRow& contact : contactRows(*placed[pair.moved], resting(pair.rest), {reach, deepest})) {
      SlideRow row{contact, k};
      if (limit.depth) {
        const double allowed = contact.isExact ? limit.tolerance : deepest;
        row.aim = -std::max(allowed - shareKept * limit.tolerance,
                            contact.isExact ? pair.exactOverlap : pair.overlap);
        row.reserve = shareOfStep * limit.tolerance;
      } else {
        row.aim = limit.distance + kept;
        row.reserve = 0.5 * kept;
      }
      if (-row.slack() <= mostOver) rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace fitup::detail
