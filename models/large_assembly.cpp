#include <models/large_assembly.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <models/angle.h>
#include <models/hall/parts.h>
#include <models/plant/parts.h>
#include <models/random.h>
#include <models/solids/tessellate.h>

namespace fitup::models {
namespace {

constexpr double fewest = 50, most = 50'000;  // triangles of a part that are asked for
constexpr double aisleWidth = 460, rackDepth = 1600, shelfGap = 40;

/// What is to be made, before anything is: parts can then be made in any order.
struct PartPlan {
  hall::PartKind kind{};
  std::string name;
  std::size_t triangles = 0;
  std::uint64_t seed = 0;
};

/// Wanted counts of triangles: many small parts and few large ones, between `fewest` and `most`, scaled so
/// that they add up.
std::vector<double> drawCounts(const LargeAssemblyOptions& options, Random& random) {
  constexpr int doublings = 10;  // 2^10: from fewest to about most
  std::vector<double> counts(options.parts);
  for (double& count : counts) {
    // fewest * 2^(10 u^2), with the fraction of the exponent linear, since powers depend on the machine.
    const double u = random.unit(), exponent = doublings * u * u;
    const double octave = std::floor(exponent);
    count = fewest * std::ldexp(1 + (exponent - octave), static_cast<int>(octave));
  }
  // Clamping changes the sum, so a few rounds are needed.
  for (int round = 0; round < 20; ++round) {
    double sum = 0;
    for (double count : counts) sum += count;
    const double factor = static_cast<double>(options.triangles) / sum;
    for (double& count : counts) count = std::clamp(count * factor, fewest, most);
  }
  return counts;
}

std::vector<PartPlan> plan(const LargeAssemblyOptions& options, Random& random) {
  std::vector<PartPlan> plans;
  for (double count : drawCounts(options, random)) {
    PartPlan& p = plans.emplace_back();
    p.triangles = static_cast<std::size_t>(count);
    do p.kind = static_cast<hall::PartKind>(random.bits() % hall::partKinds);
    while (!hall::suits(p.kind, p.triangles));
    p.name = std::string(hall::name(p.kind)) + "-" + std::to_string(plans.size());
    p.seed = random.bits();
  }
  return plans;
}

/// How a part lies on its shelf: a third as it is, a third turned by half a turn, the others somewhat askew.
Transform drawTurn(Random& random) {
  const double choice = random.unit();
  if (choice < 1.0 / 3) return {};
  const double halfAngle = choice < 2.0 / 3 ? 0.25 : random.between(-0.02, 0.02);  // turns
  return Transform::rotation(Quaternion{0, 0, sinTurns(halfAngle), cosTurns(halfAngle)});
}

/// Fills one rack shelf by shelf: columns away from the aisle, one beside the other along x.
class RackFiller {
 public:
  /// The front stands at y = `front`; the rack extends towards `away` (1 or -1) along y.
  RackFiller(Assembly& assembly, NodeId rack, double front, double away)
      : assembly_(assembly), rack_(rack), front_(front), away_(away) {}

  void beginShelf() {
    level_ = top_ + shelfGap;
    x_ = nextX_ = 0;
    depth_ = 0;
    shelf_ = assembly_.addNode("shelf", {}, rack_);
  }

  void put(const std::shared_ptr<const TriangleMesh>& part, const Transform& turn, double gap) {
    const Box box = placedBox(turn, part->boundsInPart());
    const Vec3 size = box.max - box.min;
    if (depth_ > 0 && depth_ + size.y > rackDepth) {
      x_ = nextX_;
      depth_ = 0;
    }
    const double y = away_ > 0 ? front_ + depth_ : front_ - depth_ - size.y;
    const Transform shift = Transform::translation(Vec3{x_, y, level_} - box.min);
    assembly_.addNode(part->name(), shift * turn, shelf_, assembly_.addPart(part));
    depth_ += std::max(0.0, size.y + gap);
    nextX_ = std::max(nextX_, x_ + size.x + gap);
    top_ = std::max(top_, level_ + size.z);
  }

