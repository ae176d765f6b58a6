#include <osgFitup/interference_monitor.h>

#include <chrono>
#include <utility>

#include <osg/observer_ptr>

#include <fitup/base/error.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/monitor_worker.h>
#include <osgFitup/detail/scene_watch.h>

namespace osgFitup {

/// A scene that was asked about, and what of it was not.
struct detail::MonitoredScene {
  SceneAssembly assembly;
  std::vector<fitup::ImportWarning> warnings;
};

namespace {

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

/// Of no use but for its masks.
osg::ref_ptr<osg::NodeVisitor> maskVisitor() { return new osg::NodeVisitor; }

}  // namespace

InterferenceMonitor::InterferenceMonitor(osg::Node* root)
    : root_(&detail::given(root, "InterferenceMonitor", "root")),
      masks_(maskVisitor()),
      watch_(std::make_unique<detail::SceneWatch>()),
      engine_(std::make_unique<detail::MonitorEngine>()),
      scene_(std::make_shared<detail::MonitoredScene>()),
      answered_(scene_),
      answer_(std::make_unique<detail::MonitorAnswer>()),
      next_(std::make_unique<detail::MonitorAnswer>()) {
  options_.request.mode = fitup::QueryMode::allSurfacePairs;
  updateCallback_ = new UpdateMonitor(this);
}

InterferenceMonitor::~InterferenceMonitor() = default;

void InterferenceMonitor::setWhere(Where where) {
  if (where == where_) return;
  where_ = where;
  engine_.reset();
  worker_.reset();
  if (where == Where::inUpdate)
    engine_ = std::make_unique<detail::MonitorEngine>();
  else
    worker_ = std::make_unique<detail::MonitorWorker>();
  hasNewOptions_ = true;
  askAnew();
}

void InterferenceMonitor::setOptions(const fitup::InterferenceOptions& options) {
  options_ = options;
  hasNewOptions_ = true;
  askAnew();
}

void InterferenceMonitor::setTraversalMask(osg::Node::NodeMask mask) {
  masks_->setTraversalMask(mask);
  askAnew();
}

void InterferenceMonitor::setBuildMissingModels(bool build) {
  buildMissing_ = build;
  askAnew();
}

void InterferenceMonitor::addFirst(osg::Node* node) {
  first_.emplace_back(node);
  askAnew();
}

void InterferenceMonitor::addSecond(osg::Node* node) {
  second_.emplace_back(node);
  askAnew();
}

void InterferenceMonitor::clearSets() {
  first_.clear();
  second_.clear();
  askAnew();
}

/// What the worker is asked about by now is about other settings.
void InterferenceMonitor::askAnew() noexcept {
  isDirty_ = isAskedAnew_ = true;
  open_.clear();
}

unsigned int InterferenceMonitor::addCallback(Callback callback) {
  if (!callback) throw fitup::InputError("InterferenceMonitor::addCallback", "callback", "is empty");
  callbacks_[++lastCallback_] = std::move(callback);
  return lastCallback_;
}

void InterferenceMonitor::rescan(detail::MonitorJob& job) {
  fitup::BuildOptions build = build_;
  build.add(options_.request.hierarchy);
  detail::CheckedScene checked = detail::checkedScene(
      *root_, {.masks = masks_, .buildMissing = buildMissing_, .build = build, .division = division_});
  watch_->record(*root_, *masks_, checked.scene);
  ++rescans_;
  auto snapshot = std::make_shared<detail::SceneSnapshot>();
  // Solids that verdicts have asked for need not be made again.
  if (scene_ && options_.verdict)
    checked.scene.scene =
        scene_->assembly.scene.edited(checked.scene.assembly(), checked.scene.scene.collisionModels());
  snapshot->scene = checked.scene.scene;
  snapshot->selection = detail::selectionOf(checked.scene, first_, second_);
  for (const SceneInstance& instance : checked.scene.instances)
    snapshot->names[{instance.path.begin(), instance.path.end()}] = instance.node;
  job.scene = std::move(snapshot);
  if (!std::exchange(isAskedAnew_, false) && worker_) open_[generation_] = scene_;
  scene_ = std::make_shared<detail::MonitoredScene>(
      detail::MonitoredScene{std::move(checked.scene), std::move(checked.warnings)});
  if (std::exchange(hasNewOptions_, false)) job.options = options_;
  ++generation_;
  isDirty_ = false;
}

bool InterferenceMonitor::update() {
  detail::MonitorJob job;
  job.asked = std::chrono::steady_clock::now();
  try {
    bool isAnew = isDirty_ || watch_->isOutdated();
    if (!isAnew) {
      job.moved = watch_->follow(scene_->assembly);
      scene_->assembly.poses.set(job.moved);
      // What could not be answered may be placed so in the snapshot itself.
      isAnew = !job.moved.empty() && !answer_->error.empty();
    }
    if (isAnew) {
      job.moved.clear();
      rescan(job);
    }
  } catch (const fitup::Error& error) {
    askAnew();
    *next_ = {};
    next_->generation = generation_;
    next_->error = error.what();
    return takeNext();
  }
  job.generation = generation_;
  const bool hasWork = job.scene || !job.moved.empty() || answer_->openPairs > 0;
  if (engine_) return hasWork && engine_->run(std::move(job), *next_) && takeNext();
  const bool isNew = fetchNext();
  // A callback may have ended the worker; then everything is asked anew in the next update.
  if (!worker_) return isNew;
  if (hasWork) worker_->hand(std::move(job));
  std::erase_if(open_, [&](const auto& scene) { return !worker_->mayAnswer(scene.first); });
  return isNew;
}

bool InterferenceMonitor::finish() {
  const bool isNew = update();
  if (!worker_) return isNew;
  worker_->waitUntilIdle();
  return fetchNext() || isNew;
}

bool InterferenceMonitor::fetchNext() { return worker_->fetch(*next_) && !isAskedAnew_ && takeNext(); }

bool InterferenceMonitor::takeNext() {
  if (next_->generation == generation_) {
    answered_ = scene_;
  } else {
    const auto earlier = open_.find(next_->generation);
    if (earlier == open_.end()) return false;  // an answer that is wanted is on its way
    answered_ = earlier->second;
  }
  std::swap(*answer_, *next_);
  // One may remove itself or others, and add some, which have to wait for the next answer.
  const unsigned int last = lastCallback_;
  for (auto next = callbacks_.begin(); next != callbacks_.end() && next->first <= last;) {
    const auto [id, callback] = *next;
    callback(*this);
    next = callbacks_.upper_bound(id);
  }
  return true;
}

const SceneAssembly& InterferenceMonitor::getSceneAssembly() const noexcept { return answered_->assembly; }

const std::vector<fitup::ImportWarning>& InterferenceMonitor::getWarnings() const noexcept {
  return answered_->warnings;
}

const fitup::InterferenceReport& InterferenceMonitor::getReport() const noexcept { return answer_->report; }

const fitup::Poses& InterferenceMonitor::getPlacements() const noexcept { return answer_->placements; }

std::size_t InterferenceMonitor::getOpenPairs() const noexcept { return answer_->openPairs; }

const std::string& InterferenceMonitor::getError() const noexcept { return answer_->error; }

double InterferenceMonitor::getMilliseconds() const noexcept { return answer_->milliseconds; }

}  // namespace osgFitup
