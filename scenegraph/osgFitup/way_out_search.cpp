#include <osgFitup/way_out_search.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <osg/observer_ptr>

#include <fitup/base/error.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

using fitup::InputError;
using fitup::NodeId;

namespace {

class UpdateSearch : public osg::NodeCallback {
 public:
  explicit UpdateSearch(WayOutSearch& search) : search_(&search) {}
  void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
    traverse(node, visitor);
    osg::ref_ptr<WayOutSearch> search;
    if (search_.lock(search)) search->update();
  }

 private:
  osg::observer_ptr<WayOutSearch> search_;
};

bool isBelowAnother(const fitup::Assembly& assembly, NodeId node, const std::vector<NodeId>& all) {
  return std::any_of(all.begin(), all.end(),
                     [&](NodeId other) { return other != node && assembly.isAtOrBelow(node, other); });
}

}  // namespace

/// What the thread of a search and the object share. The thread has its own handle of the scene, and touches
/// nothing of the graph.
struct WayOutSearch::Running {
  Running(const fitup::Scene& scene, const fitup::Poses& poses, std::vector<NodeId> moved,
          fitup::RemovalOptions options)
      : thread([this, scene, poses, moved = std::move(moved), options = std::move(options)](
                   const std::stop_token& stop) mutable { run(stop, scene, poses, moved, options); }) {}

  void run(const std::stop_token& stop, const fitup::Scene& scene, const fitup::Poses& poses,
           const std::vector<NodeId>& moved, fitup::RemovalOptions& options) {
    options.watch = [this, watch = options.watch](const fitup::RemovalSight& seen) {
      {
        const std::lock_guard lock(mutex);
        sight = seen;
      }
      if (watch) watch(seen);
    };
    std::optional<fitup::RemovalReport> made;
    std::string problem;
    try {
      made = fitup::findRemoval(scene, poses, moved, options, fitup::Progress(stop));
    } catch (const std::exception& exception) {
      problem = exception.what();
    } catch (...) {
      problem = "unknown error";
    }
    const std::lock_guard lock(mutex);
    report = std::move(made);
    error = std::move(problem);
    isDone = true;
  }

  std::mutex mutex;
  std::optional<fitup::RemovalSight> sight;
  std::optional<fitup::RemovalReport> report;
  std::string error;
  bool isDone = false;
  std::jthread thread;  ///< last: it uses the others, and is joined before they go
};

WayOutSearch::WayOutSearch(osg::Node* root, const std::vector<osg::Node*>& moved)
    : root_(root),
      masks_(new osg::NodeVisitor),
      ghost_(new PartGhost),
      updateCallback_(new UpdateSearch(*this)) {
  if (moved.empty()) throw InputError("WayOutSearch", "moved", "there are none");
  (void)detail::given(root, "WayOutSearch", "root");
  for (osg::Node* node : moved)
    moved_.emplace_back(&detail::movable(detail::given(node, "WayOutSearch", "moved")));
}

WayOutSearch::~WayOutSearch() = default;

bool WayOutSearch::start() {
  running_.reset();
  sight_.reset();
  report_.reset();
  track_.reset();
  error_.clear();
  ghost_->clear();
  try {
    begin();
    return true;
  } catch (const fitup::Error& error) {
    error_ = error.what();
    ghost_->clear();
    scene_ = SceneAssembly();
    return false;
  }
}

void WayOutSearch::begin() {
  osg::ref_ptr<osg::Node> root;
  if (!root_.lock(root)) throw InputError("way out", "root", "is gone");
  std::vector<osg::ref_ptr<osg::Transform>> moved(moved_.size());
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (!moved_[i].lock(moved[i])) throw InputError("way out", "a moved node", "is gone");
  scene_ = detail::checkedScene(*root, {.masks = masks_}).scene;
  std::vector<NodeId> instances;
  for (const auto& node : moved)
    for (const NodeId instance : scene_.instancesBelow(*node))
      if (std::find(instances.begin(), instances.end(), instance) == instances.end())
        instances.push_back(instance);
  ghost_->show(scene_, instances);
  // Tracks are about the design, in which the scene is not.
  fitup::Poses now;
  for (const SceneInstance& instance : scene_.instances)
    now.set(instance.node, scene_.worldFromPart(instance.node));
  detail::putInDesign(scene_);
  for (const SceneInstance& instance : scene_.instances)
    if (scene_.scene.designPlacement(instance.node) == *now.find(instance.node)) now.reset(instance.node);
  scene_.poses = std::move(now);
  findGroups(*root, moved);
  running_ = std::make_unique<Running>(scene_.scene, scene_.poses, std::move(instances), options_);
}

