#include <fitup/planning/detail/pose_race.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/planning/detail/passage_poses.h>

namespace fitup::detail {
namespace {

/// Between the seeds of one race: those of neighbouring races then differ.
constexpr std::uint64_t seedStep = 0x9e3779b97f4a7c15;
/// Tolerances times this and clearances over this, of a way that only leads others.
constexpr double relaxation = 8;
/// Of the size of what moves: how far the poses of such a way are moved out of contacts.
constexpr double farthestRetraction = 1.0 / 32;
/// Of the time: the rest is for what follows if nothing is found.
constexpr double shareOfTime = 0.9;
/// How often the first thread looks whether the race is over, when it has nothing else to do.
constexpr std::chrono::milliseconds lookEvery{2};

/// What the runners know of each other.
class Finish {
 public:
  /// True if a runner with this work can win no more.
  [[nodiscard]] bool isLost(std::size_t work, std::size_t runner) {
    if (isEnded_) return true;
    const std::scoped_lock lock(mutex_);
    return best_ && std::pair(work, runner) >= *best_;
  }
  void arrive(std::size_t work, std::size_t runner) {
    const std::scoped_lock lock(mutex_);
    const std::pair arrived(work, runner);
    if (!best_ || arrived < *best_) best_ = arrived;
  }
  /// Ends the race for all.
  void end() noexcept { isEnded_ = true; }
  [[nodiscard]] std::optional<std::size_t> winner() {
    const std::scoped_lock lock(mutex_);
    return best_ ? std::optional(best_->second) : std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::optional<std::pair<std::size_t, std::size_t>> best_;  ///< work and runner
  std::atomic<bool> isEnded_ = false;
};

}  // namespace

/// One search, in a free space of its own.
class PoseRace::Runner {
 public:
  Runner(const PoseRace& race, std::size_t number, const Limits& limits, const Progress& progress)
      : options_(race.options_),
        task_(race.task_),
        search_(race.before_[number]),
        space_(race.scene_, race.poses_, race.tester_.instances(),
               {limits.clearance, limits.tolerance, options_.exactShapes, limits.room, options_.rules},
               progress),
        workBefore_(search_.work),
        checksBefore_(search_.checks) {
    task_.seed = options_.seed + number * seedStep;
    std::vector<RigidMotion> waypoints;
    for (const RigidMotion& pose : race.relaxed_)
      if (const auto near = space_.retracted(pose, farthestRetraction * space_.size()))
        waypoints.push_back(*near);
    task_.waypoints.insert(task_.waypoints.begin(), waypoints.begin(), waypoints.end());
  }
  /// `stop` is asked before every step with the work so far, and `seen` told of poses.
  void run(const std::function<bool(std::size_t)>& stop,
           const std::function<void(const RigidMotion&, const RemovalSearch&)>& seen) {
    task_.stop = [this, &stop] { return stop(count()); };
    std::size_t reached = search_.poses;
    if (seen)
      task_.seen = [&](const RigidMotion& pose, std::size_t poses) {
        search_.poses = reached + poses;
        seen(pose, search_);
      };
    task_.stopped = [this](const FreeStop& stop) {
      if (stop.surfaces) ++stops_[{stop.moved, stop.rest, *stop.surfaces}];
    };
    search_.isEndFree = true;
    const std::size_t legs = options_.guides.size() + 1;
    for (std::size_t leg = 0; leg < legs; ++leg) {
      setEnds(leg);
      search_.leg = leg;
      PoseSearchResult found = options_.search->find(space_, task_);
      search_.steps += found.steps;
      search_.poses = reached += found.reached;
      (void)count();
      if (found.poses.empty()) {
        search_.isEndFree = space_.admit(task_.start) && (!task_.goal || space_.admit(*task_.goal));
        return;
      }
      legs_.push_back(std::move(found.poses));
    }
    hasArrived_ = true;
  }
  /// The whole way, made better leg by leg.
  std::vector<RigidMotion> way(const std::function<bool()>& stop) {
    task_.stop = stop;
    task_.seen = {};
    task_.stopped = {};
    std::vector<RigidMotion> all{RigidMotion{}};
    for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
      setEnds(leg);
      const std::vector<RigidMotion> better = options_.search->improve(space_, legs_[leg], task_);
      all.insert(all.end(), better.begin() + 1, better.end());
    }
    (void)count();
    return all;
  }
  /// Of the free space.
  [[nodiscard]] double tolerance() { return space_.tolerance(); }
  [[nodiscard]] const std::map<RemovalFaces, std::size_t>& stops() const noexcept { return stops_; }
  [[nodiscard]] bool hasArrived() const noexcept { return hasArrived_; }
  [[nodiscard]] const RemovalSearch& search() const noexcept { return search_; }

