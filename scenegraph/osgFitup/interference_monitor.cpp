#include <osgFitup/interference_monitor.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <osg/observer_ptr>

#include <fitup/base/error.h>
#include <fitup/base/newest_task.h>
#include <fitup/motion/live_session.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/scene_watch.h>

namespace osgFitup {
namespace {

using Clock = std::chrono::steady_clock;

class UpdateMonitor : public osg::NodeCallback {
 public:
  explicit UpdateMonitor(InterferenceMonitor* monitor) : monitor_(monitor) {}
  void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
    traverse(node, visitor);
    osg::ref_ptr<InterferenceMonitor> monitor;
    if (monitor_.lock(monitor)) monitor->update();
  }

 private:
  osg::observer_ptr<InterferenceMonitor> monitor_;
};

/// A scene that was asked about, and what the check leaves out of it.
struct MonitoredScene {
  SceneAssembly assembly;
  std::vector<fitup::ImportWarning> warnings;
};

/// An answer, and what a monitor reports with it.
struct MonitorAnswer {
  fitup::LiveAnswer live;
  fitup::Poses placements;  ///< placements of the instances in the report
  double milliseconds = 0;  ///< time from the update that asked to the answer

  void make(fitup::LiveEngine& engine, const fitup::LiveQuestion& question, Clock::time_point asked,
            const fitup::Progress& progress = {}) {
    engine.answer(question, live, progress);
    place(question);
    milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
  }
  /// Continues the last answer of the engine, to the same question, for some time.
  void catchUp(fitup::LiveEngine& engine, const fitup::LiveQuestion& question,
               std::chrono::nanoseconds within, const fitup::Progress& progress = {}) {
    engine.catchUp(live, progress, within);
    place(question);
  }

 private:
  void place(const fitup::LiveQuestion& question) {
    placements.clear();
    if (live.report)
      for (const fitup::PairInterference& pair : live.report->pairs)
        for (const fitup::NodeId node : {pair.a, pair.b})
          placements.set(node, question.scene->scene.worldFromPart(node, question.poses));
  }
};

bool catchesUp(const fitup::InterferenceOptions& options) {
  return options.verdict && options.verdict->catchesUp();
}

/// Asks on a thread of its own. Answers are exchanged by swapping, so that no memory moves from the allocator
/// of one thread to that of another.
class AskedOnWorker {
 public:
  void ask(fitup::LiveQuestion asking, Clock::time_point asked) {
    const auto question = std::make_shared<const fitup::LiveQuestion>(std::move(asking));
    fitup::NewestTask::Task afterwards;
    if (catchesUp(*question->options))
      afterwards = [this, question](std::uint64_t, const fitup::Progress& progress) {
        catchUp(*question, progress);
      };
    thread_.hand(
        [this, question, asked](std::uint64_t, const fitup::Progress& progress) {
          own_.make(engine_, *question, asked, progress);
          made_ = catchesUp(*question->options) ? own_ : MonitorAnswer{};
          deliver();
        },
        std::move(afterwards), fitup::LiveSession::pause);
  }
  [[nodiscard]] bool isBusy() const { return thread_.busy(); }
  void wait() const { thread_.wait(); }
  /// Swaps the last answer out; returns false if it was taken before.
  bool take(MonitorAnswer& answer) {
    const std::lock_guard lock(mutex_);
    if (hasAnswer_) std::swap(answer, answer_);
    return std::exchange(hasAnswer_, false);
  }

 private:
  void deliver() {
    {
      const std::lock_guard lock(mutex_);
      std::swap(own_, answer_);
      hasAnswer_ = true;
    }
    own_.live.scene = nullptr;  // an earlier answer keeps only its memory
  }
  void catchUp(const fitup::LiveQuestion& question, const fitup::Progress& progress) {
    if (made_.live.openPairs > 0) return;  // the next update asks again
    for (std::size_t before = 0; made_.live.pairsOfTriangles != before;) {
      before = made_.live.pairsOfTriangles;
      made_.catchUp(engine_, question, fitup::LiveSession::deliveryPause, progress);
      if (progress.cancelled()) return;
      own_ = made_;
      deliver();
      if (made_.live.pairsOfTriangles == 0) return;
    }
  }