 private:
  Assembly& assembly_;
  NodeId rack_, shelf_{};
  double front_, away_;
  double level_ = 0, top_ = 60;
  double x_ = 0, nextX_ = 0, depth_ = 0;
};

}  // namespace

Assembly makeLargeAssembly(const LargeAssemblyOptions& options) {
  const auto triangles = static_cast<double>(options.triangles), count = static_cast<double>(options.parts);
  if (options.parts == 0) throw InputError("large assembly", "parts", "none");
  if (triangles < fewest * count || triangles > most * count)
    throw InputError("large assembly", std::to_string(options.triangles) + " triangles",
                     "not between 50 and 50,000 for each of " + std::to_string(options.parts) + " parts");
  Random random(options.seed);
  const std::vector<PartPlan> plans = plan(options, random);
  std::vector<std::shared_ptr<const TriangleMesh>> parts(plans.size());
  parallelFor(plans.size(), 0, [&](std::size_t i, unsigned) {
    const PartPlan& p = plans[i];
    parts[i] = std::make_shared<const TriangleMesh>(hall::makePart(p.kind, p.name, p.triangles, p.seed));
  });

  Assembly assembly("hall");
  const NodeId root = assembly.addNode("hall", {});
  const PartDescription spool = plant::spool();
  assembly.addNode("spool", Transform::translation({-600, 0, 500}), root,
                   assembly.addPart(std::make_shared<const TriangleMesh>(tessellate(spool))), spool.colour);

  // Two racks face each aisle; shelves are as many as make a hall about ten times as long as high.
  const std::size_t aisles = std::max<std::size_t>(1, (options.parts + 750) / 1500);
  const auto shelves = static_cast<std::size_t>(std::max(
      2L, std::lround(std::sqrt(static_cast<double>(options.parts) / (24.0 * static_cast<double>(aisles))))));
  const std::size_t places = aisles * 2 * shelves;
  std::size_t next = 0, place = 0;
  for (std::size_t aisle = 0; aisle < aisles; ++aisle) {
    const double middle = static_cast<double>(aisle) * (aisleWidth + 2 * rackDepth + 100);
    for (const double away : {1.0, -1.0}) {
      const NodeId rack = assembly.addNode("rack", {}, root);
      RackFiller filler(assembly, rack, middle + away * aisleWidth / 2, away);
      for (std::size_t shelf = 0; shelf < shelves; ++shelf) {
        filler.beginShelf();
        for (const std::size_t end = ++place * parts.size() / places; next < end; ++next) {
          const Transform turn = drawTurn(random);
          const bool pushed = random.unit() < 1.0 / 40;
          filler.put(parts[next], turn, pushed ? -8 : random.between(1, 12));
        }
      }
    }
  }
  return assembly;
}

Track makeLargeTrack(const Assembly& hall) {
  constexpr int steps = 400;
  const NodeId spool = hall.at(largeSpoolPath);
  Box whole;
  for (NodeId node : hall.instances())
    if (node != spool) whole.extend(hall.worldBounds(node));
  const Vec3 start = hall.worldFromNode(spool).t;
  const double length = whole.max.x + 600 - start.x;
  const double rise = std::max(0.0, whole.max.z - 1000);

  Track track;
  track.name = "spool-through-hall";
  track.unit = hall.unit();
  track.modelHash = hall.contentHash();
  track.moved = {largeSpoolPath};
  for (int step = 0; step < steps; ++step) {
    // From one rack into the other and back five times, once up and down, slowly turning; at rest at the
    // ends.
    const double s = static_cast<double>(step) / (steps - 1);
    const Vec3 shift{length * s, 700 * sinTurns(5 * s), rise * 0.5 * (1 - cosTurns(s))};
    const double halfYaw = 0.05 * sinTurns(2 * s), halfRoll = 0.5 * s;  // turns
    const Quaternion yaw{0, 0, sinTurns(halfYaw), cosTurns(halfYaw)};
    const Quaternion roll{sinTurns(halfRoll), 0, 0, cosTurns(halfRoll)};
    track.steps.push_back({motionAbout(start, yaw * roll, shift)});
  }
  return track;
}

}  // namespace fitup::models
