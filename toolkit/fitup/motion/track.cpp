#include <fitup/motion/track.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fitup/base/error.h>
#include <fitup/base/text.h>

namespace fitup {

bool RigidMotion::isRigid() const noexcept {
  const double squared =
      rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z + rotation.w * rotation.w;
  return isFinite(translation) && std::abs(squared - 1) < 1e-6;  // false for NaN and infinity
}

RigidMotion operator*(const RigidMotion& second, const RigidMotion& first) {
  return {normalized(second.rotation * first.rotation),
          second.transform().applyToVector(first.translation) + second.translation};
}

RigidMotion inverse(const RigidMotion& motion) {
  const Quaternion& q = motion.rotation;
  const Quaternion back{-q.x, -q.y, -q.z, q.w};
  return {back, Transform::rotation(back).applyToVector(motion.translation) * -1.0};
}

double degreesBetween(const Quaternion& a, const Quaternion& b) {
  const Quaternion turn = b * Quaternion{-a.x, -a.y, -a.z, a.w};
  return 2 * std::atan2(norm({turn.x, turn.y, turn.z}), std::abs(turn.w)) * (180 / std::numbers::pi);
}

Transform movedPlacement(const Assembly& design, NodeId instance, const RigidMotion& motion) {
  const Transform placed = motion.transform() * design.worldFromNode(instance);
  const Box box = placedBox(placed, design.meshOf(instance).boundsInPart());
  bool isNear = placed.isFinite();
  for (int k = 0; k < 3 && !box.empty(); ++k)
    isNear = isNear && std::abs(box.min[k]) <= farthestMoved && std::abs(box.max[k]) <= farthestMoved;
  if (!isNear)
    throw InputError("'" + design.path(instance) + "' would be more than 1e9 " + design.unit() +
                     " from the origin");
  return placed;
}

RigidMotion motionAbout(const Vec3& centre, const Quaternion& rotation, const Vec3& shift) {
  return {rotation, centre + shift - Transform::rotation(rotation).apply(centre)};
}

RigidMotion interpolate(const RigidMotion& a, const RigidMotion& b, const Vec3& centre, double s) {
  const Vec3 from = a.transform().apply(centre);
  const Vec3 to = b.transform().apply(centre);
  const Vec3 position = from * (1 - s) + to * s;
  return motionAbout(centre, slerp(a.rotation, b.rotation, s), position - centre);
}

bool AxisTurn::isValid() const noexcept {
  const double length = norm(direction);
  return isFinite(point) && std::isfinite(length) && length > 0 && std::isfinite(degrees) &&
         std::isfinite(advance);
}

RigidMotion AxisTurn::at(double s) const {
  const Vec3 axis = normalized(direction);
  // Whole pairs of turns are left out exactly, so that many turns cost no digits.
  const double turned = std::remainder(s * degrees, 720.0);
  return motionAbout(point, axisAngle(axis, turned * (std::numbers::pi / 180)), axis * (s * advance));
}

bool AxisTurn::leads(const RigidMotion& from, const RigidMotion& to) const {
  const RigidMotion end = at(1) * from;
  const double reach = norm(end.translation) + norm(to.translation) + norm(point) + std::abs(advance);
  return degreesBetween(end.rotation, to.rotation) <= 1e-9 &&
         norm(end.translation - to.translation) <= 1e-12 * reach;
}

bool Track::hasWays() const {
  return std::ranges::any_of(ways, [](const std::vector<StepWay>& step) {
    return std::ranges::any_of(step, [](const StepWay& way) { return way != StepWay{}; });
  });
}

void requireWays(const Track& track, const std::string& source) {
  if (track.ways.empty()) return;
  if (track.ways.size() != track.steps.size())
    throw InputError(
        source, "ways",
        std::to_string(track.ways.size()) + " for " + std::to_string(track.steps.size()) + " steps");
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    if (track.steps[k].size() != track.moved.size() || track.ways[k].size() != track.moved.size())
      throw InputError(
          source, "step " + std::to_string(k),
          "must have a pose and a way for each of " + std::to_string(track.moved.size()) + " moved paths");
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      const StepWay& way = track.ways[k][i];
      const auto fail = [&](const char* problem) {
        throw InputError(source, "step " + std::to_string(k) + ", '" + track.moved[i] + "'", problem);
      };
      if (way.pivot && !isFinite(*way.pivot)) fail("has a pivot that is not finite");
      if (!way.turn) continue;
      if (k == 0) fail("has a turn, but no step before it");
      if (way.pivot) fail("has a turn and a pivot");
      if (!way.turn->isValid()) fail("has a turn without an axis, or one that is not finite");
      if (!way.turn->leads(track.steps[k - 1][i], track.steps[k][i]))
        fail("is not where its turn leads from the step before");
    }
  }
}

AmbiguousSteps ambiguousSteps(const Track& track) {
  AmbiguousSteps found;
  for (std::size_t k = 1; k < track.steps.size(); ++k)
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      if (track.wayTo(k, i).turn) continue;
      const double degrees = degreesBetween(track.steps[k - 1][i].rotation, track.steps[k][i].rotation);
      if (!(degrees > ambiguousDegrees)) continue;
      if (found.count++ == 0) {
        found.step = k;
        found.moved = i;
        found.degrees = degrees;
      }
    }
  return found;
}

std::vector<std::string> trackWarnings(const Track& track) {
  std::vector<std::string> warnings = track.warnings;
  if (const AmbiguousSteps found = ambiguousSteps(track); found.count > 0)
    warnings.push_back("step " + std::to_string(found.step) + ", '" + track.moved[found.moved] +
                       "': the shortest turn from the step before is " +
                       numberText(std::round(10 * found.degrees) / 10) +
                       " degrees, so its sense is uncertain" +
                       (found.count > 1 ? " (" + std::to_string(found.count) + " such poses)" : "") +
                       "; a 'turn' of track version 2 says the axis and the angle");
  return warnings;
}

}  // namespace fitup