 private:
  void setEnds(std::size_t leg) {
    task_.start = leg == 0 ? RigidMotion{} : options_.guides[leg - 1];
    task_.goal = leg < options_.guides.size() ? std::optional(options_.guides[leg]) : options_.goal;
  }
  std::size_t count() {
    search_.checks = checksBefore_ + space_.checks();
    return search_.work = workBefore_ + space_.work();
  }

  const RemovalOptions& options_;
  PoseSearchTask task_;
  RemovalSearch search_;
  FreeSpace space_;
  std::size_t workBefore_, checksBefore_;
  std::vector<std::vector<RigidMotion>> legs_;
  bool hasArrived_ = false;
  std::map<RemovalFaces, std::size_t> stops_;
};

PoseRace::PoseRace(const Scene& scene, const Poses& poses, const RemovalOptions& options,
                   const WayCandidates& candidates, WayTester& tester, const Progress& progress)
    : scene_(scene),
      poses_(poses),
      options_(options),
      tester_(tester),
      progress_(progress),
      before_(std::max<std::size_t>(options.searches, 1)) {
  task_.lengthOut = [&tester](const RigidMotion& pose, const Vec3& direction) {
    return tester.lengthOut(pose, direction).value_or(0);
  };
  for (const WayDirection& d : candidates.directions) task_.directions.push_back(d.direction);
  task_.waypoints = passagePoses(scene, poses, tester.instances(), candidates.axes, progress);
}

std::vector<RigidMotion> PoseRace::find(double room, double untilShare) {
  return find(Limits{options_.clearance, options_.tolerance, room}, untilShare);
}

void PoseRace::findRelaxed(double room, double untilShare) {
  if (!(tolerance_ > 0) && !(options_.clearance > 0)) return;
  const Limits limits{options_.clearance / relaxation,
                      tolerance_ > 0 ? std::optional(relaxation * tolerance_) : options_.tolerance, room};
  const std::vector<RigidMotion> way = find(limits, untilShare);
  if (way.size() < 3) return;
  done_.relaxed = true;
  // Its ends are those of every way.
  relaxed_.assign(way.begin() + 1, way.end() - 1);
}

std::vector<RigidMotion> PoseRace::find(const Limits& limits, double untilShare) {
  const double mostWork = untilShare * static_cast<double>(options_.maxWork);
  Finish finish;
  std::vector<std::unique_ptr<Runner>> runners(before_.size());
  std::vector<std::exception_ptr> errors(before_.size());
  std::atomic<std::size_t> running = before_.size() - 1;
  const auto run = [&](std::size_t number, const Progress& progress, const auto& seen, const auto& look) {
    try {
      runners[number] = std::make_unique<Runner>(*this, number, limits, progress);
      Runner& runner = *runners[number];
      runner.run(
          [&, number](std::size_t work) {
            look();
            return static_cast<double>(work) >= mostWork || finish.isLost(work, number);
          },
          seen);
      if (runner.hasArrived()) finish.arrive(runner.search().work, number);
    } catch (...) {
      errors[number] = std::current_exception();
      finish.end();
    }
  };
  const auto look = [&] {
    if (tester_.isOver(shareOfTime * untilShare)) finish.end();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < before_.size(); ++k)
      others.emplace_back([&, k] {
        run(k, Progress(progress_.stopToken()),
            std::function<void(const RigidMotion&, const RemovalSearch&)>{}, [] {});
        --running;
      });
    run(
        0, progress_,
        [this](const RigidMotion& pose, const RemovalSearch& search) {
          progress_.report(
              "looking for a way among poses",
              std::min(1.0, static_cast<double>(search.work) / static_cast<double>(options_.maxWork)));
          if (options_.watch) options_.watch({pose, search.poses, tester_.tried()});
        },
        look);
    for (; running > 0; std::this_thread::sleep_for(lookEvery)) look();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  for (std::size_t k = 0; k < runners.size(); ++k) before_[k] = runners[k]->search();
  tolerance_ = runners.front()->tolerance();
  for (const auto& [faces, count] : runners.front()->stops()) stops_[faces] += count;
  const std::optional<std::size_t> winner = finish.winner();
  const bool wasRelaxed = done_.relaxed;
  done_ = before_[winner.value_or(0)];
  done_.relaxed = wasRelaxed;
  if (!winner) return {};
  std::vector<RigidMotion> way = runners[*winner]->way([this] { return tester_.isOver(); });
  done_ = before_[*winner] = runners[*winner]->search();
  done_.relaxed = wasRelaxed;
  return way;
}

}  // namespace fitup::detail
