#include "broad_phase.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/scene/broad_phase.h>
#include <fitup/scene/detail/instance_sweep.h>
#include <models/random.h>

#include "stopwatch.h"

namespace fitup::bench {
namespace {

enum class Motion { small, large };

/// Boxes with edges of 0.5 to 1.5 in a cube, in which each box meets about two others.
class Crowd {
 public:
  explicit Crowd(std::size_t count) : random_(count), half_(std::cbrt(static_cast<double>(count) * 4) / 2) {
    for (std::size_t i = 0; i < count; ++i) {
      PlacedInstance instance;
      instance.growth = 4e-16;
      instance.reach = 2 * half_ + 2;
      const Vec3 at = place();
      const Vec3 half{random_.between(0.25, 0.75), random_.between(0.25, 0.75), random_.between(0.25, 0.75)};
      instance.worldBox = {at - half, at + half};
      placed_.push_back(instance);
    }
  }
  [[nodiscard]] const std::vector<PlacedInstance>& placed() const { return placed_; }

  /// Moves by up to a twentieth of an edge, or anywhere.
  void move(std::uint32_t position, Motion motion) {
    Box& box = placed_[position].worldBox;
    const Vec3 half = box.halfExtent(), centre = box.centre();
    Vec3 to = place();
    if (motion == Motion::small)
      to = centre +
           Vec3{random_.between(-0.05, 0.05), random_.between(-0.05, 0.05), random_.between(-0.05, 0.05)};
    box = {to - half, to + half};
  }

 private:
  Vec3 place() {
    const double x = random_.between(-half_, half_), y = random_.between(-half_, half_);
    return {x, y, random_.between(-half_, half_)};
  }

  models::Random random_;
  double half_;
  std::vector<PlacedInstance> placed_;
};

/// Finds the movers' candidates that may meet them, each pair of movers once.
class Finder {
 public:
  Finder(const std::vector<PlacedInstance>& placed, std::size_t movers) : placed_(placed), movers_(movers) {}

  void consider(std::uint32_t mover, std::uint32_t other) {
    if (other == mover || (other < movers_ && other < mover) || !mayMeet(placed_[mover], placed_[other]))
      return;
    ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  const std::vector<PlacedInstance>& placed_;
  std::size_t movers_, count_ = 0;
};

BroadPhaseRow measure(std::size_t instances, std::size_t movers, Motion motion, int rounds) {
  BroadPhaseRow row;
  row.instances = instances;
  row.movers = movers;
  row.motion = motion == Motion::small ? "small" : "large";
  Crowd crowd(instances);
  InstanceSweep sweep(crowd.placed());
  std::vector<std::uint32_t> moved(movers), all(instances), near;
  std::iota(moved.begin(), moved.end(), 0U);
  std::iota(all.begin(), all.end(), 0U);
  const bool scans = movers * instances <= 1'000'000;
  const int steps = static_cast<int>(std::clamp<std::size_t>(20'000 / instances, 3, 50));
  std::vector<double> sweepTimes, treeTimes, scanTimes, treeRatios, scanRatios;
  std::size_t pairs = 0;
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    // All steps of a round are timed together, because reading the clock takes as long as the smallest ones.
    std::vector<std::vector<PlacedInstance>> frames;
    for (int step = 0; step < steps; ++step) {
      for (const std::uint32_t m : moved) crowd.move(m, motion);
      frames.push_back(crowd.placed());
    }
    std::vector<std::size_t> found[3];
    for (auto& counts : found) counts.reserve(frames.size());
    const double bySweep = 1e3 * processorMilliseconds([&] {
                             for (const auto& placed : frames) {
                               Finder finder(placed, movers);
                               sweep.move(moved, placed);
                               for (const std::uint32_t m : moved)
                                 for (const std::uint32_t other : sweep.partners(m))
                                   finder.consider(m, other);
                               found[0].push_back(finder.count());
                             }
                           });
    const double byTree = 1e3 * processorMilliseconds([&] {
                            for (const auto& placed : frames) {
                              Finder finder(placed, movers);
                              const InstanceTree tree(placed, all);
                              for (const std::uint32_t m : moved) {
                                near.clear();
                                tree.candidates(placed[m], near);
                                for (const std::uint32_t other : near) finder.consider(m, other);
                              }
                              found[1].push_back(finder.count());
                            }
                          });
    double byScan = 0;
    if (scans)
      byScan = 1e3 * processorMilliseconds([&] {
                 for (const auto& placed : frames) {
                   Finder finder(placed, movers);
                   for (const std::uint32_t m : moved)
                     for (std::uint32_t other = 0; other < instances; ++other) finder.consider(m, other);
                   found[2].push_back(finder.count());
                 }
               });
    if (found[1] != found[0] || (scans && found[2] != found[0]))
      throw Error("broad phases find different pairs");
    if (round >= 0) pairs += std::accumulate(found[0].begin(), found[0].end(), std::size_t{0});
    if (round < 0) continue;
    sweepTimes.push_back(bySweep / steps);
    treeTimes.push_back(byTree / steps);
    scanTimes.push_back(byScan / steps);
    treeRatios.push_back(byTree / bySweep);
    scanRatios.push_back(byScan / bySweep);
  }
  row.pairs = static_cast<double>(pairs) / (steps * rounds);
  row.sweep = medianInterval(sweepTimes);
  row.tree = medianInterval(treeTimes);
  row.scan = medianInterval(scanTimes);
  row.treeRatio = medianInterval(treeRatios);
  row.scanRatio = medianInterval(scanRatios);
  return row;
}

}  // namespace

std::vector<BroadPhaseRow> runBroadPhase(int rounds, bool quick) {
  std::vector<BroadPhaseRow> rows;
  for (const std::size_t n : {10U, 100U, 1000U, 10'000U}) {
    if (quick && n > 1000) break;
    for (const Motion motion : {Motion::small, Motion::large}) {
      rows.push_back(measure(n, n, motion, rounds));
      if (n >= 100) rows.push_back(measure(n, n / 10, motion, rounds));
      rows.push_back(measure(n, 1, motion, rounds));
    }
  }
  return rows;
}

void print(const std::vector<BroadPhaseRow>& rows) {
  fmt::print(
      "Candidates of the movers, microseconds a step (processor time); ratios to the sweep above 1: the "
      "sweep is faster\n");
  fmt::print("{:>9}{:>8} {:<7}{:>8}  {:<24}{:<24}{:<24}{:<24}{}\n", "instances", "movers", "moves", "pairs",
             "sweep", "R-tree", "scan", "R-tree / sweep", "scan / sweep");
  for (const BroadPhaseRow& r : rows)
    fmt::print("{:>9}{:>8} {:<7}{:>8.1f}  {:<24}{:<24}{:<24}{:<24}{}\n", r.instances, r.movers, r.motion,
               r.pairs, text(r.sweep), text(r.tree), r.scan.high > 0 ? text(r.scan) : "-", text(r.treeRatio),
               r.scan.high > 0 ? text(r.scanRatio) : "-");
}

}  // namespace fitup::bench