  fitup::LiveEngine engine_;
  MonitorAnswer own_;   ///< used on the thread
  MonitorAnswer made_;  ///< the last answer, with which it catches up
  std::mutex mutex_;
  MonitorAnswer answer_;
  bool hasAnswer_ = false;    ///< one that was not taken
  fitup::NewestTask thread_;  ///< last member, so that it ends before what it uses
};

}  // namespace

struct InterferenceMonitor::State {
  explicit State(osg::Node& node) : root(&node) {
    fitup::InterferenceOptions all;
    all.request.mode = fitup::QueryMode::allSurfacePairs;
    options = std::make_shared<const fitup::InterferenceOptions>(all);
  }

  /// Discards what the worker is still asked about, because the settings have changed.
  void askAnew() noexcept {
    isDirty = isAskedAnew = true;
    earlier.clear();
  }
  void rescan();
  /// The question about the present scene.
  fitup::LiveQuestion question() const {
    return {.options = options, .poses = scene->assembly.poses, .scene = live};
  }
  /// Takes `next` as the answer, if it is wanted.
  bool take(const InterferenceMonitor& monitor);
  bool fetch(const InterferenceMonitor& monitor) {
    return worker->take(next) && !isAskedAnew && take(monitor);
  }

  osg::ref_ptr<osg::Node> root;
  osg::ref_ptr<osg::NodeVisitor> masks = new osg::NodeVisitor;  ///< only its masks are used
  Where where = Where::inUpdate;
  std::shared_ptr<const fitup::InterferenceOptions> options;
  fitup::BuildOptions build;
  std::optional<SurfaceDivision> division;
  bool buildMissing = true;
  std::vector<osg::ref_ptr<osg::Node>> first, second;
  std::map<unsigned int, Callback> callbacks;
  unsigned int lastCallback = 0;
  osg::ref_ptr<osg::Callback> updateCallback;

  bool isDirty = true;
  bool isAskedAnew = false;  ///< by the next update; until then the answers of the worker are discarded
  std::size_t rescans = 0;
  detail::SceneWatch watch;
  std::unique_ptr<fitup::LiveEngine> engine =
      std::make_unique<fitup::LiveEngine>();  ///< one of the two, depending
  std::unique_ptr<AskedOnWorker> worker;      ///< on `where`

  /// The scene of the last update, as it is asked about, and the one of the last answer.
  std::shared_ptr<MonitoredScene> scene = std::make_shared<MonitoredScene>();
  std::shared_ptr<const fitup::LiveScene> live;
  std::shared_ptr<const MonitoredScene> answered = scene;
  /// Earlier scenes that the worker may still answer about; kept while its questions refer to them.
  std::vector<std::pair<std::weak_ptr<const fitup::LiveScene>, std::shared_ptr<const MonitoredScene>>>
      earlier;
  /// Ids of the instances of `live`, by the addresses of their paths. If another node gets the same address,
  /// no harm is done: answers are kept only for equal models in equal placements.
  std::map<std::vector<const void*>, std::uint64_t> identities;
  std::uint64_t lastIdentity = 0;
  MonitorAnswer answer, next;  ///< the last one, and memory for the next
  Clock::time_point asked;     ///< when the engine was asked last
};

InterferenceMonitor::InterferenceMonitor(osg::Node* root)
    : state_(std::make_unique<State>(detail::given(root, "InterferenceMonitor", "root"))) {
  state_->updateCallback = new UpdateMonitor(this);
}

InterferenceMonitor::~InterferenceMonitor() = default;

