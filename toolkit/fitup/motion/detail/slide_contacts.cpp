#include <fitup/motion/detail/slide_contacts.h>

#include <algorithm>
#include <unordered_map>

#include <fitup/motion/detail/rigid_path.h>
#include <fitup/query/nearness.h>
#include <fitup/query/penetration.h>

namespace fitup::detail {
namespace {

using Faces = PlacedContactPart::Faces;

/// Of t: what is left between the aim and the limit, for errors of second order of a step and for the
/// accuracy of depths. With half of t or less, depths at the aim are just those that the guard asks about,
/// and its searches take several times as long.
constexpr double shareKept = 0.7;
/// Of t: the part of that which a step may use. The guard stops a pair a resolution, at most a quarter of t,
/// before its limit.
constexpr double shareOfStep = 0.15;
/// The depth of a crossing of two edges, in depths of the pair: where edges of right angles cross, the points
/// of one are nearer to the faces of the other than to its edge, by a factor of the root of 2. Sharper edges
/// are deeper still.
constexpr double overlapsPerDepth = 2.5;
/// In resolutions of the guard: what a pair that must not touch keeps beyond its limit at least.
constexpr double resolutionsKept = 64;

}  // namespace

SlideContacts::SlideContacts(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
                             const RigidMotion& start, const DragOptions& options, DragGuard& guard)
    : scene_(scene),
      guard_(guard),
      start_(start),
      reference_(options.reference.value_or(Poses{})),
      clearance_(options.clearance) {
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

SlideContacts::Placed& SlideContacts::resting(std::uint32_t i) {
  std::unique_ptr<Placed>& placed = restPlaced_[i];
  if (!placed) placed = std::make_unique<Placed>(partOf(rest_[i].node), rest_[i].worldFromPart);
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

void SlideContacts::prepare(Pair& pair, const DragLimit& limit) {
  pair.isKnown = true;
  const NodeId a = moved_[pair.moved].node, b = rest_[pair.rest].node;
  const ContactPart &partA = partOf(a), &partB = partOf(b);
  const auto look = [&](const Transform& ofA, const Transform& ofB) {
    Placed placedA(partA, ofA), placedB(partB, ofB);
    for (const Faces faces : {Faces::exact, Faces::triangles})
      for (const ContactRow& row : contactRows(placedA.as(faces), placedB.as(faces), reachOf(0, limit))) {
        double& overlap = row.isExact ? pair.exactOverlap : pair.overlap;
        overlap = std::max(overlap, -row.gap);
      }
  };
  look(scene_.worldFromPart(a, reference_), scene_.worldFromPart(b, reference_));
  look(start_.transform() * moved_[pair.moved].worldFromPart, rest_[pair.rest].worldFromPart);
  // Where exact faces overlap by their aim, the triangles overlap by their chord errors more.
  if (!limit.depth || !(partA.hasRoundFaces() || partB.hasRoundFaces())) return;
  const double errors = largestChordError(scene_.posed(a)) + largestChordError(scene_.posed(b)),
               aim = std::max((1 - shareKept) * limit.tolerance, pair.exactOverlap);
  pair.needsTriangles = aim + errors > *limit.depth - shareKept * limit.tolerance;
}

std::vector<SlideRow> SlideContacts::at(const RigidMotion& pose, double reach, double mostOver) {
  std::vector<SlideRow> rows;
  std::vector<std::optional<PlacedInstance>> instances(moved_.size());
  std::vector<std::unique_ptr<Placed>> placed(moved_.size());
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
    Pair& pair = pairs_[k];
    std::optional<PlacedInstance>& instance = instances[pair.moved];
    if (!instance)
      instance = placedInstance(scene_.assembly(), moved_[pair.moved].node,
                                pose.transform() * moved_[pair.moved].worldFromPart);
    if (boxDistance(*instance, rest_[pair.rest]) > reach + clearance_) continue;
    const DragLimit limit = guard_.limitOf(k);
    if (limit.isFree) continue;
    if (!pair.isKnown) prepare(pair, limit);
    std::unique_ptr<Placed>& moved = placed[pair.moved];
    if (!moved) moved = std::make_unique<Placed>(partOf(instance->node), instance->worldFromPart);
    for (const Faces faces : {Faces::exact, Faces::triangles}) {
      if (faces == Faces::triangles && !pair.needsTriangles) break;
      for (const ContactRow& contact :
           contactRows(moved->as(faces), resting(pair.rest).as(faces), reachOf(reach, limit))) {
        const SlideRow row = rowOf(contact, k, limit);
        if (-row.slack() <= mostOver) rows.push_back(row);
      }
    }
  }
  return rows;
}

ContactReach SlideContacts::reachOf(double gap, const DragLimit& limit) const {
  return {gap + limit.distance, overlapsPerDepth * limit.depth.value_or(0)};
}

std::optional<SlideRow> SlideContacts::deepest(NodeId moved, NodeId resting, const RigidMotion& pose) {
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
    const PlacedInstance &a = moved_[pairs_[k].moved], &b = rest_[pairs_[k].rest];
    if (a.node != moved || b.node != resting) continue;
    const DragLimit limit = guard_.limitOf(k);
    if (!limit.depth) return std::nullopt;
    const PosedSolid first{scene_.solid(scene_.assembly().partOf(a.node)),
                           pose.transform() * a.worldFromPart},
        second{scene_.solid(scene_.assembly().partOf(b.node)), b.worldFromPart};
    PenetrationRequest request;
    request.deeperThan = *limit.depth - shareKept * limit.tolerance;
    request.enclosedCores = false;
    const PenetrationReport report = penetration(first, second, request);
    if (report.regions.empty()) return std::nullopt;
    const PenetrationRegion& region = report.regions.front();
    const Vec3 out = region.pointOfFirst ? region.direction : -region.direction;
    return rowOf(
        {region.point, out, -region.depth, false,
         TriangleId{first.solid->partModel()->mesh().surfaces()[index(region.deepest.a)].firstTriangle},
         TriangleId{second.solid->partModel()->mesh().surfaces()[index(region.deepest.b)].firstTriangle}},
        k, limit);
  }
  return std::nullopt;
}

SlideRow SlideContacts::rowOf(const ContactRow& contact, std::uint32_t k, const DragLimit& limit) const {
  SlideRow row{contact, k};
  if (limit.depth) {
    const double allowed = contact.isExact ? limit.tolerance : *limit.depth;
    row.aim = -std::max(allowed - shareKept * limit.tolerance,
                        contact.isExact ? pairs_[k].exactOverlap : pairs_[k].overlap);
    row.reserve = shareOfStep * limit.tolerance;
  } else {
    const double kept = std::max(resolutionsKept * limit.resolution, (1 - shareKept) * limit.tolerance);
    row.aim = limit.distance + kept;
    row.reserve = 0.5 * kept;
  }
  return row;
}

}  // namespace fitup::detail
