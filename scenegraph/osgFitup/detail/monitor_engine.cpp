#include <osgFitup/detail/monitor_engine.h>

#include <utility>

#include <fitup/base/error.h>

namespace osgFitup::detail {
namespace {

std::vector<std::optional<fitup::NodeId>> formerNames(const SceneSnapshot& now, const SceneSnapshot& before) {
  std::map<fitup::NodeId, fitup::NodeId> former;
  for (const auto& [path, node] : now.names)
    if (const auto found = before.names.find(path); found != before.names.end()) former[node] = found->second;
  std::vector<std::optional<fitup::NodeId>> result;
  for (const fitup::NodeId node : now.scene.instances()) {
    const auto found = former.find(node);
    result.push_back(found == former.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

}  // namespace

/// False if there was nothing to do.
bool MonitorEngine::check(MonitorJob& job, const fitup::Progress& progress) {
  using fitup::LiveInterference;
  if (job.options) {
    options_ = *job.options;
    live_.reset();
  }
  bool isNew = false;
  if (job.scene) {
    moved_.clear();
    const auto before = std::exchange(scene_, job.scene);
    auto live =
        live_ ? std::make_unique<LiveInterference>(*live_, scene_->scene, fitup::Poses{},
                                                   formerNames(*scene_, *before), scene_->selection, progress)
              : nullptr;
    live_ = std::move(live);
    isNew = live_ != nullptr;
  }
  moved_.set(job.moved);
  if (!scene_) return false;
  if (!live_) {
    options_.selection = scene_->selection;
    live_ = std::make_unique<LiveInterference>(scene_->scene, moved_, options_, progress);
    return true;
  }
  if (job.moved.empty() && (isNew || live_->openPairs() == 0)) return isNew;
  live_->move(job.moved, progress);
  return true;
}

bool MonitorEngine::run(MonitorJob job, MonitorAnswer& answer, const fitup::Progress& progress) {
  std::string error;
  try {
    if (!check(job, progress)) return false;
  } catch (const fitup::Error& caught) {
    // Whatever is half done is done anew next time.
    error = caught.what();
    live_.reset();
  }
  answer.generation = job.generation;
  answer.error = std::move(error);
  answer.placements.clear();
  if (live_) {
    answer.report = live_->report();
    answer.openPairs = live_->openPairs();
    for (const fitup::PairInterference& pair : answer.report.pairs)
      for (const fitup::NodeId node : {pair.a, pair.b})
        answer.placements.set(node, live_->worldFromPart(node));
  } else {
    answer.report = {};
    answer.openPairs = 0;
  }
  answer.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - job.asked).count();
  return true;
}

}  // namespace osgFitup::detail
