#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/scene/live_interference.h>

namespace osgFitup::detail {

/// A scene as it is handed to a check: values alone, nothing of the scene graph. Never changed, so any thread
/// may read it and drop it.
struct SceneSnapshot {
  fitup::Scene scene;
  fitup::PairSelection selection;
  /// By which an instance is recognised in another snapshot: the addresses of its path. That another node may
  /// come to lie at an address does no harm, since nothing but answers for equal models in equal placements
  /// is taken over.
  std::map<std::vector<const void*>, fitup::NodeId> names;
};

/// What is to be checked.
struct MonitorJob {
  std::shared_ptr<const SceneSnapshot> scene;         ///< set: in place of the one before
  std::optional<fitup::InterferenceOptions> options;  ///< set: nothing that is known is used
  fitup::Poses moved;                                 ///< since the snapshot was made
  std::uint64_t generation = 0;                       ///< of the snapshot that `moved` is about
  std::chrono::steady_clock::time_point asked;
};

/// What was found.
struct MonitorAnswer {
  std::uint64_t generation = 0;
  fitup::InterferenceReport report;
  fitup::Poses placements;  ///< of the instances in `report`
  std::size_t openPairs = 0;
  std::string error;        ///< empty, or why there is no report
  double milliseconds = 0;  ///< from `asked` to the answer
};

/// Checks jobs one after the other, in the thread that calls it.
class MonitorEngine {
 public:
  /// Puts the answer in place of the one that is there, in whose memory it is made. False if there was
  /// nothing to do.
  bool run(MonitorJob job, MonitorAnswer& answer, const fitup::Progress& progress = {});

 private:
  bool check(MonitorJob& job, const fitup::Progress& progress);

  fitup::InterferenceOptions options_;
  std::shared_ptr<const SceneSnapshot> scene_;
  fitup::Poses moved_;  ///< since the snapshot was made
  std::unique_ptr<fitup::LiveInterference> live_;
};

}  // namespace osgFitup::detail