void InterferenceMonitor::setWhere(Where where) {
  if (where == state_->where) return;
  state_->where = where;
  state_->engine.reset();
  state_->worker.reset();
  if (where == Where::inUpdate)
    state_->engine = std::make_unique<fitup::LiveEngine>();
  else
    state_->worker = std::make_unique<AskedOnWorker>();
  state_->askAnew();
}

InterferenceMonitor::Where InterferenceMonitor::getWhere() const noexcept { return state_->where; }

void InterferenceMonitor::setOptions(const fitup::InterferenceOptions& options) {
  state_->options = std::make_shared<const fitup::InterferenceOptions>(options);
  state_->askAnew();
}

const fitup::InterferenceOptions& InterferenceMonitor::getOptions() const noexcept {
  return *state_->options;
}

void InterferenceMonitor::setTraversalMask(osg::Node::NodeMask mask) {
  state_->masks->setTraversalMask(mask);
  state_->askAnew();
}

void InterferenceMonitor::setBuildMissingModels(bool build) {
  state_->buildMissing = build;
  state_->askAnew();
}

void InterferenceMonitor::setBuildOptions(const fitup::BuildOptions& options) { state_->build = options; }

void InterferenceMonitor::setSurfaces(fitup::SceneSurfaces surfaces, double angleDegrees) {
  state_->division = {surfaces, angleDegrees};
  dirty();
}

void InterferenceMonitor::addFirst(osg::Node* node) {
  state_->first.emplace_back(node);
  state_->askAnew();
}

void InterferenceMonitor::addSecond(osg::Node* node) {
  state_->second.emplace_back(node);
  state_->askAnew();
}

void InterferenceMonitor::clearSets() {
  state_->first.clear();
  state_->second.clear();
  state_->askAnew();
}

unsigned int InterferenceMonitor::addCallback(Callback callback) {
  if (!callback) throw fitup::InputError("InterferenceMonitor::addCallback", "callback", "is empty");
  state_->callbacks[++state_->lastCallback] = std::move(callback);
  return state_->lastCallback;
}

void InterferenceMonitor::removeCallback(unsigned int id) { state_->callbacks.erase(id); }

osg::Callback* InterferenceMonitor::getUpdateCallback() { return state_->updateCallback.get(); }

void InterferenceMonitor::dirty() noexcept { state_->isDirty = true; }

void InterferenceMonitor::State::rescan() {
  fitup::BuildOptions buildAll = build;
  buildAll.add(options->request.hierarchy);
  detail::CheckedScene checked = detail::checkedScene(
      *root, {.masks = masks, .buildMissing = buildMissing, .build = buildAll, .division = division});
  watch.record(*root, *masks, checked.scene);
  ++rescans;
  // Solids that verdicts have built need not be built again.
  if (options->verdict)
    checked.scene.scene =
        scene->assembly.scene.edited(checked.scene.assembly(), checked.scene.scene.collisionModels());
  if (!std::exchange(isAskedAnew, false) && worker) earlier.emplace_back(live, scene);
  fitup::LiveScene now{checked.scene.scene, detail::selectionOf(checked.scene, first, second)};
  std::map<std::vector<const void*>, std::uint64_t> known;
  for (const SceneInstance& instance : checked.scene.instances) {
    std::vector<const void*> path(instance.path.begin(), instance.path.end());
    const auto before = identities.find(path);
    now.identities.push_back(before != identities.end() ? before->second : ++lastIdentity);
    known.emplace(std::move(path), now.identities.back());
  }
  identities = std::move(known);
  live = std::make_shared<const fitup::LiveScene>(std::move(now));
  scene =
      std::make_shared<MonitoredScene>(MonitoredScene{std::move(checked.scene), std::move(checked.warnings)});
  isDirty = false;
}

