#include <fitup/motion/track_recording.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>

namespace fitup {

namespace {

bool isSameUpToRounding(const RigidMotion& a, const RigidMotion& b) {
  return degreesBetween(a.rotation, b.rotation) <= 1e-9 &&
         norm(a.translation - b.translation) <= 1e-11 * (norm(a.translation) + norm(b.translation));
}

}  // namespace

bool TrackRecording::isApart(const RigidMotion& a, const RigidMotion& b) const {
  if (norm(a.transform().apply(centre_) - b.transform().apply(centre_)) >= steps_.distance) return true;
  return degreesBetween(a.rotation, b.rotation) >= steps_.degrees;
}

std::vector<StepWay> TrackRecording::waysTo(std::span<const RigidMotion> poses,
                                            const std::optional<AxisTurn>& turn) const {
  std::vector<StepWay> ways(poses.size());
  if (track_.steps.empty()) return ways;
  const std::vector<RigidMotion>& last = track_.steps.back();
  std::vector<RigidMotion> motions;  // since the last step, in the world
  for (std::size_t i = 0; i < poses.size(); ++i) motions.push_back(poses[i] * inverse(last[i]));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (turn && turn->leads(last[i], poses[i])) {
      ways[i].turn = turn;
      continue;
    }
    if (poses[i].rotation == last[i].rotation) continue;
    for (std::size_t j = 0; j < poses.size() && !ways[i].pivot; ++j) {
      if (j == i || !isSameUpToRounding(motions[i], motions[j])) continue;
      // The first of those that move together has the pivot in its design placement.
      const RigidMotion& first = last[std::min(i, j)];
      ways[i].pivot =
          last[i] == first ? centre_ : inverse(last[i]).transform().apply(first.transform().apply(centre_));
    }
  }
  return ways;
}

void TrackRecording::addMoved(std::string path, const RigidMotion& motion) {
  if (std::ranges::find(track_.moved, path) != track_.moved.end())
    throw InputError("recording", "moved", "'" + path + "' is already recorded");
  track_.moved.push_back(std::move(path));
  for (std::vector<RigidMotion>& step : track_.steps) step.push_back(motion);
  for (std::vector<StepWay>& ways : track_.ways) ways.emplace_back();
}

bool TrackRecording::add(std::span<const RigidMotion> poses, bool always,
                         const std::optional<AxisTurn>& turn) {
  if (poses.size() != track_.moved.size())
    throw InputError("recording", "poses",
                     std::to_string(poses.size()) + " for " + std::to_string(track_.moved.size()) + " paths");
  if (!track_.steps.empty()) {
    const auto& last = track_.steps.back();
    // A whole turn is a motion, although it ends where it began.
    const bool turns = turn && std::abs(turn->degrees) >= steps_.degrees;
    if (!turns && std::equal(poses.begin(), poses.end(), last.begin())) return false;
    bool apart = always || turns;
    for (std::size_t i = 0; i < poses.size(); ++i) apart = apart || isApart(poses[i], last[i]);
    if (!apart) return false;
  }
  std::vector<StepWay> ways = waysTo(poses, turn);
  const bool isDefault = std::ranges::all_of(ways, [](const StepWay& way) { return way == StepWay{}; });
  if (!isDefault || !track_.ways.empty()) {
    track_.ways.resize(track_.steps.size(), std::vector<StepWay>(poses.size()));
    track_.ways.push_back(std::move(ways));
  }
  track_.steps.emplace_back(poses.begin(), poses.end());
  return true;
}

}  // namespace fitup
