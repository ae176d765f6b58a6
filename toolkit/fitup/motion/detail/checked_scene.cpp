#include <fitup/motion/detail/checked_scene.h>

#include <algorithm>
#include <cmath>

namespace fitup::detail {
namespace {

/// A right-handed orthonormal frame along the first two columns of a map, with its translation.
Transform frameOf(const Transform& map) {
  const auto column = [&](std::size_t k) { return Vec3{map.m[0][k], map.m[1][k], map.m[2][k]}; };
  Transform frame;
  frame.t = map.t;
  const Vec3 x = normalized(column(0)), y = normalized(column(1) - x * dot(x, column(1))), z = cross(x, y);
  if (!isFinite(x) || !isFinite(y)) return frame;
  for (int i = 0; i < 3; ++i) frame.m[static_cast<std::size_t>(i)] = {x[i], y[i], z[i]};
  return frame;
}

double largestCoordinate(const Box& box) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(box.min[k]), std::abs(box.max[k])});
  return largest;
}

}  // namespace

CheckedScene::CheckedScene(const Scene& scene, const Poses& rest, const Track& track,
                           std::span<const MovedGroup> groups)
    : assembly_(scene.assembly()), motionCount_(std::max<std::size_t>(1, track.steps.size() - 1)) {
  for (const NodeId node : scene.instances()) {
    CheckedPart part{node, {}, assembly_.worldFromNode(node), {}, {}, {}};
    if (const Transform* placed = rest.find(node); placed && placed->isFinite()) part.placement = *placed;
    parts_.emplace(node, part);
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Box box;
    for (const NodeId node : groups[g].instances) {
      box.extend(assembly_.worldBounds(node));
      parts_.at(node).group = g;
      parts_.at(node).placement = assembly_.worldFromNode(node);
    }
    const Vec3 centre = box.empty() ? Vec3{} : box.centre();
    std::vector<StepMotion>& motions = motions_.emplace_back();
    for (std::size_t k = 1; k < track.steps.size(); ++k)
      motions.push_back(stepMotion(track.steps[k - 1][g], track.steps[k][g], track.wayTo(k, g), centre));
    if (motions.empty()) motions.emplace_back().start = track.steps.front()[g].transform();
  }
  for (auto& [node, part] : parts_) {
    part.worldFromFrame = frameOf(part.placement);
    part.frameFromPart = undone(part.worldFromFrame) * part.placement;
    part.box = placedBox(part.frameFromPart, assembly_.meshOf(node).boundsInPart());
  }
  measure();
}

StepMotion CheckedScene::motionOf(const CheckedPart& part, std::size_t step) const {
  StepMotion motion;
  if (part.group) motion = motions_[*part.group][step];
  motion.start = motion.start * part.worldFromFrame;
  return motion;
}

RelativeMotion CheckedScene::relative(const CheckedPart& a, const CheckedPart& b, std::size_t step) const {
  return {motionOf(a, step), motionOf(b, step), a.box.empty() ? Vec3{} : a.box.centre(),
          a.box.empty() ? 0 : norm(a.box.halfExtent())};
}

void CheckedScene::measure() {
  Box all;
  double farthest = 0, fastestTurn = 0;
  for (const auto& [node, part] : parts_) {
    if (part.box.empty()) continue;
    const Box placed = placedBox(part.worldFromFrame, part.box);
    all.extend(placed);
    all.extend(placedBox(motionOf(part, 0).start, part.box));
    farthest = std::max({farthest, largestCoordinate(part.box), largestCoordinate(placed)});
    for (std::size_t k = 0; part.group && k < motionCount_; ++k) {
      // A part keeps its distance from an origin that goes along a line.
      const StepMotion m = motionOf(part, k);
      farthest = std::max(farthest, norm(m.origin) + norm(m.velocity) +
                                        norm(m.start.apply(part.box.centre()) - m.origin) +
                                        norm(part.box.halfExtent()));
      fastestTurn = std::max(fastestTurn, norm(m.spin));
    }
  }
  diagonal_ = all.empty() ? 0 : norm(all.max - all.min);
  // A point in the frame of another part takes some 50 operations, each rounded by 2^-53 of the farthest
  // coordinate, and the angle of a turn is rounded by 2^-53 of itself. 2^-44 is ten times as much.
  rounding_ = 0x1p-44 * farthest * std::max(1.0, fastestTurn / 8);
}

bool CheckedScene::moveAlike(std::size_t groupA, std::size_t groupB) const {
  Box box;
  for (const auto& [node, part] : parts_)
    if (part.group == groupA) box.extend(placedBox(part.worldFromFrame, part.box));
  if (box.empty()) return true;
  for (std::size_t k = 0; k < motionCount_; ++k) {
    const RelativeMotion motion(motions_[groupA][k], motions_[groupB][k], box.centre(),
                                norm(box.halfExtent()));
    if (!motion.restsWithin(rounding_)) return false;
  }
  return true;
}

const CheckedBody& CheckedScene::bodyOf(const CheckedPart& part) {
  std::unique_ptr<const CheckedBody>& body = bodies_[part.node];
  if (!body) {
    const TriangleMesh& mesh = assembly_.meshOf(part.node);
    body = std::make_unique<const CheckedBody>(mesh, part.frameFromPart);
    trianglesHeld_ += mesh.triangleCount();
  }
  return *body;
}

void CheckedScene::releaseBodies() {
  constexpr std::size_t most = 5'000'000;  // about 1 GB
  if (trianglesHeld_ <= most) return;
  bodies_.clear();
  trianglesHeld_ = 0;
}

}  // namespace fitup::detail
