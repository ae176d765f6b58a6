#include <fitup/motion/track_edit.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fitup/base/error.h>

namespace fitup {
namespace {

void requireStep(const Track& track, std::size_t step, std::size_t count) {
  if (step >= count)
    throw InputError("track '" + track.name + "'", "step " + std::to_string(step), "does not exist");
}
std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

/// A straight way about the centre of the given one, which leads to `end`; the axis of a turn holds it.
StepWay straightened(const StepWay& way, const RigidMotion& end) {
  if (!way.turn) return way;
  const Vec3 centreAtEnd = way.turn->point + normalized(way.turn->direction) * way.turn->advance;
  return {{}, inverse(end).transform().apply(centreAtEnd)};
}

void straightenBrokenTurns(Track& track) {
  for (std::size_t k = 0; k < track.ways.size(); ++k)
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      StepWay& way = track.ways[k][i];
      if (way.turn && (k == 0 || !way.turn->leads(track.steps[k - 1][i], track.steps[k][i])))
        way = straightened(way, track.steps[k][i]);
    }
}

/// One turn instead of two about the same axis and with the same pitch.
std::optional<AxisTurn> joinedTurn(const std::optional<AxisTurn>& first,
                                   const std::optional<AxisTurn>& second) {
  if (!first || !second || first->point != second->point || first->direction != second->direction ||
      first->advance * second->degrees != second->advance * first->degrees)
    return std::nullopt;
  return AxisTurn{first->point, first->direction, first->degrees + second->degrees,
                  first->advance + second->advance};
}

AxisTurn partOf(const AxisTurn& turn, double share) {
  return {turn.point, turn.direction, turn.degrees * share, turn.advance * share};
}

/// The first share of the turn after which it is at `pose`; empty if `pose` is not on its way.
std::optional<double> shareAt(const AxisTurn& turn, const RigidMotion& from, const RigidMotion& pose) {
  const RigidMotion by = pose * inverse(from);
  const Vec3 axis = normalized(turn.direction);
  const auto isAt = [&](double share) { return partOf(turn, share).leads(from, pose); };
  if (turn.degrees == 0) {
    const double share = turn.advance != 0 ? dot(by.translation, axis) / turn.advance : 0;
    return share >= 0 && share <= 1 && isAt(share) ? std::optional(share) : std::nullopt;
  }
  const Quaternion& q = by.rotation;
  const double angle = 2 * std::atan2(dot({q.x, q.y, q.z}, axis), q.w) * (180 / std::numbers::pi);
  const double whole = std::abs(turn.degrees);
  double degrees = std::fmod(turn.degrees < 0 ? -angle : angle, 360.0);
  if (degrees < -1e-9) degrees += 360;
  constexpr int mostTurns = 10'000;
  for (int i = 0; i < mostTurns && degrees <= whole; ++i, degrees += 360)
    if (const double share = std::max(0.0, degrees / whole); isAt(share)) return share;
  return std::nullopt;
}

template <typename Vector>
void moveElement(Vector& vector, std::size_t from, std::size_t to) {
  const auto first = vector.begin();
  if (from < to)
    std::rotate(first + offset(from), first + offset(from) + 1, first + offset(to) + 1);
  else
    std::rotate(first + offset(to), first + offset(from), first + offset(from) + 1);
}

}  // namespace

Track withStepInserted(const Track& track, std::size_t before, std::vector<RigidMotion> poses) {
  requireStep(track, before, track.steps.size() + 1);
  if (poses.size() != track.moved.size())
    throw InputError("track '" + track.name + "'", "step " + std::to_string(before),
                     "needs a pose for each moved path");
  Track result = track;
  if (!track.ways.empty()) {
    const std::size_t like = std::min(before, track.ways.size() - 1);
    std::vector<StepWay> ways = track.ways[like];
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const std::optional<AxisTurn> turn = before > 0 && like == before ? ways[i].turn : std::nullopt;
      const auto share = turn ? shareAt(*turn, track.steps[before - 1][i], poses[i]) : std::nullopt;
      if (share) {
        ways[i].turn = partOf(*turn, *share);
        result.ways[before][i].turn = partOf(*turn, 1 - *share);
      } else {
        ways[i] = straightened(ways[i], track.steps[like][i]);
      }
    }
    result.ways.insert(result.ways.begin() + offset(before), std::move(ways));
  }
  result.steps.insert(result.steps.begin() + offset(before), std::move(poses));
  straightenBrokenTurns(result);
  return result;
}

Track withStepRemoved(const Track& track, std::size_t step) {
  requireStep(track, step, track.steps.size());
  Track result = track;
  result.steps.erase(result.steps.begin() + offset(step));
  if (!track.ways.empty()) {
    for (std::size_t i = 0; step + 1 < track.steps.size() && i < track.moved.size(); ++i)
      if (const auto turn = joinedTurn(track.ways[step][i].turn, track.ways[step + 1][i].turn))
        result.ways[step + 1][i].turn = turn;
    result.ways.erase(result.ways.begin() + offset(step));
    straightenBrokenTurns(result);
  }
  return result;
}

Track withStepMoved(const Track& track, std::size_t from, std::size_t to) {
  requireStep(track, from, track.steps.size());
  requireStep(track, to, track.steps.size());
  Track result = track;
  moveElement(result.steps, from, to);
  if (!track.ways.empty()) moveElement(result.ways, from, to);
  straightenBrokenTurns(result);
  return result;
}

Track reversed(const Track& track) {
  Track result = track;
  std::reverse(result.steps.begin(), result.steps.end());
  if (track.ways.empty()) return result;
  // The way that led to a step leads back to the one before it; the first step keeps a pivot only.
  for (std::size_t k = 1; k < track.steps.size(); ++k) {
    result.ways[k] = track.ways[track.ways.size() - k];
    for (StepWay& way : result.ways[k])
      if (way.turn) {
        way.turn->degrees = -way.turn->degrees;
        way.turn->advance = -way.turn->advance;
      }
  }
  for (std::size_t i = 0; i < track.moved.size(); ++i)
    result.ways.front()[i] = {{}, track.ways.back()[i].pivot};
  followTurns(result);
  return result;
}

void followTurns(Track& track) {
  for (std::size_t k = 1; k < track.ways.size(); ++k)
    for (std::size_t i = 0; i < track.moved.size(); ++i)
      if (const auto& turn = track.ways[k][i].turn) track.steps[k][i] = turn->at(1) * track.steps[k - 1][i];
}

}  // namespace fitup
