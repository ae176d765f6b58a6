#include "motion_contact.h"

#include <algorithm>

#include <fitup/base/bounded_text.h>

#include "console.h"
#include "wording.h"

namespace fitup::cli {

void sayMotionContact(const Assembly& assembly, const MotionContact& contact, const std::string& what,
                      double resolution, std::size_t lastStep) {
  const std::string& unit = assembly.unit();
  if (contact.event == MotionEvent::depth) {
    say("too deep at step {:.9g} of {}: an overlap of {} {}\n", contact.time, lastStep,
        boundedNumber(contact.depthLimit, resolution, 6), unit);
  } else if (contact.event == MotionEvent::piercing) {
    say("about to pierce a wall at step {:.9g} of {}\n", contact.time, lastStep);
  } else {
    // The distance is known to within the resolution.
    DistanceError error = contact.error;
    error.rounding = std::max(error.rounding, resolution);
    say("{} at step {:.9g} of {}: {} apart\n", what, contact.time, lastStep,
        lengthText(contact.nearest.distance, error, unit));
  }
  say("  {} at {}\n  {} at {}\n", surfaceText(assembly, contact.a, contact.nearest.surfaces.a),
      pointText(contact.nearest.pointA, contact.error.rounding),
      surfaceText(assembly, contact.b, contact.nearest.surfaces.b),
      pointText(contact.nearest.pointB, contact.error.rounding));
}

void sayPairs(const Assembly& assembly, const char* title,
              const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  constexpr std::size_t mostLines = 20;
  if (pairs.empty()) return;
  say("{}:\n", title);
  for (std::size_t k = 0; k < pairs.size() && k < mostLines; ++k)
    say("  {}  x  {}\n", assembly.path(pairs[k].first), assembly.path(pairs[k].second));
  if (pairs.size() > mostLines) say("  ... and {} more\n", pairs.size() - mostLines);
}

}  // namespace fitup::cli
