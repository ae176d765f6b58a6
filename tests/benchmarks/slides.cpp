#include "slides.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/motion/first_contact.h>
#include <fitup/motion/slide.h>
#include <fitup/scene/scene.h>
#include <models/random.h>

#include "slide_margins.h"
#include "stopwatch.h"

namespace fitup::bench {
namespace {

constexpr std::size_t measuredEvery = 8;  // updates
constexpr int placesBetween = 5;          // the last one at the pose
constexpr int mostWaits = 20000;          // updates
constexpr std::size_t quickPoses = 12;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// The box of instances in the world, as `DragGuard` takes it.
Box boxOf(const fitup::Scene& scene, const std::vector<NodeId>& nodes) {
  Box box;
  for (const NodeId node : nodes) box.extend(scene.worldBounds(node, {}));
  return box;
}

/// The poses of an unsteady hand. The last one is the goal itself.
std::vector<RigidMotion> handOf(const SlideTask& task, const std::vector<RigidMotion>& way,
                                const Vec3& centre, std::uint64_t seed) {
  models::Random random(seed);
  const auto inCube = [&](double half) {
    const double x = random.between(-half, half), y = random.between(-half, half),
                 z = random.between(-half, half);
    return Vec3{x, y, z};
  };
  std::vector<RigidMotion> hand;
  for (const RigidMotion& at : way) {
    const Vec3 shift = inCube(task.positionNoise), turn = inCube(task.angleNoise);
    const Quaternion rotation = norm(turn) > 0 ? axisAngle(turn, norm(turn)) : Quaternion{};
    RigidMotion wanted = motionAbout(at.transform().apply(centre), rotation, shift) * at;
    wanted.rotation = normalized(wanted.rotation);
    hand.push_back(wanted);
  }
  hand.push_back(way.back());
  return hand;
}

std::string surfaceName(const fitup::Scene& scene, NodeId node, SurfaceId surface) {
  const Surface& s = scene.modelOf(node).mesh().surfaces()[index(surface)];
  return s.description ? text(*s.description) : s.name;
}

std::string textOf(const fitup::Scene& scene, const SlideHold& hold) {
  const auto pathOf = [&](NodeId node) { return scene.paths()[scene.positionOf(node)]; };
  return fmt::format(
      "its face {} ({}) at face {} ({}) of {}, at {:.4g} {:.4g} {:.4g}, normal {:.3f} {:.3f} "
      "{:.3f}, gap {:.4f}{}",
      index(hold.surfaces.a), surfaceName(scene, hold.a, hold.surfaces.a), index(hold.surfaces.b),
      surfaceName(scene, hold.b, hold.surfaces.b), pathOf(hold.b), hold.point.x, hold.point.y, hold.point.z,
      hold.normal.x, hold.normal.y, hold.normal.z, hold.gap, hold.isExact ? " (exact)" : "");
}

/// A line of the table.
template <typename Slides>
void printLine(const std::string& name, const Slides& slides) {
  constexpr std::size_t width = 43;
  fmt::print("{:<44}{:>9}{:>9}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>8}{:>9}{:>10.4f}\n",
             name.size() > width ? "~" + name.substr(name.size() - (width - 1)) : name,
             fmt::format("{}/{}", slides.arrived, slides.hands), slides.milliseconds.size(),
             quantile(slides.milliseconds, 0.5), quantile(slides.milliseconds, 0.95),
             quantile(slides.milliseconds, 0.999), quantile(slides.milliseconds, 1), slides.waits,
             slides.places, slides.margin);
}

/// The slides of one part.
class Slides {
 public:
  Slides(const fitup::Scene& scene, const SlideTask& task, const SlidesRun& run, const SlidesShow& show,
         SlidesRow& row)
      : scene_(scene),
        task_(task),
        run_(run),
        show_(show),
        row_(row),
        group_(nodesOf(scene, task)),
        centre_(boxOf(scene, group_).centre()),
        way_(task.way),
        margins_(scene, group_, run.tolerance) {
    if (run.quick && way_.size() > quickPoses) way_.resize(quickPoses);
    options_.drag.tolerance = run.tolerance;
    if (run.budget > 0)
      options_.drag.limits.timeBudget = std::chrono::nanoseconds(static_cast<std::int64_t>(1e6 * run.budget));
  }

