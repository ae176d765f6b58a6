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

/// The question of a table.
struct Question {
  std::optional<QueryMode> mode;  ///< which pairs to find; unset: the least distance
  /// Whether any two parts of a step intersect: the step ends with the first pair of parts that do. The mode
  /// is then that for the first pair.
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

/// A library or configuration that answers the questions of a scene, on one thread.
class Contestant {
 public:
  virtual ~Contestant() = default;
  [[nodiscard]] virtual ContestantInfo info() const = 0;
  [[nodiscard]] virtual bool answers(QueryMode mode) const = 0;

  /// Takes the parts in the types that the library needs. Not timed.
  virtual void load(const Parts& parts) = 0;
  /// Builds its hierarchies over the loaded parts, possibly again. Timed as building.
  virtual void build() = 0;
  /// Returns the bytes of the hierarchies without points and triangle indices; empty if the library does not
  /// report them.
  [[nodiscard]] virtual std::optional<std::size_t> hierarchyBytes() const { return std::nullopt; }

  /// Called before the first question of a scene of the loaded parts; not timed. For work that users do once
  /// for parts that never move.
  virtual void enter(const Scene&) {}
  /// Whether the contestant prepares each question in `place`, outside the clock, because it is measured with
  /// nothing moved.
  [[nodiscard]] virtual bool placesOutsideClock() const { return false; }
  virtual void place(const PosedPair&) {}

  /// Called before the questions of each step, inside the clock: B has moved since, even if an earlier pose
  /// returns.
  virtual void beginStep() {}
  /// Answers one question; returns the number of pairs found (of triangles, or of surfaces by mode).
  virtual std::size_t query(const PosedPair& pair, QueryMode mode) = 0;
  /// Appends the pairs that the last query found, in any order, by `packed`. Returns false if it does not
  /// report them. Not for the first pair, which may be any. Not timed.
  virtual bool lastPairs(QueryMode, std::vector<std::uint64_t>&) { return false; }
  /// Whether an answer uses earlier ones; the questions then have to be in a user's order.
  [[nodiscard]] virtual bool isCoherent() const { return false; }
  /// Returns whether any pair of a step intersects: asks them in their order until one does, unless it knows
  /// a better order.
  virtual bool anyOf(const std::vector<PosedPair>& step) {
    return std::any_of(step.begin(), step.end(),
                       [&](const PosedPair& pair) { return query(pair, QueryMode::firstSurfacePair) > 0; });
  }
  /// Whether it can measure the least distance of two parts, and the answer: in world coordinates, not below
  /// zero, zero if they intersect.
  [[nodiscard]] virtual bool measuresDistances() const { return false; }
  virtual double distance(const PosedPair&) { return 0; }
  /// Returns the operation counts of all queries since the last call; empty for libraries that do not count.
  virtual std::optional<QueryStats> takeStats() { return std::nullopt; }
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;

/// A pair of ids of triangles or of surfaces.
template <typename Id>
std::uint64_t packed(Id a, Id b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
}

/// Implements `Contestant::lastPairs` for those that keep both lists. Returns true.
inline bool appendPairs(QueryMode mode, const std::vector<TrianglePair>& triangles,
                        const std::vector<SurfacePair>& surfaces, std::vector<std::uint64_t>& to) {
  const auto append = [&](const auto& pairs) {
    for (const auto& pair : pairs) to.push_back(packed(pair.a, pair.b));
  };
  mode == QueryMode::allTrianglePairs ? append(triangles) : append(surfaces);
  return true;
}

/// One configuration of Fitup.
struct FitupOptions {
  std::string name;             ///< name of the row
  IntersectionRequest request;  ///< its mode is replaced by that of the question
  BuildOptions build;
  unsigned threads = 1;  ///< threads of a query, as its row shows; several need --wall-clock
};
std::unique_ptr<Contestant> makeFitup(const FitupOptions& options);

/// The hierarchies and settings in the tables.
std::vector<FitupOptions> fitupSettings();
/// Fan-outs and build methods of the R-trees of S-CD; the first is the default.
std::vector<FitupOptions> fitupRTrees();
/// Every system of the field with its configurations, after `wide` and S-CD.
std::vector<FitupOptions> fitupTrees();

/// The configurations that measure distances.
std::vector<FitupOptions> fitupDistanceSettings();

/// The peers whose libraries were found at build time.
Contestants makePeers();
/// The peers that measure distances.
Contestants makeDistancePeers();

/// Returns the number of distinct surface pairs of these triangle pairs, which are copied to `scratch`; for
/// libraries without surfaces.
inline std::size_t countSurfacePairs(const std::vector<TrianglePair>& pairs, const TriangleMesh& a,
                                     const TriangleMesh& b, std::vector<SurfacePair>& scratch) {
  scratch.clear();
  for (const TrianglePair& pair : pairs) scratch.push_back({a.surfaceOf(pair.a), b.surfaceOf(pair.b)});
  std::sort(scratch.begin(), scratch.end());
  scratch.erase(std::unique(scratch.begin(), scratch.end()), scratch.end());
  return scratch.size();
}

}  // namespace fitup::bench
