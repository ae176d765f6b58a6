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

/// Finds what people made of findings whose parts had other paths in former versions: a product of several
/// bodies, which are parts below it now, was one part; a product that Open CASCADE divided into a solid and
/// an empty compound had its part at "/SOLID" below it. `instancesAt` finds the parts of such paths.
class FormerReviews {
 public:
  /// Takes time linear in the nodes. The assembly must outlive this.
  explicit FormerReviews(const Assembly& assembly);

  /// The review of a pair of surfaces of two instances, or of the instances, in `reviews`: by the `findingId`
  /// or `pairId` of now, else by a former one.
  ///
  /// A pair of surfaces is known by its surfaces, so its former review holds. One of a product and another
  /// part was made of several pairs of now together. Nobody looked at each: its comment stays, and a status
  /// that somebody gave becomes `active`.
  [[nodiscard]] std::optional<Review> find(const std::map<std::string, Review>& reviews, NodeId a, NodeId b,
                                           const std::optional<SurfacePair>& surfaces);

 private:
  /// A path that an instance has, or had.
  struct Identity {
    std::string path;
    std::uint32_t firstSurface = 0;  ///< the number that its first surface had
    bool isOneOfSeveral = false;     ///< others were part of that, too
  };
  const std::vector<Identity>& identitiesOf(NodeId instance);

  const Assembly& assembly_;
  /// By node: how many surfaces the siblings before it have.
  std::vector<std::uint32_t> firstSurface_;
  std::unordered_map<std::uint32_t, std::vector<Identity>> identities_;  ///< of nodes that were asked for
};

}  // namespace fitup
