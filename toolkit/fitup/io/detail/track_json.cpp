#include <fitup/io/detail/track_json.h>

#include <array>
#include <charconv>
#include <cmath>

#include <fitup/base/hash.h>

namespace fitup::detail {

namespace {

/// "1e-07".
std::string oneDigitText(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(),
          std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 0)
              .ptr};
}

}  // namespace

std::optional<Quaternion> asRotation(const Quaternion& q) {
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(std::abs(length - 1) <= 1e-3)) return std::nullopt;
  return std::abs(length - 1) <= 1e-12 ? q : normalized(q);
}

std::optional<Quaternion> RotationReader::read(const Quaternion& q, std::size_t step,
                                               const std::string& path) {
  const std::optional<Quaternion> rotation = asRotation(q);
  if (rotation && *rotation != q && count_++ == 0) {
    step_ = step;
    path_ = path;
    error_ = std::abs(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1);
  }
  return rotation;
}

void RotationReader::addWarning(Track& track) const {
  if (count_ == 0) return;
  track.warnings.push_back(
      "step " + std::to_string(step_) + ", '" + path_ + "': the length of the quaternion is off by " +
      oneDigitText(error_) + ", so it has too few digits; it was normalised" +
      (count_ > 1 ? " (" + std::to_string(count_) + " such poses)" : "") +
      ". The part may be displaced by this share of its distance from the point about which it is turned");
}

RigidMotion motionAboutPivot(const Quaternion& rotation, const Vec3& translation, const Vec3& pivot) {
  return {rotation, (pivot - Transform::rotation(rotation).apply(pivot)) + translation};
}

Vec3 translationOfPivot(const RigidMotion& motion, const Vec3& pivot) {
  return motion.translation - (pivot - Transform::rotation(motion.rotation).apply(pivot));
}

int trackVersion(const Track& track) { return track.hasWays() ? 2 : 1; }

RigidMotion motionFrom(const JsonField& field) {
  const auto t = field.at("translation").numbers<3>();
  const JsonField rotationField = field.at("rotation");
  const auto q = rotationField.numbers<4>();
  const auto rotation = asRotation({q[0], q[1], q[2], q[3]});
  if (!rotation) rotationField.fail("must be a unit quaternion x, y, z, w");
  return {*rotation, {t[0], t[1], t[2]}};
}

nlohmann::ordered_json motionJson(const RigidMotion& motion) {
  const auto& [q, t] = motion;
  return {{"translation", {t.x, t.y, t.z}}, {"rotation", {q.x, q.y, q.z, q.w}}};
}

namespace {

Vec3 vectorFrom(const JsonField& field) {
  const auto [x, y, z] = field.numbers<3>();
  return {x, y, z};
}

AxisTurn turnFrom(const JsonField& field) {
  field.expectOnly({"point", "direction", "degrees", "advance"});
  AxisTurn turn{vectorFrom(field.at("point")), vectorFrom(field.at("direction")),
                field.at("degrees").number(), field.has("advance") ? field.at("advance").number() : 0};
  if (!turn.isValid()) field.at("direction").fail("must have a length");
  return turn;
}

/// Reads pose i of the last step, with its way.
void readPose(Track& track, const JsonField& field, std::size_t i, int version, RotationReader& rotations) {
  const std::size_t k = track.steps.size() - 1;
  StepWay way;
  RigidMotion pose;
  if (version == 1) {
    for (const char* member : {"pivot", "turn"})
      if (field.has(member)) field.at(member).fail("needs version 2");
  } else {
    field.expectOnly({"translation", "rotation", "pivot", "turn"});
    if (field.has("pivot")) way.pivot = vectorFrom(field.at("pivot"));
    if (field.has("turn")) way.turn = turnFrom(field.at("turn"));
  }
  if (way.turn) {
    for (const char* member : {"translation", "rotation", "pivot"})
      if (field.has(member)) field.at(member).fail("cannot stand beside a turn, which says the pose");
    if (k == 0) field.at("turn").fail("has no step before it");
    pose = way.turn->at(1) * track.steps[k - 1][i];
  } else {
    const Vec3 translation = vectorFrom(field.at("translation"));
    const JsonField rotationField = field.at("rotation");
    const auto [x, y, z, w] = rotationField.numbers<4>();
    const auto rotation = rotations.read({x, y, z, w}, k, track.moved[i]);
    if (!rotation) rotationField.fail("must be a unit quaternion x, y, z, w");
    pose = way.pivot ? motionAboutPivot(*rotation, translation, *way.pivot)
                     : RigidMotion{*rotation, translation};
  }
  if (!isFinite(pose.translation)) field.fail("is not finite");
  track.steps.back().push_back(pose);
  if (version > 1) track.ways.back().push_back(way);
}

nlohmann::ordered_json vectorJson(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

Track trackFrom(const JsonField& root, int version) {
  Track track;
  if (root.has("name")) track.name = root.at("name").text();
  track.unit = root.at("unit").text();
  if (root.has("modelHash")) {
    track.modelHash = hashFromText(root.at("modelHash").text());
    if (!track.modelHash) root.at("modelHash").fail("must be 16 lower-case hexadecimal digits");
  }
  const JsonField moved = root.at("moved");
  for (std::size_t i = 0, n = moved.size(); i < n; ++i)
    track.moved.push_back(moved.at(i, "path " + std::to_string(i)).text());
  RotationReader rotations;
  const JsonField steps = root.at("steps");
  // A track without steps has no findings, which would look like a result.
  if (steps.size() == 0) steps.fail("there are none");
  for (std::size_t k = 0, n = steps.size(); k < n; ++k) {
    const JsonField step = steps.at(k, "step " + std::to_string(k));
    if (step.size() != track.moved.size())
      step.fail("has " + std::to_string(step.size()) + " poses for " + std::to_string(track.moved.size()) +
                " moved paths");
    track.steps.emplace_back();
    if (version > 1) track.ways.emplace_back();
    for (std::size_t i = 0; i < track.moved.size(); ++i)
      readPose(track, step.at(i, "pose of '" + track.moved[i] + "'"), i, version, rotations);
  }
  if (!track.hasWays()) track.ways.clear();
  rotations.addWarning(track);
  return track;
}

nlohmann::ordered_json trackHeadJson(const Track& track) {
  nlohmann::ordered_json head;
  head["name"] = track.name;
  head["unit"] = track.unit;
  if (track.modelHash) head["modelHash"] = hashText(*track.modelHash);
  head["moved"] = track.moved;
  return head;
}

nlohmann::ordered_json poseJson(const Track& track, std::size_t step, std::size_t i) {
  const RigidMotion& pose = track.steps[step][i];
  const StepWay way = track.wayTo(step, i);
  if (way.turn)
    return {{"turn",
             {{"point", vectorJson(way.turn->point)},
              {"direction", vectorJson(way.turn->direction)},
              {"degrees", way.turn->degrees},
              {"advance", way.turn->advance}}}};
  if (!way.pivot) return motionJson(pose);
  nlohmann::ordered_json json = motionJson({pose.rotation, translationOfPivot(pose, *way.pivot)});
  json["pivot"] = vectorJson(*way.pivot);
  return json;
}

nlohmann::ordered_json trackJson(const Track& track) {
  nlohmann::ordered_json json = trackHeadJson(track);
  json["steps"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    nlohmann::ordered_json poses = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < track.steps[k].size(); ++i) poses.push_back(poseJson(track, k, i));
    json["steps"].push_back(std::move(poses));
  }
  return json;
}

}  // namespace fitup::detail
