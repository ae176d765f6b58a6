#include <fitup/motion/track_edit.h>

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup {
namespace {

void requireStep(const Track& track, std::size_t step, std::size_t count) {
  if (step >= count)
    throw InputError("track '" + track.name + "'", "step " + std::to_string(step), "does not exist");
}
std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

}  // namespace

Track withStepInserted(const Track& track, std::size_t before, std::vector<RigidMotion> poses) {
  requireStep(track, before, track.steps.size() + 1);
  if (poses.size() != track.moved.size())
    throw InputError("track '" + track.name + "'", "step " + std::to_string(before),
                     "needs a pose for each moved path");
  Track result = track;
  result.steps.insert(result.steps.begin() + offset(before), std::move(poses));
  return result;
}

Track withStepRemoved(const Track& track, std::size_t step) {
  requireStep(track, step, track.steps.size());
  Track result = track;
  result.steps.erase(result.steps.begin() + offset(step));
  return result;
}

Track withStepMoved(const Track& track, std::size_t from, std::size_t to) {
  requireStep(track, from, track.steps.size());
  requireStep(track, to, track.steps.size());
  Track result = track;
  const auto first = result.steps.begin();
  if (from < to)
    std::rotate(first + offset(from), first + offset(from) + 1, first + offset(to) + 1);
  else
    std::rotate(first + offset(to), first + offset(from), first + offset(from) + 1);
  return result;
}

Track reversed(const Track& track) {
  Track result = track;
  std::reverse(result.steps.begin(), result.steps.end());
  return result;
}

}  // namespace fitup
