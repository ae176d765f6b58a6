#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/scene/interference_report.h>
#include <fitup/scene/poses.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// An outer and an inner thread that are modelled as cylinders, the outer one at its nominal diameter and the
/// inner one at its core, so that the two overlap. Lengths are in the world.
struct Thread {
  double nominal = 0;           ///< nominal diameter of the thread in millimetres: 8 for M8
  double outer = 0, inner = 0;  ///< diameters of the two cylinders
  /// How deep the two overlap: half the difference of the diameters.
  [[nodiscard]] double overlap() const noexcept { return 0.5 * (outer - inner); }
};

/// A cylinder of an instance that may be a thread, in the world.
struct ThreadCylinder {
  bool isHole = false;  ///< the material is outside
  Vec3 point, axis;     ///< a point of the axis, and its unit vector
  double radius = 0;
  double from = 0, to = 0;  ///< extent along the axis, from `point`
};
/// The cylinders of a placed part: faces described as cylinders, and those that `describeSurface` recognises.
/// Ovals and patches that turn both ways are omitted. Linear in the number of triangles. Thread-safe.
std::vector<ThreadCylinder> threadCylinders(const TriangleMesh& mesh, const Transform& worldFromPart);

/// Recognises a metric thread with coarse pitch P (ISO 261, M1 to M64) in two cylinders: one is a hole and
/// the other is not, they share their axis and at least P / 2 of their length, the outer one has the nominal
/// diameter d, and the inner one a diameter between the core of the outer thread, d - 1.2269 P, and the usual
/// core hole, d - P; the core of the inner thread is d - 1.0825 P (ISO 68-1). Diameters may differ by 0.05 P,
/// axes by 0.05 P and a hundredth of a radian. `millimetresPerUnit`: length of the world's unit.
std::optional<Thread> threadOf(const ThreadCylinder& a, const ThreadCylinder& b, double millimetresPerUnit);
/// Recognises a thread in two placed parts; the one with the deepest overlap. Thread-safe.
std::optional<Thread> recogniseThread(const TriangleMesh& a, const Transform& worldFromA,
                                      const TriangleMesh& b, const Transform& worldFromB,
                                      double millimetresPerUnit);

/// All pairs of instances of a scene that are recognised as threads, by position, the lower one first;
/// sorted. Throws CancelledError.
std::vector<std::pair<std::size_t, std::size_t>> threadPairs(const Scene& scene, const Poses& poses,
                                                             double millimetresPerUnit,
                                                             const Progress& progress = {});

/// Clashes of a report that look like threads, and no rule matches them.
struct ThreadSuggestion {
  std::size_t pairs = 0;
  double leastOverlap = 0, mostOverlap = 0;  ///< of the recognised cylinders
};
/// Finds the clashes that are recognised as threads and are at most a fiftieth deeper than those, and within
/// their error bounds and tolerance. Throws CancelledError.
ThreadSuggestion findThreads(const Scene& scene, const Poses& poses, const InterferenceReport& report,
                             double millimetresPerUnit, const Progress& progress = {});
/// Returns the rule that allows all threads up to the deepest overlap of the suggestion, rounded up to two
/// digits, with room for the chord error. Precondition: `pairs` is not 0.
Rule ruleFor(const ThreadSuggestion& found);

}  // namespace fitup