bool InterferenceMonitor::update() {
  State& state = *state_;
  const auto asked = Clock::now();
  bool isAnew = false, hasMoved = false;
  try {
    isAnew = state.isDirty || state.watch.isOutdated();
    if (!isAnew) {
      const fitup::Poses moved = state.watch.follow(state.scene->assembly);
      state.scene->assembly.poses.set(moved);
      hasMoved = !moved.empty();
      // The placement that caused an error may be stored in the assembly itself, which only a rescan changes.
      isAnew = hasMoved && !state.answer.live.error.empty();
    }
    if (isAnew) state.rescan();
  } catch (const fitup::Error& error) {
    state.askAnew();
    state.next = {};
    state.next.live.scene = state.live;
    state.next.live.error = error.what();
    return state.take(*this);
  }
  const bool isOther = isAnew || hasMoved;
  if (state.engine) {
    if (isOther || state.answer.live.openPairs > 0) {
      state.asked = asked;
      state.next.make(*state.engine, state.question(), asked);
      return state.take(*this);
    }
    if (state.answer.live.pairsOfTriangles == 0 || asked - state.asked < fitup::LiveSession::pause)
      return false;
    state.next = state.answer;
    state.next.catchUp(*state.engine, state.question(),
                       state.options->request.limits.timeBudget.value_or(std::chrono::nanoseconds{0}));
    return state.take(*this);
  }
  const bool isIdle = !state.worker->isBusy();  // checked first: if it is idle, all its answers are available
  const bool isNew = state.fetch(*this);
  // A callback may have ended the worker; the next update then asks again about everything.
  if (!state.worker) return isNew;
  if (isOther || (isIdle && state.answer.live.openPairs > 0)) state.worker->ask(state.question(), asked);
  std::erase_if(state.earlier, [](const auto& scene) { return scene.first.expired(); });
  return isNew;
}

bool InterferenceMonitor::finish() {
  const bool isNew = update();
  if (!state_->worker) return isNew;
  state_->worker->wait();
  return state_->fetch(*this) || isNew;
}

bool InterferenceMonitor::State::take(const InterferenceMonitor& monitor) {
  // Scenes before that one get no further answers.
  if (next.live.scene == live) {
    answered = scene;
    earlier.clear();
  } else {
    const auto found = std::ranges::find_if(
        earlier, [&](const auto& known) { return known.first.lock() == next.live.scene; });
    if (found == earlier.end()) return false;  // a wanted answer is on its way
    answered = found->second;
    earlier.erase(earlier.begin(), found);
  }
  std::swap(answer, next);
  next.live.scene = nullptr;
  // A callback may remove itself or others, and add new ones, which are not called yet.
  const unsigned int last = lastCallback;
  for (auto i = callbacks.begin(); i != callbacks.end() && i->first <= last;) {
    const auto [id, callback] = *i;
    callback(monitor);
    i = callbacks.upper_bound(id);
  }
  return true;
}

const SceneAssembly& InterferenceMonitor::getSceneAssembly() const noexcept {
  return state_->answered->assembly;
}

const std::vector<fitup::ImportWarning>& InterferenceMonitor::getWarnings() const noexcept {
  return state_->answered->warnings;
}

const fitup::InterferenceReport& InterferenceMonitor::getReport() const noexcept {
  static const fitup::InterferenceReport none;
  return state_->answer.live.report ? *state_->answer.live.report : none;
}

const fitup::Poses& InterferenceMonitor::getPlacements() const noexcept { return state_->answer.placements; }

std::size_t InterferenceMonitor::getOpenPairs() const noexcept { return state_->answer.live.openPairs; }

std::size_t InterferenceMonitor::getPairsOfTriangles() const noexcept {
  return state_->answer.live.pairsOfTriangles;
}

const std::string& InterferenceMonitor::getError() const noexcept { return state_->answer.live.error; }

double InterferenceMonitor::getMilliseconds() const noexcept { return state_->answer.milliseconds; }

std::size_t InterferenceMonitor::getRescans() const noexcept { return state_->rescans; }

}  // namespace osgFitup
