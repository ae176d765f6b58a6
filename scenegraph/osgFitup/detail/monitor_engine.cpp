#include <osgFitup/detail/monitor_engine.h>

#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>

namespace osgFitup::detail {
namespace {

/// What was asked for later wins.
void merge(MonitorJob&& later, MonitorJob& into) {
  if (later.scene) {
    into.scene = std::move(later.scene);
    into.moved.clear();
  }
  if (later.options) into.options = std::move(later.options);
  for (const auto& [instance, placement] : later.moved) into.moved[instance] = placement;
  into.generation = later.generation;
}

std::vector<std::optional<fitup::NodeId>> formerNames(const SceneSnapshot& now, const SceneSnapshot& before) {
  std::map<fitup::NodeId, fitup::NodeId> former;
  for (const auto& [path, node] : now.names)
    if (const auto found = before.names.find(path); found != before.names.end()) former[node] = found->second;
  std::vector<std::optional<fitup::NodeId>> result;
  for (const fitup::NodeId node : now.assembly.instances()) {
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
        live_ ? std::make_unique<LiveInterference>(*live_, scene_->assembly, scene_->models,
                                                   formerNames(*scene_, *before), progress, scene_->selection)
              : nullptr;
    live_ = std::move(live);
    isNew = live_ != nullptr;
  }
  for (const auto& [instance, placement] : job.moved) moved_[instance] = placement;
  if (!scene_) return false;
  bool isAnew = false;
  if (!live_) {
    live_ = std::make_unique<LiveInterference>(scene_->assembly, scene_->models, options_, progress,
                                               scene_->selection);
    isNew = isAnew = true;
  }
  std::vector<fitup::InstanceMove> moves;
  for (const auto& [instance, placement] : isAnew ? moved_ : job.moved)
    moves.push_back({instance, placement});
  if (moves.empty() && (isNew || live_->openPairs() == 0)) return isNew;
  live_->move(moves, progress);
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
        answer.placements.emplace(node, live_->worldFromPart(node));
  } else {
    answer.report = {};
    answer.openPairs = 0;
  }
  answer.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - job.asked).count();
  return true;
}

MonitorWorker::MonitorWorker() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

MonitorWorker::~MonitorWorker() {
  {
    const std::lock_guard lock(mutex_);
    thread_.request_stop();
  }
  changed_.notify_all();
}

void MonitorWorker::hand(MonitorJob job) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_)
      merge(std::move(job), *waiting_);
    else
      waiting_ = std::move(job);
  }
  changed_.notify_all();
}

bool MonitorWorker::fetch(MonitorAnswer& answer) {
  const std::lock_guard lock(mutex_);
  if (!hasAnswer_) return false;
  std::swap(answer, answer_);
  hasAnswer_ = false;
  return true;
}

void MonitorWorker::waitUntilIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !isBusy_ && !waiting_; });
}

void MonitorWorker::work(const std::stop_token& stop) {
  fitup::stayBehindOtherThreads();
  MonitorEngine engine;
  MonitorAnswer answer;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return waiting_.has_value() || stop.stop_requested(); });
    if (stop.stop_requested()) return;
    MonitorJob job = std::move(*waiting_);
    waiting_.reset();
    isBusy_ = true;
    lock.unlock();
    const bool isNew = engine.run(std::move(job), answer, fitup::Progress(stop));
    lock.lock();
    if (isNew) std::swap(answer, answer_);
    hasAnswer_ |= isNew;
    isBusy_ = false;
    changed_.notify_all();
  }
}

}  // namespace osgFitup::detail
