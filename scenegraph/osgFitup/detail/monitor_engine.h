#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fitup/scene/live_interference.h>

namespace osgFitup::detail {

/// A scene as it is handed to a check: values alone, nothing of the scene graph. Never changed, so any thread
/// may read it and drop it.
struct SceneSnapshot {
  fitup::Assembly assembly;
  fitup::CollisionModels models;
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
  std::map<fitup::NodeId, fitup::Transform> moved;    ///< since the snapshot was made
  std::uint64_t generation = 0;                       ///< of the snapshot that `moved` is about
  std::chrono::steady_clock::time_point asked;
};

/// What was found.
struct MonitorAnswer {
  std::uint64_t generation = 0;
  fitup::InterferenceReport report;
  std::map<fitup::NodeId, fitup::Transform> placements;  ///< of the instances in `report`
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
  std::map<fitup::NodeId, fitup::Transform> moved_;  ///< since the snapshot was made
  std::unique_ptr<fitup::LiveInterference> live_;
};

/// A `MonitorEngine` in a thread of its own. A job that is handed over while another one waits is merged into
/// it; an answer that was not fetched gives way to the next one. All members are for one thread to call.
class MonitorWorker {
 public:
  MonitorWorker();
  /// Cancels what is being checked and waits for the thread.
  ~MonitorWorker();

  void hand(MonitorJob job);
  /// The last answer in exchange for one that is no longer needed, so that none of its memory changes hands
  /// between the allocators of two threads. False if there is none that was not fetched.
  bool fetch(MonitorAnswer& answer);
  /// Waits until all that was handed over is answered.
  void waitUntilIdle();

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<MonitorJob> waiting_;
  MonitorAnswer answer_;
  bool hasAnswer_ = false;  ///< that was not fetched
  bool isBusy_ = false;
  std::jthread thread_;  ///< last, so that it ends before what it uses
};

}  // namespace osgFitup::detail
