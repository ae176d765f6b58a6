#include <fitup/motion/track_recording.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>

namespace fitup {

bool TrackRecording::isApart(const RigidMotion& a, const RigidMotion& b) const {
  if (norm(a.transform().apply(centre_) - b.transform().apply(centre_)) >= steps_.distance) return true;
  const Quaternion &p = a.rotation, &q = b.rotation;
  const double cosine = std::abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
  return 2 * std::acos(std::min(1.0, cosine)) >= steps_.degrees * std::numbers::pi / 180;
}

bool TrackRecording::add(std::span<const RigidMotion> poses, bool always) {
  if (poses.size() != track_.moved.size())
    throw InputError("recording", "poses",
                     std::to_string(poses.size()) + " for " + std::to_string(track_.moved.size()) + " paths");
  if (!track_.steps.empty()) {
    const auto& last = track_.steps.back();
    if (std::equal(poses.begin(), poses.end(), last.begin())) return false;
    bool apart = always;
    for (std::size_t i = 0; i < poses.size(); ++i) apart = apart || isApart(poses[i], last[i]);
    if (!apart) return false;
  }
  track_.steps.emplace_back(poses.begin(), poses.end());
  return true;
}

}  // namespace fitup
