#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/io/read_assembly.h>
#include <fitup/scene/interference_report.h>

namespace fitup::test {

/// An occurrence of a solid in a STEP or IGES file according to Open CASCADE alone, in mm.
struct OccurringSolid {
  double volume = 0, chordError = 0;
  Box worldBox;  ///< box of its tessellation
};

/// What two solids have in common according to the Booleans of Open CASCADE, in mm.
struct SolidOverlap {
  std::size_t first = 0, second = 0;
  /// "counts"; "disagrees" if V(A) + V(B) = V(union) + V(common) does not hold within a millionth of the
  /// smaller solid; "failed", "crashed", or "late" if the time ended.
  std::string state;
  double defect = 0;  ///< that difference of volumes, relative to the smaller solid; -1 without a result
  double volume = 0, area = 0;  ///< of the common solid
  double ballRadius = 0;        ///< lower bound of the radius of the largest ball in it
  double depth = 0;             ///< lower bound of the largest distance of its surface from that of A or B
  double seconds = 0;
  [[nodiscard]] bool counts() const { return state == "counts"; }
};

/// All pairs of solids whose boxes overlap.
struct BooleanOverlaps {
  std::string version;  ///< Open CASCADE's
  std::vector<OccurringSolid> solids;
  std::vector<SolidOverlap> pairs;
};

/// Runs support/brep_overlaps.cpp, each pair for at most some seconds. Throws as `takeCensus`, after three
/// hours. Available only if the CAD importer is built.
BooleanOverlaps takeBooleanOverlaps(const std::filesystem::path& file, int secondsPerPair = 60);
/// The same from the output of that program. Throws std::runtime_error if it is not complete.
BooleanOverlaps parseBooleanOverlaps(const std::string& output);

/// Checks all pairs of a model as `fitup check --verdict` does.
InterferenceReport judgedPairs(const Model& model);

/// The comparison of verdicts with Booleans, pair by pair. Only Booleans that count are compared.
struct VerdictComparison {
  std::size_t pairs = 0;  ///< those whose boxes overlap
  /// Those whose Boolean does not count, and of these those that have a common solid, or none, as the verdict
  /// says.
  std::size_t failedBooleans = 0, failedThatAgree = 0;
  /// Clashes: the common solid holds a ball of diameter 2 t; or it does not, but is more than chord errors.
  std::size_t clashesWithBall = 0, otherClashes = 0;
  std::size_t contacts = 0, clear = 0;  ///< that agree
  std::size_t undecided = 0;
  /// Instances that are none of the solids, and solids that are no instance.
  std::vector<std::string> unmatched;
  /// No clash, although the common solid holds a ball of diameter 2 t or reaches deeper than t; or clear,
  /// although there is a common solid.
  std::vector<std::string> missed;
  /// A clash of parts that have nothing in common beyond chord errors.
  std::vector<std::string> falseClashes;
  /// Clashes that are deeper than the upper end of their depth.
  std::vector<std::string> tooShallow;
  /// For people: the `otherClashes` and the `failedThatAgree`; the rest of the Booleans that do not count.
  std::vector<std::string> notes, failures;
};

/// Compares a report of a model with the overlaps of its file. Solids and instances are matched by their
/// boxes and volumes. A pair that the report does not list is clear.
VerdictComparison compareVerdicts(const BooleanOverlaps& overlaps, const Model& model,
                                  const InterferenceReport& report);

}  // namespace fitup::test
