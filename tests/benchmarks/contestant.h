#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/query/intersect.h>

#include "scene.h"

namespace fitup::bench {

/// One library or configuration that answers the questions of a scene.
class Contestant {
 public:
  virtual ~Contestant() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool answers(QueryMode mode) const = 0;
  /// Builds what it needs of the scene's parts. Not timed here.
  virtual void prepare(const Scene& scene) = 0;
  /// Answers one question; returns the number of pairs found (of triangles, or of surfaces by mode).
  virtual std::size_t query(const PosedPair& pair, QueryMode mode) = 0;
  /// Operation counts of all queries since the last call; nothing for libraries that do not count.
  virtual std::optional<QueryStats> takeStats() { return std::nullopt; }
};

std::unique_ptr<Contestant> makeFitup(HierarchyKind kind, OverlapBoxSetting setting,
                                      const BuildOptions& build = {});
/// What is built in: each is there if its library was found.
std::vector<std::unique_ptr<Contestant>> makePeers();

}  // namespace fitup::bench
