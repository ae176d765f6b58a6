#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/base/borrowed.h>
#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/look_ahead.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/detail/search_budget.h>
#include <fitup/motion/detail/track_scene.h>
#include <fitup/motion/first_contact.h>

namespace fitup::detail {

/// A pair that may come into contact, by position in `TrackScene::design`; the first one moves.
struct MotionPair {
  std::uint32_t first, second;
  double clearance = 0;
  double chordErrors = 0;            ///< the largest ones of both parts together
  std::optional<PairLimit> limit{};  ///< in contact at the start
  bool isFollowed = true;            ///< false: in contact at the start, and nothing limits that
  Stride distances{}, contacts{};    ///< of searches ahead
};

/// What is certain of a pair from a place of the way on.
struct Certain {
  double until = 0;    ///< s, above 1 if to the end of the way
  double atLeast = 0;  ///< distance or, of a pair with a limit, margin
  std::optional<SurfacePair> nearest{};
};

/// Receives what a search finds certain.
class MotionObserver {
 public:
  virtual ~MotionObserver() = default;
  /// The pair keeps this from `from` to `to`, in steps of the track. Calls for one pair are in order, without
  /// gaps, and may reach beyond the time at which the search ends.
  virtual void keeps(const MotionPair& pair, double from, double to, const Certain& certain) = 0;
};

/// The shapes that a search is about.
enum class MotionShapes {
  triangles,          ///< and nothing else
  withinChordErrors,  ///< every surface within the chord errors: clearances grow by those of both parts
  exactToo,           ///< the exact shapes up to their contact, then the triangles; or as the options say
};

/// What a search is for.
struct MotionPurpose {
  MotionShapes shapes = MotionShapes::exactToo;
  MotionObserver* observer = nullptr;  ///< may be null
};

/// Follows all pairs of a track up to the first one that breaks its limit: the search behind `firstContact`
/// and `certify`. Refers to its arguments.
class MotionSearch {
 public:
  MotionSearch(const Scene& model, const Poses& poses, const Track& track, const FirstContactOptions& options,
               const Progress& progress, const MotionPurpose& purpose = {});

  FirstContactReport run();

  /// Pairs that no rule excludes; those that rules exclude.
  [[nodiscard]] const std::vector<MotionPair>& pairs() const noexcept { return pairs_; }
  [[nodiscard]] const std::vector<CandidatePair>& excluded() const noexcept { return excluded_; }
  [[nodiscard]] NodeId nodeOf(std::uint32_t position) const { return scene_.design[position].node; }

 private:
  [[nodiscard]] std::array<Vec3, 8> cornersOf(const PlacedInstance& p) const {
    return cornersInWorld(model_.modelOf(p.node).mesh(), p.worldFromPart);
  }
  [[nodiscard]] PosedModel posed(const PlacedInstance& p) const {
    return {borrowed(model_.modelOf(p.node)), p.worldFromPart};
  }
  [[nodiscard]] MovingPair movingPair(const PlacedInstance& a, const PlacedInstance& b) const {
    return {{borrowed(model_.solidOf(a.node)), a.worldFromPart},
            {borrowed(model_.solidOf(b.node)), b.worldFromPart},
            boxDistance(a, b),
            rounding_};
  }
  [[nodiscard]] QueryContext& contextOf(const MotionPair& pair) {
    return contexts_[{pair.first, pair.second}];
  }

  [[nodiscard]] std::size_t lastStep() const { return std::max<std::size_t>(track_.steps.size(), 1) - 1; }
  void findPairs();
  void chooseResolution();
  /// Speed bounds by position in `TrackScene::design`.
  [[nodiscard]] std::vector<double> speeds(const std::vector<RigidPath>& paths) const;
  const PlacedInstance& placedAt(std::uint32_t i, const std::vector<RigidPath>& paths, double s);
  [[nodiscard]] UniformWay wayOf(std::uint32_t i, const std::vector<RigidPath>& paths) const;
  [[nodiscard]] bool rests(std::uint32_t i) const { return scene_.groupOf[i] == TrackScene::resting; }

  bool findInitialContacts();
  bool findInitialContact(MotionPair& pair, const Rule* rule);
  void setLimit(MotionPair& pair, double tolerance);
  void leaveUnknown(MotionPair& pair);
  [[nodiscard]] Verdict verdictApart(const MotionPair& pair, double tolerance);
  double toleranceBound(const PlacedInstance& a, const PlacedInstance& b, const Rule* rule) const;
  double toleranceOf(const PlacedInstance& a, const PlacedInstance& b, const Rule* rule) const;

  bool runStep();
  /// What is certain of a pair from s on; nothing at contact or when the work ends.
  std::optional<Certain> look(MotionPair& pair, double s, const std::vector<RigidPath>& paths, double speed);
  std::optional<Certain> lookAtLimit(MotionPair& pair, const OnWay& on, const std::vector<RigidPath>& paths);
  std::optional<Certain> lookAtSlab(const MotionPair& pair, const OnWay& on,
                                    const std::vector<RigidPath>& paths);
  /// What is certain of a pair that keeps this distance at s, here or farther ahead.
  Certain ahead(MotionPair& pair, const OnWay& on, const std::vector<RigidPath>& paths, double distance,
                double clearance, double reserve, const std::optional<SurfacePair>& nearest);
  void endAtLimit(const MotionPair& pair, const PlacedInstance& a, const PlacedInstance& b);

  // Of the exact shapes (motion_search_exact.cpp):
  std::optional<double> lookAtShapes(const PlacedInstance& a, const PlacedInstance& b,
                                     const MotionPair& pair);
  std::optional<double> exactMargin(const PlacedInstance& a, const PlacedInstance& b, const MotionPair& pair,
                                    const DistanceRequest& request);
  void addError(const std::vector<RigidPath>& paths, double s);
  void findExactLatest(const std::vector<RigidPath>& paths, double s);

  [[nodiscard]] DistanceRequest requestWithin(std::optional<double> ignoreBeyond) const;
  DistanceReport measure(const PlacedInstance& a, const PlacedInstance& b, const DistanceRequest& request,
                         QueryContext& context) const;
  bool stopped();

  const Scene& model_;
  const Track& track_;
  FirstContactOptions options_;
  const Progress& progress_;
  MotionPurpose purpose_;
  SearchBudget budget_;
  TrackScene scene_;
  std::vector<PlacedInstance> placed_;
  std::vector<double> placedAt_;
  std::vector<std::array<Vec3, 8>> corners_;
  std::vector<double> chordErrors_;  ///< the largest one of each instance
  bool hasChordErrors_ = false;      ///< of any pair
  /// The time at which the exact shapes of the first pair may be in contact. Unset: not yet.
  std::optional<double> exactClearUntil_;
  std::vector<MotionPair> pairs_;
  std::vector<CandidatePair> excluded_;  ///< by rules
  std::map<std::pair<std::uint32_t, std::uint32_t>, QueryContext> contexts_;
  std::size_t step_ = 0;
  double rounding_ = 0;
  double finest_ = 0;  ///< tolerance of pairs of unknown chord errors
  FirstContactReport report_;
};

}  // namespace fitup::detail
