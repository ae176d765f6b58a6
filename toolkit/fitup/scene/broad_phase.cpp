#include <fitup/scene/broad_phase.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fitup/base/error.h>

namespace fitup {
namespace {

Vec3 largestMagnitudes(const Box& box) {
  if (box.empty()) return {};
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = std::max(std::abs(box.min[i]), std::abs(box.max[i]));
  return r;
}

/// Let W, t be worldFromPart of A (linear part and translation), N the computed inverse of W, and X the reach
/// of an instance: a bound on |W|(|origin| + |b|) + |t| over its points b and the axes. An exact query
/// works with p = fl(N W' b' + ...), and W p + t differs from the exact world point of B by
///   (W N - 1)(y - t)          y the exact world point: N is not the exact inverse,
///   c u |W||N| (Xa + Xb)      rounding of the relative placement and of its use, c <= 17,
///   5 u |W||origin of A|      rounding of the subtraction of the origins.
/// So (largest row sum of |W N - 1| + 2^-48 (|W||N| + 1)) times (Xa + Xb) is a bound; the first factor is
/// `growth`. 2^-48 = 32 u also covers the rounding of the residual itself. Either instance may have role A,
/// hence the larger growth.
double growthOf(const Transform& w, const Transform& n) {
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      double residual = i == j ? -1.0 : 0.0, magnitude = i == j ? 1.0 : 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        residual += w.m[i][k] * n.m[k][j];
        magnitude += std::abs(w.m[i][k] * n.m[k][j]);
      }
      sum += std::abs(residual) + 0x1p-48 * magnitude;
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

double reachOf(const Transform& w, const Vec3& magnitudes) {
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    largest = std::max(largest, std::abs(w.m[i][0]) * magnitudes.x + std::abs(w.m[i][1]) * magnitudes.y +
                                    std::abs(w.m[i][2]) * magnitudes.z + std::abs(w.t[static_cast<int>(i)]));
  return largest;
}

Box grown(Box box, double by) {
  for (int i = 0; i < 3; ++i) {
    box.min[i] -= by;
    box.max[i] += by;
  }
  return box;
}

Aabb outward(const Box& b) {
  return {{floatBelow(b.min.x), floatBelow(b.min.y), floatBelow(b.min.z)},
          {floatAbove(b.max.x), floatAbove(b.max.y), floatAbove(b.max.z)}};
}

}  // namespace

PlacedInstance placedInstance(const Assembly& assembly, NodeId node, const Transform& worldFromPart) {
  const TriangleMesh& mesh = assembly.meshOf(node);
  PlacedInstance result;
  result.node = node;
  result.worldFromPart = worldFromPart;
  try {
    result.growth = growthOf(worldFromPart, worldFromPart.inverse());
  } catch (const PlacementError& error) {
    throw PlacementError("instance '" + assembly.path(node) + "': " + error.what());
  }
  const Box inPart = mesh.boundsInPart();
  result.worldBox = placedBox(worldFromPart, inPart);
  // Origin and local coordinates may cancel in the part frame, but each is rounded separately.
  const Vec3 origin{std::abs(mesh.origin().x), std::abs(mesh.origin().y), std::abs(mesh.origin().z)};
  result.reach = reachOf(worldFromPart, largestMagnitudes(inPart) + 2 * origin);
  return result;
}

double placingError(const PlacedInstance& a, const PlacedInstance& b) noexcept {
  return std::max(a.growth, b.growth) * (a.reach + b.reach);
}

bool mayMeet(const PlacedInstance& a, const PlacedInstance& b) noexcept {
  if (a.worldBox.empty() || b.worldBox.empty()) return false;
  return grown(a.worldBox, placingError(a, b)).overlaps(b.worldBox);
}

bool mayBeWithin(const PlacedInstance& a, const PlacedInstance& b, double distance) noexcept {
  if (a.worldBox.empty() || b.worldBox.empty()) return false;
  const double grownBy = a.grownBy + b.grownBy;
  for (int i = 0; i < 3; ++i) {
    const double size = std::max({std::abs(a.worldBox.min[i]), std::abs(a.worldBox.max[i]),
                                  std::abs(b.worldBox.min[i]), std::abs(b.worldBox.max[i]), grownBy});
    // The ends were rounded when the boxes grew, and the sums here are rounded: by less than 2^-50 of the
    // largest.
    const double gap =
        std::max(a.worldBox.min[i] - b.worldBox.max[i], b.worldBox.min[i] - a.worldBox.max[i]) + grownBy;
    if (gap > distance + 2 * placingError(a, b) + 0x1p-50 * size) return false;
  }
  return true;
}

double boxDistance(const PlacedInstance& a, const PlacedInstance& b) noexcept {
  if (a.worldBox.empty() || b.worldBox.empty()) return std::numeric_limits<double>::infinity();
  const double by = placingError(a, b);
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    const double gap =
        std::max(a.worldBox.min[i] - b.worldBox.max[i], b.worldBox.min[i] - a.worldBox.max[i]) - 2 * by;
    if (gap > 0) squared += gap * gap;
  }
  return std::sqrt(squared) * (1 - 0x1p-48);
}

void throwTooManyPairs(std::size_t most) {
  throw InputError(
      "check", "pairs",
      "more than " + std::to_string(most) +
          " pairs of instances have overlapping boxes, for example because many parts are in one place");
}

InstanceTree::InstanceTree(std::span<const PlacedInstance> placed, std::vector<std::uint32_t> positions,
                           const WorkMeter& meter) {
  std::vector<Aabb> boxes;
  for (std::uint32_t position : positions) {
    const PlacedInstance& p = placed[position];
    if (p.worldBox.empty()) continue;
    positions_.push_back(position);
    boxes.push_back(outward(p.worldBox));
    largestGrowth_ = std::max(largestGrowth_, p.growth);
    largestReach_ = std::max(largestReach_, p.reach);
  }
  root_ = appendRTree(boxes, {}, entries_, meter);
}

void InstanceTree::candidates(const PlacedInstance& instance, std::vector<std::uint32_t>& positions) const {
  if (instance.worldBox.empty()) return;
  const double by = std::max(instance.growth, largestGrowth_) * (instance.reach + largestReach_);
  visitOverlapping(entries_, root_, outward(grown(instance.worldBox, by)),
                   [&](std::uint32_t value) { positions.push_back(positions_[value]); });
}

}  // namespace fitup
