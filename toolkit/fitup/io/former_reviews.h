#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/io/report_document.h>
#include <fitup/query/report.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// Finds reviews of findings whose parts had other paths in former versions. A product of several bodies,
/// which are now parts below it, was one part. A product that Open CASCADE divided into a solid and an empty
/// compound had its part at "/SOLID" below it. `instancesAt` finds the parts of such paths.
class FormerReviews {
 public:
  /// Linear in the number of nodes. Refers to the assembly.
  explicit FormerReviews(const Assembly& assembly);

  /// The review, in `reviews`, of a pair of surfaces of two instances, or of the instances themselves: by the
  /// current `findingId` or `pairId`, otherwise by a former one.
  ///
  /// The surfaces identify a pair of surfaces, so its former review applies. A former pair with a product of
  /// several bodies corresponds to several current pairs, none of which was reviewed on its own: they keep
  /// its comment, and a status that somebody set becomes `active`.
  [[nodiscard]] std::optional<Review> find(const std::map<std::string, Review>& reviews, NodeId a, NodeId b,
                                           const std::optional<SurfacePair>& surfaces);

 private:
  /// A current or former path of an instance.
  struct Identity {
    std::string path;
    std::uint32_t firstSurface = 0;  ///< former ordinal of its first surface
    bool isOneOfSeveral = false;     ///< other instances belonged to the same part
  };
  const std::vector<Identity>& identitiesOf(NodeId instance);

  const Assembly& assembly_;
  /// By node: number of surfaces of the siblings before it.
  std::vector<std::uint32_t> firstSurface_;
  std::unordered_map<std::uint32_t, std::vector<Identity>> identities_;  ///< by node, filled on request
};

}  // namespace fitup