  void all() {
    if (!task_.stopsAt.empty()) findStraightStop();
    for (int k = 0; k < run_.hands; ++k) {
      const std::uint64_t seed = run_.firstSeed + static_cast<std::uint64_t>(k);
      show_.watch(fmt::format("{}: hand {}", task_.instances.front(), seed));
      one(seed);
    }
  }

 private:
  static std::vector<NodeId> nodesOf(const fitup::Scene& scene, const SlideTask& task) {
    std::vector<NodeId> nodes;
    for (const std::string& path : task.instances) nodes.push_back(scene.assembly().at(path));
    return nodes;
  }
  [[nodiscard]] bool isStop(NodeId node) const {
    return scene_.paths()[scene_.positionOf(node)] == task_.stopsAt;
  }

  /// What stops a steady hand on the straight line to the end of the way.
  void findStraightStop() {
    Track track;
    track.unit = scene_.assembly().unit();
    track.moved = task_.instances;
    for (const RigidMotion& pose : {RigidMotion{}, task_.way.back()})
      track.steps.emplace_back(track.moved.size(), pose);
    FirstContactOptions options;
    options.initialContacts = InitialContacts::keepLimits;
    options.tolerance = run_.tolerance;
    const FirstContactReport report = firstContact(scene_, {}, track, options);
    if (!report.contact || !isStop(report.contact->b))
      throw Error(fmt::format("'{}' does not meet '{}' first on its straight way", task_.instances.front(),
                              task_.stopsAt));
    row_.straightShare = report.contact->time;
    row_.leastShare = std::numeric_limits<double>::infinity();
    row_.largestShare = -row_.leastShare;
    stopsWithin_ = margins_.toleranceWith(report.contact->b) /
                   norm(task_.way.back().transform().apply(centre_) - centre_);
  }

  void one(std::uint64_t seed) {
    SlideGuard guard(scene_, {}, group_, {}, options_);
    RigidMotion before;
    SlideUpdate last;
    std::size_t events = 0;
    const auto take = [&](const std::function<SlideUpdate()>& move) {
      SlideUpdate update;
      row_.milliseconds.push_back(processorMilliseconds([&] { update = move(); }));
      if ((seed + events++) % measuredEvery == 0) measure(before, update.way, seed, events);
      if (!update.way.empty()) before = update.way.back();
      last = std::move(update);
    };
    for (const RigidMotion& wanted : handOf(task_, way_, centre_, seed))
      take([&] { return guard.update(wanted); });
    for (int i = 0; i < mostWaits && last.status != ReportStatus::complete; ++i) {
      take([&] { return guard.proceed(); });
      ++row_.waits;
    }
    ++row_.hands;
    judge(seed, last);
  }

  void measure(RigidMotion from, const std::vector<RigidMotion>& way, std::uint64_t seed, std::size_t event) {
    for (const RigidMotion& to : way) {
      for (int k = 1; k <= placesBetween; ++k) {
        const RigidMotion at =
            k == placesBetween ? to : interpolate(from, to, centre_, static_cast<double>(k) / placesBetween);
        const SlideMargins::Margin margin = margins_.at(at);
        ++row_.places;
        if (margin.margin >= row_.margin) continue;
        row_.margin = margin.margin;
        row_.leastMargin =
            fmt::format("hand {}, update {}, with {}", seed, event,
                        margin.resting ? scene_.paths()[scene_.positionOf(*margin.resting)] : "");
      }
      from = to;
    }
  }

