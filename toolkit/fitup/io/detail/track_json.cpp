#include <fitup/io/detail/track_json.h>

#include <cmath>

#include <fitup/base/hash.h>

namespace fitup::detail {

std::optional<Quaternion> asRotation(const Quaternion& q) {
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(std::abs(length - 1) <= 1e-3)) return std::nullopt;
  return std::abs(length - 1) <= 1e-12 ? q : normalized(q);
}

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

Track trackFrom(const JsonField& root) {
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
  const JsonField steps = root.at("steps");
  // A track without steps has no findings, which would look like a result.
  if (steps.size() == 0) steps.fail("there are none");
  for (std::size_t k = 0, n = steps.size(); k < n; ++k) {
    const JsonField step = steps.at(k, "step " + std::to_string(k));
    if (step.size() != track.moved.size())
      step.fail("has " + std::to_string(step.size()) + " poses for " + std::to_string(track.moved.size()) +
                " moved paths");
    auto& poses = track.steps.emplace_back();
    for (std::size_t i = 0; i < track.moved.size(); ++i)
      poses.push_back(motionFrom(step.at(i, "pose of '" + track.moved[i] + "'")));
  }
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

}  // namespace fitup::detail
