#include <fitup/motion/first_contact.h>

#include <fitup/base/error.h>
#include <fitup/motion/detail/motion_search.h>

namespace fitup {

std::string_view name(MotionEvent event) noexcept {
  switch (event) {
    case MotionEvent::contact:
      return "contact";
    case MotionEvent::depth:
      return "depth";
    case MotionEvent::piercing:
      return "piercing";
  }
  return "unknown";
}

FirstContactReport firstContact(const Scene& scene, const Poses& poses, const Track& track,
                                const FirstContactOptions& options, const Progress& progress) {
  try {
    return detail::MotionSearch(scene, poses, track, options, progress).run();
  } catch (const CancelledError&) {  // before any query
    FirstContactReport report;
    report.status = ReportStatus::cancelled;
    return report;
  }
}

FirstContactReport firstContact(const Scene& scene, const Poses& poses, NodeId moved, const RigidMotion& from,
                                const RigidMotion& to, const FirstContactOptions& options,
                                const Progress& progress) {
  const Track track{.name = "between two poses",
                    .unit = scene.assembly().unit(),
                    .modelHash = {},
                    .moved = {scene.assembly().path(moved)},
                    .steps = {{from}, {to}}};
  return firstContact(scene, poses, track, options, progress);
}

}  // namespace fitup