  void judge(std::uint64_t seed, const SlideUpdate& last) {
    const auto centreAt = [&](const RigidMotion& pose) { return pose.transform().apply(centre_); };
    const Vec3 whole = centreAt(way_.back()) - centre_, come = centreAt(last.pose) - centre_;
    const double share = dot(come, whole) / dot(whole, whole);
    bool isRight = last.isThere && last.pose == way_.back();
    if (!task_.stopsAt.empty() && !run_.quick) {
      row_.leastShare = std::min(row_.leastShare, share);
      row_.largestShare = std::max(row_.largestShare, share);
      const bool isHeld =
          std::ranges::any_of(last.holding, [&](const SlideHold& hold) { return isStop(hold.b); });
      isRight = isHeld && std::abs(share - row_.straightShare) <= stopsWithin_;
    }
    if (last.status != ReportStatus::complete) isRight = false;
    if (isRight) {
      ++row_.arrived;
      return;
    }
    SlideFailure failure{task_.instances.front(), seed, share, last.distance, {}};
    if (last.status != ReportStatus::complete) failure.holding.push_back("it is still on its way");
    for (const SlideHold& hold : last.holding) failure.holding.push_back(textOf(scene_, hold));
    ++row_.failed;
    show_.failure(failure);
  }

  const fitup::Scene& scene_;
  const SlideTask& task_;
  const SlidesRun& run_;
  const SlidesShow& show_;
  SlidesRow& row_;
  std::vector<NodeId> group_;
  Vec3 centre_;  ///< of the box, about which ways are straight
  std::vector<RigidMotion> way_;
  SlideMargins margins_;
  SlideOptions options_;
  double stopsWithin_ = 0;  ///< the tolerance, as a share of the way
};

}  // namespace

void runSlides(const SlideModel& model, const SlidesRun& asked, const SlidesShow& show) {
  SlidesRun run = asked;
  if (!run.tolerance) run.tolerance = model.tolerance;
  const fitup::Scene scene(model.assembly);
  for (const SlideTask& task : model.tasks) {
    const bool isAskedFor = run.only.empty() || std::ranges::any_of(run.only, [&](const std::string& part) {
                              return task.instances.front().find(part) != std::string::npos;
                            });
    if (!isAskedFor) continue;
    SlidesRow row;
    row.model = model.name;
    row.instance = task.instances.front();
    row.stopsAt = task.stopsAt;
    Slides(scene, task, run, show, row).all();
    show.row(row);
  }
}

void SlidesTotals::count(const SlidesRow& row) {
  ++parts;
  hands += row.hands;
  arrived += row.arrived;
  waits += row.waits;
  places += row.places;
  margin = std::min(margin, row.margin);
  areRight = areRight && row.isRight();
  milliseconds.insert(milliseconds.end(), row.milliseconds.begin(), row.milliseconds.end());
}

void printSlidesHead(const SlidesRun& run) {
  fmt::print(
      "Slides that follow unsteady hands, {} a part from seed {}, {}; milliseconds of "
      "processor time of an update:\n\n{:<44}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{:>10}\n",
      run.hands, run.firstSeed,
      run.budget > 0 ? fmt::format("{} ms an update", run.budget) : std::string("no budget"), "part",
      "arrived", "updates", "median", "95 %", "99.9 %", "longest", "waits", "places", "margin");
  std::fflush(stdout);
}

void print(const SlidesRow& row) {
  printLine(row.model + " " + row.instance, row);
  if (!row.stopsAt.empty())
    fmt::print("    is to stop at {}: straight after {:.4f} of the way, the slides after {:.4f} to {:.4f}\n",
               row.stopsAt, row.straightShare, row.leastShare, row.largestShare);
  if (row.margin < 0) fmt::print("    TOO DEEP: {}\n", row.leastMargin);
  std::fflush(stdout);
}
void print(const SlideFailure& failure) {
  fmt::print("    hand {} of {} stays after {:.4f} of the way, {:.4g} from the hand\n", failure.seed,
             failure.instance, failure.share, failure.distance);
  for (const std::string& hold : failure.holding) fmt::print("      {}\n", hold);
  std::fflush(stdout);
}
void print(const SlidesTotals& totals) {
  printLine("all", totals);
  fmt::print(
      "\nArrived: the part is exactly where the hand ends, or is stopped by what is to stop it. Margin: "
      "the least of what\npairs still may overlap, at the poses passed and between them.\n\n");
}

}  // namespace fitup::bench
