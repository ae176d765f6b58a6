#include <fitup/planning/pose_search.h>

#include <algorithm>
#include <cmath>

namespace fitup {
namespace {

/// Of the size of the group: the longest piece of a way that is widened, and how far from what rests is far
/// enough.
constexpr double longestPiece = 1.0 / 12, farEnough = 1.0 / 40;
constexpr std::size_t mostPieces = 400;
constexpr int mostPasses = 4;
/// Of the size of the group: poses that are this near to the straight way between their neighbours are left
/// out.
constexpr double straightEnough = 2e-3;

}  // namespace

std::vector<RigidMotion> widenedWay(FreeSpace& space, const std::vector<RigidMotion>& poses,
                                    const std::function<bool()>& stop) {
  if (poses.size() < 2) return poses;
  double longest = longestPiece * space.size(), whole = 0;
  for (std::size_t k = 1; k < poses.size(); ++k) whole += space.distance(poses[k - 1], poses[k]);
  longest = std::max(longest, whole / static_cast<double>(mostPieces));
  std::vector<RigidMotion> way{poses.front()};
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const double pieces = std::ceil(space.distance(poses[k - 1], poses[k]) / longest);
    for (double i = 1; i < pieces; ++i)
      way.push_back(interpolate(poses[k - 1], poses[k], space.centre(), i / pieces));
    way.push_back(poses[k]);
  }
  const double most = farEnough * space.size();
  for (int pass = 0; pass < mostPasses; ++pass) {
    bool isWider = false;
    for (std::size_t k = 1; k + 1 < way.size() && !stop(); ++k) {
      const RigidMotion there = space.withdrawn(way[k], most);
      if (there == way[k] || !space.hasRoom(there) || !space.isFree(way[k - 1], there) ||
          !space.isFree(there, way[k + 1]))
        continue;
      way[k] = there;
      isWider = true;
    }
    if (!isWider) break;
  }
  return withoutNeedless(space, way);
}

std::vector<RigidMotion> withoutNeedless(FreeSpace& space, const std::vector<RigidMotion>& poses) {
  if (poses.size() < 3) return poses;
  const double near = straightEnough * space.size();
  // True if the straight way from one pose to a later one passes near to all between them.
  const auto isStraight = [&](std::size_t from, std::size_t to) {
    const double whole = space.distance(poses[from], poses[to]);
    for (std::size_t k = from + 1; k < to; ++k) {
      const double share = whole > 0 ? space.distance(poses[from], poses[k]) / whole : 0;
      const RigidMotion there =
          interpolate(poses[from], poses[to], space.centre(), std::clamp(share, 0.0, 1.0));
      if (space.distance(there, poses[k]) > near) return false;
    }
    return space.isFree(poses[from], poses[to]);
  };
  std::vector<RigidMotion> way{poses.front()};
  for (std::size_t from = 0; from + 1 < poses.size();) {
    std::size_t to = from + 1;
    while (to + 1 < poses.size() && isStraight(from, to + 1)) ++to;
    way.push_back(poses[to]);
    from = to;
  }
  return way;
}

}  // namespace fitup
