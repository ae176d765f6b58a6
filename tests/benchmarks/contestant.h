#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/query/intersect.h>

#include "results.h"
#include "scene.h"

namespace fitup::bench {

/// What a table asks.
struct Question {
  std::optional<QueryMode> mode;  ///< the pairs that it finds; unset: the least distance
  /// Whether any two parts of a step intersect: it ends with the first that do. The mode is then that for the
  /// first pair.
  bool endsStep = false;

  Question(QueryMode wanted) : mode(wanted) {}
  static Question firstOfStep() {
    Question question(QueryMode::firstSurfacePair);
    question.endsStep = true;
    return question;
  }
  static Question distance() {
    Question question(QueryMode::firstSurfacePair);
    question.mode.reset();
    return question;
  }
};
std::string name(const Question& question);

/// One library or configuration that answers the questions of a scene, on one thread.
class Contestant {
 public:
  virtual ~Contestant() = default;
  [[nodiscard]] virtual ContestantInfo info() const = 0;
  [[nodiscard]] virtual bool answers(QueryMode mode) const = 0;

  /// Takes over the parts in the types that the library wants. Not timed.
  virtual void load(const Parts& parts) = 0;
  /// Builds its hierarchies over the loaded parts, which it may do again. Timed as building.
  virtual void build() = 0;
  /// Bytes of the hierarchies without points and triangle indices; nothing where the library does not tell.
  [[nodiscard]] virtual std::optional<std::size_t> hierarchyBytes() const { return std::nullopt; }

  /// Before the first question of a scene of the loaded parts; not timed. For work that users do once for
  /// parts that never move.
  virtual void enter(const Scene&) {}
  /// A contestant that is shown with nothing moved prepares each question here, outside the clock.
  [[nodiscard]] virtual bool placesOutsideClock() const { return false; }
  virtual void place(const PosedPair&) {}

  /// Before the questions of each step, inside the clock: B has moved since, even if the pose is an old one
  /// again.
  virtual void beginStep() {}
  /// Answers one question; returns the number of pairs found (of triangles, or of surfaces by mode).
  virtual std::size_t query(const PosedPair& pair, QueryMode mode) = 0;
  /// Appends the pairs that the last query found, in any order, by `packed`. False if it does not tell them.
  /// Not for the first pair, which may be any. Not timed.
  virtual bool lastPairs(QueryMode, std::vector<std::uint64_t>&) { return false; }
  /// True if an answer makes use of those before: then questions have to follow each other as they do for a
  /// user.
  [[nodiscard]] virtual bool isCoherent() const { return false; }
  /// Whether any pair of a step intersects: asks them in their order until one does, unless it knows a better
  /// one.
  virtual bool anyOf(const std::vector<PosedPair>& step) {
    return std::any_of(step.begin(), step.end(),
                       [&](const PosedPair& pair) { return query(pair, QueryMode::firstSurfacePair) > 0; });
  }
  /// Whether it can be asked for the least distance of two parts, and the answer: in the world, not below
  /// zero, zero where they intersect.
  [[nodiscard]] virtual bool measuresDistances() const { return false; }
  virtual double distance(const PosedPair&) { return 0; }
  /// Operation counts of all queries since the last call; nothing for libraries that do not count.
  virtual std::optional<QueryStats> takeStats() { return std::nullopt; }
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;

/// A pair of ids of triangles or of surfaces.
template <typename Id>
std::uint64_t packed(Id a, Id b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
}

/// For `Contestant::lastPairs` of those who keep both lists. True.
inline bool appendPairs(QueryMode mode, const std::vector<TrianglePair>& triangles,
                        const std::vector<SurfacePair>& surfaces, std::vector<std::uint64_t>& to) {
  const auto append = [&](const auto& pairs) {
    for (const auto& pair : pairs) to.push_back(packed(pair.a, pair.b));
  };
  mode == QueryMode::allTrianglePairs ? append(triangles) : append(surfaces);
  return true;
}

/// One way to ask Fitup.
struct FitupOptions {
  std::string name;             ///< of the row
  IntersectionRequest request;  ///< its mode is replaced by the one asked
  BuildOptions build;
  unsigned threads = 1;  ///< of a query, as its row says; several need --wall-clock
};
std::unique_ptr<Contestant> makeFitup(const FitupOptions& options);

/// The hierarchies and settings that the tables show.
std::vector<FitupOptions> fitupSettings();
/// Fan-outs and ways to build the R-trees of S-CD; the first is the default.
std::vector<FitupOptions> fitupRTrees();
/// Every system of the field with its configurations, after `wide` and S-CD.
std::vector<FitupOptions> fitupTrees();

/// Those that are asked for distances.
std::vector<FitupOptions> fitupDistanceSettings();

/// What is built in: each is there if its library was found.
Contestants makePeers();
/// Those that measure distances.
Contestants makeDistancePeers();

/// Number of distinct surface pairs of these triangle pairs, which come into `scratch`, for libraries that
/// know no surfaces.
std::size_t countSurfacePairs(const std::vector<TrianglePair>& pairs, const TriangleMesh& a,
                              const TriangleMesh& b, std::vector<SurfacePair>& scratch);

}  // namespace fitup::bench
