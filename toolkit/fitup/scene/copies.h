#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/scene/interference_report.h>

namespace FITUP_EXPORT fitup {

/// The largest distance, in the world, between corresponding points of two placed meshes. Empty if it exceeds
/// `most`, or unless both meshes have the same number of points and the same triangles over them. Linear in
/// the number of points; ends at the first point that is too far away. Thread-safe.
std::optional<double> distanceOfCopies(const TriangleMesh& a, const Transform& worldFromA,
                                       const TriangleMesh& b, const Transform& worldFromB, double most);

/// True if both meshes have the same points, triangles and surfaces, bit by bit, and the same chord error.
bool isSameGeometry(const TriangleMesh& a, const TriangleMesh& b) noexcept;

/// Decides whether the two parts of a pair that no rule matches are identical and in one place
/// (`PairInterference::areCopies`), from their verdict. Such a pair clashes: a verdict that says less,
/// because the parts are open or too thin for a depth, becomes a clash without a depth. Precondition: the
/// verdict is not open (`VerdictReport::isOpen`).
bool judgeCopies(const PosedSolid& a, const PosedSolid& b, VerdictReport& verdict);

/// Identical instances in one place, which count as one finding: instances connected by pairs with
/// `PairInterference::areCopies`.
struct CopySet {
  std::vector<NodeId> instances;  ///< ascending; at least two
  /// Number of pairs of these instances that are copies. Other pairs of them are listed on their own: a rule
  /// matches them, or they are farther apart than the tolerance.
  std::size_t pairs = 0;
};

/// A finding of a check: a pair of instances, or a set of copies.
struct ListedPair {
  const PairInterference* pair = nullptr;  ///< for a set of copies: its first pair, which stands for all
  std::optional<CopySet> copies{};
};

/// The pairs of a report with each set of copies as one entry, at the place of its first pair. Sets do not
/// depend on the order of instances. Refers to the report, which must outlive the result.
std::vector<ListedPair> listedPairs(const InterferenceReport& report);

/// "20 copies of col0 in one place". `path` is that of one of the instances.
std::string copiesText(std::size_t instances, std::string_view path);

}  // namespace fitup