/// Nodes that node masks hide are not in the assembly of the search, but in that of a player.
void WayOutSearch::findGroups(osg::Node& root, const std::vector<osg::ref_ptr<osg::Transform>>& moved) {
  const SceneAssembly whole = detail::designAssembly(root);
  modelHash_ = whole.assembly().contentHash();
  std::map<osg::RefNodePath, std::string> pathInScene;
  for (const SceneInstance& instance : whole.instances)
    pathInScene[instance.path] = whole.assembly().path(instance.node);
  std::vector<NodeId> nodes;
  for (const auto& node : moved) nodes.push_back(detail::nodeOf(whole, *node));
  groups_.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool isTwice = std::find(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(i), nodes[i]) !=
                         nodes.begin() + static_cast<std::ptrdiff_t>(i);
    if (isTwice || isBelowAnother(whole.assembly(), nodes[i], nodes)) continue;
    Group& group = groups_.emplace_back();
    group.path = whole.assembly().path(nodes[i]);
    for (const NodeId instance : scene_.instancesBelow(*moved[i])) {
      const auto found = pathInScene.find(scene_.at(instance).path);
      if (found == pathInScene.end())
        throw InputError("way out", "part '" + scene_.assembly().path(instance) + "'",
                         "is another one without the traversal mask");
      group.instances.push_back(scene_.assembly().path(instance));
      group.instancesInScene.push_back(found->second);
    }
  }
}

/// The track that was found names instances. Instances below one node that have not been moved against each
/// other are named by the node, which is what the application moves.
fitup::Track WayOutSearch::trackFor(const fitup::Track& found) const {
  fitup::Track track;
  track.name = found.name;
  track.unit = found.unit;
  track.modelHash = modelHash_;
  track.steps.resize(found.steps.size());
  track.ways.resize(found.ways.size());
  const auto add = [&](const std::string& path, std::size_t like) {
    track.moved.push_back(path);
    for (std::size_t k = 0; k < found.steps.size(); ++k) track.steps[k].push_back(found.steps[k][like]);
    for (std::size_t k = 0; k < found.ways.size(); ++k) track.ways[k].push_back(found.ways[k][like]);
  };
  for (const Group& group : groups_) {
    std::vector<std::size_t> positions;
    for (const std::string& path : group.instances)
      positions.push_back(static_cast<std::size_t>(std::find(found.moved.begin(), found.moved.end(), path) -
                                                   found.moved.begin()));
    const auto& start = found.steps.front();
    const bool isOne = std::all_of(positions.begin(), positions.end(),
                                   [&](std::size_t i) { return start[i] == start[positions.front()]; });
    if (isOne) {
      add(group.path, positions.front());
      continue;
    }
    for (std::size_t i = 0; i < positions.size(); ++i) add(group.instancesInScene[i], positions[i]);
  }
  return track;
}

void WayOutSearch::cancel() {
  if (running_) running_->thread.request_stop();
}

bool WayOutSearch::update() {
  if (!running_) return false;
  {
    const std::lock_guard lock(running_->mutex);
    if (!running_->isDone) {
      sight_ = running_->sight;
      if (sight_) ghost_->setMotion(sight_->pose);
      return false;
    }
  }
  return take();
}

bool WayOutSearch::finish() {
  if (!running_) return false;
  if (running_->thread.joinable()) running_->thread.join();
  return take();
}

bool WayOutSearch::take() {
  const osg::ref_ptr<WayOutSearch> keep = this;  // the callback may release it
  const std::unique_ptr<Running> ended = std::exchange(running_, nullptr);
  if (ended->thread.joinable()) ended->thread.join();
  report_ = std::move(ended->report);
  error_ = std::move(ended->error);
  sight_.reset();
  ghost_->clear();
  if (report_ && report_->answer == fitup::RemovalAnswer::certain)
    track_ = trackFor(report_->way->certificate.track);
  const auto finished = finished_;  // it may set another one
  if (finished) finished(*this);
  return true;
}

}  // namespace osgFitup
