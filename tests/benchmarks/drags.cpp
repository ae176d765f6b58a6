#include "drags.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/motion/live_engine.h>
#include <fitup/scene/scene.h>
#include <models/random.h>

#include "stopwatch.h"

namespace fitup::bench {
namespace {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

/// The poses of a hand.
std::vector<RigidMotion> handOf(std::size_t drag, const Box& part, models::Random& random) {
  constexpr int events = 20;
  constexpr double speeds[] = {0.002, 0.02, 0.1};  // of the part's size, each event
  const double speed = speeds[drag % 3] * 2 * norm(part.halfExtent());
  Vec3 way = random.direction();
  if (drag % 2 == 0) {  // along an axis, as with the handles of the viewer
    const int axis = static_cast<int>(random.unit() * 3) % 3;
    way = {};
    way[axis] = random.unit() < 0.5 ? -1 : 1;
  }
  const Vec3 about = random.direction();
  const bool turns = drag % 5 < 2, moves = drag % 5 != 0;
  std::vector<RigidMotion> poses;
  for (int k = 1; k <= events; ++k) {
    const Quaternion turn = axisAngle(about, turns ? 0.02 * k : 0);
    const Vec3 centre = part.centre();
    poses.push_back({turn, centre - Transform::rotation(turn).apply(centre) + (moves ? speed * k : 0) * way});
  }
  return poses;
}

DragsRow dragsOf(const std::string& name, const Assembly& assembly, std::size_t drags) {
  DragsRow row;
  row.assembly = name;
  row.drags = drags;
  const fitup::Scene scene(assembly);
  const std::vector<NodeId> parts = assembly.instances();
  models::Random random(9);
  DragOptions options;
  const bool isKnown =
      std::ranges::all_of(parts, [&](NodeId part) { return assembly.meshOf(part).deflection().has_value(); });
  if (!isKnown) options.tolerance = 0.2;
  DragOptions bounded = options;
  bounded.limits.timeBudget = defaultDragBudget;
  std::vector<double> starts, updates;
  for (std::size_t k = 0; k < drags; ++k) {
    const NodeId part[] = {parts[k % parts.size()]};
    const std::vector<RigidMotion> hand = handOf(k, assembly.worldBounds(part[0]), random);
    std::optional<DragGuard> guard;
    starts.push_back(
        processorMilliseconds([&] { guard.emplace(scene, Poses{}, part, RigidMotion{}, bounded); }));
    DragGuard patient(scene, {}, part, {}, options);
    const auto follow = [&](const std::function<DragUpdate()>& move) {
      DragUpdate update;
      updates.push_back(processorMilliseconds([&] { update = move(); }));
      row.stops += update.stop.has_value();
      row.behind += update.status != ReportStatus::complete;
      row.mostLooks = std::max(row.mostLooks, update.looks);
      return update;
    };
    DragUpdate last, wanted;
    for (const RigidMotion& pose : hand) {
      last = follow([&] { return guard->update(pose); });
      wanted = patient.update(pose);
    }
    while (last.status != ReportStatus::complete) last = follow([&] { return guard->proceed(); });
    if (!(last.pose == wanted.pose))
      throw Error(
          fmt::format("drag {} of '{}' ends elsewhere if updates are limited", k, assembly.path(part[0])));
  }
  row.updates = updates.size();
  row.median = quantile(updates, 0.5);
  row.p95 = quantile(updates, 0.95);
  row.p999 = quantile(updates, 0.999);
  row.longest = quantile(updates, 1);
  row.startMedian = quantile(starts, 0.5);
  row.longestStart = quantile(starts, 1);
  return row;
}

}  // namespace

std::vector<DragsRow> runDrags(const std::vector<std::pair<std::string, Assembly>>& assemblies,
                               std::size_t dragsEach) {
  std::vector<DragsRow> rows;
  for (const auto& [name, assembly] : assemblies) rows.push_back(dragsOf(name, assembly, dragsEach));
  return rows;
}

void print(const std::vector<DragsRow>& rows) {
  fmt::print("Drags that stop at contact, milliseconds of processor time of an update:\n\n");
  fmt::print("{:<20}{:>7}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>7}{:>16}\n", "assembly", "drags", "updates",
             "median", "95 %", "99.9 %", "longest", "stops", "behind", "looks", "start, longest");
  for (const DragsRow& row : rows)
    fmt::print("{:<20}{:>7}{:>9}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>9}{:>9}{:>7}{:>8.1f}{:>8.1f}\n",
               row.assembly, row.drags, row.updates, row.median, row.p95, row.p999, row.longest, row.stops,
               row.behind, row.mostLooks, row.startMedian, row.longestStart);
  fmt::print("\nBehind: the part was still on its way. Every drag ended where it ends without a budget.\n\n");
}

}  // namespace fitup::bench
