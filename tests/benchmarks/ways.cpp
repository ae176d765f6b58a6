#include "ways.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <fitup/base/error.h>
#include <fitup/motion/free_space.h>
#include <models/ways_out.h>

#include "contestant_fcl.h"
#include "stopwatch.h"

namespace fitup::bench {
namespace {

namespace ob = ompl::base;
using State = ob::SE3StateSpace::StateType;

/// Of the size of what moves.
constexpr double roomOfSize = 1.0 / 400, longestOfSize = 0.5;

struct Problem {
  std::string name;
  fitup::Scene scene;
  NodeId moved, rest;
  RigidMotion goal;
};

RigidMotion poseOf(const ob::State* state, const Vec3& centre) {
  const auto& s = *state->as<State>();
  const auto& q = s.rotation();
  const Quaternion rotation = normalized(Quaternion{q.x, q.y, q.z, q.w});
  return {rotation, Vec3{s.getX(), s.getY(), s.getZ()} - Transform::rotation(rotation).apply(centre)};
}

/// True if a way is free.
using CheckWay = std::function<bool(const RigidMotion& from, const RigidMotion& to)>;

/// Counts the ways that a planner asks about.
class CountedWays final : public ob::MotionValidator {
 public:
  CountedWays(const ob::SpaceInformationPtr& information, CheckWay check, const Vec3& centre)
      : ob::MotionValidator(information), check_(std::move(check)), centre_(centre) {}
  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    ++asked;
    const bool isFree = check_(poseOf(from, centre_), poseOf(to, centre_));
    free += isFree ? 1 : 0;
    return isFree;
  }
  bool checkMotion(const ob::State* from, const ob::State* to,
                   std::pair<ob::State*, double>& last) const override {
    last.second = 0;
    return checkMotion(from, to);
  }
  mutable std::size_t asked = 0, free = 0;

 private:
  CheckWay check_;
  Vec3 centre_;
};

struct Count {
  std::size_t asked = 0, free = 0;
  double milliseconds = 0;
};

/// Lets the planner search for a while.
Count plan(const Problem& problem, const FreeSpace& space, const CheckWay& check, double seconds) {
  const auto states = std::make_shared<ob::SE3StateSpace>();
  ob::RealVectorBounds bounds(3);
  Box box = space.rest();
  box.extend(problem.goal.transform().apply(space.centre()));
  for (unsigned k = 0; k < 3; ++k) {
    bounds.setLow(k, box.min[static_cast<int>(k)] - space.size() / 2);
    bounds.setHigh(k, box.max[static_cast<int>(k)] + space.size() / 2);
  }
  states->setBounds(bounds);
  states->setSubspaceWeight(1, 2 * space.gyration());
  const auto information = std::make_shared<ob::SpaceInformation>(states);
  const auto ways = std::make_shared<CountedWays>(information, check, space.centre());
  information->setMotionValidator(ways);
  // The checks of ways look at their ends.
  information->setStateValidityChecker([](const ob::State*) { return true; });
  information->setup();
  const auto stateOf = [&](const RigidMotion& pose) {
    ob::ScopedState<ob::SE3StateSpace> state(states);
    const Vec3 p = pose.transform().apply(space.centre());
    state->setXYZ(p.x, p.y, p.z);
    auto& q = state->rotation();
    q.x = pose.rotation.x;
    q.y = pose.rotation.y;
    q.z = pose.rotation.z;
    q.w = pose.rotation.w;
    return state;
  };
  const auto task = std::make_shared<ob::ProblemDefinition>(information);
  task->setStartAndGoalStates(stateOf({}), stateOf(problem.goal));
  ompl::geometric::RRTConnect planner(information);
  planner.setRange(longestOfSize * space.size());
  planner.setProblemDefinition(task);
  planner.setup();
  Count count;
  count.milliseconds = processorMilliseconds([&] {
    std::timespec begin{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    const auto isOver = [&] {
      std::timespec now{};
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
      return static_cast<double>(now.tv_sec - begin.tv_sec) +
                 1e-9 * static_cast<double>(now.tv_nsec - begin.tv_nsec) >=
             seconds;
    };
    const ob::PlannerStatus status = planner.solve(ob::PlannerTerminationCondition(isOver));
    if (status == ob::PlannerStatus::EXACT_SOLUTION)
      throw Error(problem.name + ": there is a way, after all");
  });
  count.asked = ways->asked;
  count.free = ways->free;
  return count;
}

/// FCL looks at poses of a way.
class SampledByFcl {
 public:
  SampledByFcl(const Problem& problem, const FreeSpace& space, double spacing)
      : moved_(FclInput<double>(problem.scene.modelOf(problem.moved).mesh()).built<fcl::OBBRSSd>()),
        rest_(FclInput<double>(problem.scene.modelOf(problem.rest).mesh()).built<fcl::OBBRSSd>()),
        placed_(problem.scene.designPlacement(problem.moved)),
        restPose_(fclPose<double>(problem.scene.designPlacement(problem.rest))),
        centre_(space.centre()),
        spacing_(spacing) {
    const Box box = problem.scene.worldBounds(problem.moved, {});
    reach_ = norm(box.halfExtent());
  }
  [[nodiscard]] bool isFree(const RigidMotion& from, const RigidMotion& to) const {
    const double shift = norm(to.transform().apply(centre_) - from.transform().apply(centre_));
    const double turn = degreesBetween(from.rotation, to.rotation) * std::numbers::pi / 180;
    const double steps = std::max(1.0, std::ceil((shift + turn * reach_) / spacing_));
    // The end first, as OMPL's own checks of motions do; most ways that are not free end in a part.
    if (collides(to)) return false;
    for (double k = 1; k < steps; ++k)
      if (collides(interpolate(from, to, centre_, k / steps))) return false;
    return true;
  }

 private:
  [[nodiscard]] bool collides(const RigidMotion& pose) const {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(moved_.get(), fclPose<double>(pose.transform() * placed_), rest_.get(), restPose_,
                        request, result) > 0;
  }

  std::unique_ptr<fcl::BVHModel<fcl::OBBRSSd>> moved_, rest_;
  Transform placed_;
  fcl::Transform3d restPose_;
  Vec3 centre_;
  double spacing_, reach_ = 0;
};

Problem lockedLinks() {
  models::WayOutScene model = models::makeAlpha(0.9);
  const NodeId moved = model.assembly.at("alpha/moved"), rest = model.assembly.at("alpha/fixed");
  return {"alpha, gap 0.9", fitup::Scene(std::move(model.assembly)), moved, rest, {{}, {250, 0, 0}}};
}
Problem ringOnLoop() {
  models::WayOutScene model = models::makeRingOnLoop();
  const NodeId moved = model.assembly.at("ring/moved"), rest = model.assembly.at("ring/loop");
  return {"ring", fitup::Scene(std::move(model.assembly)), moved, rest, {{}, {0, 0, 250}}};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

std::vector<WaysRow> runWays(double seconds, int rounds) {
  ompl::msg::noOutputHandler();
  std::vector<WaysRow> rows;
  for (const Problem& problem : {lockedLinks(), ringOnLoop()}) {
    FreeSpaceOptions options;
    FreeSpace space(problem.scene, {}, std::vector{problem.moved}, options);
    const double room = roomOfSize * space.size();
    options.room = room;
    space = FreeSpace(problem.scene, {}, std::vector{problem.moved}, options);
    if (!space.admit({}) || !space.admit(problem.goal)) throw Error(problem.name + ": an end is not free");
    const SampledByFcl fcl(problem, space, room);
    const std::vector<std::pair<std::string, CheckWay>> programs{
        {"Fitup, certain at every time",
         [&](const RigidMotion& from, const RigidMotion& to) { return space.isFree(from, to); }},
        {"FCL OBBRSS, at poses",
         [&](const RigidMotion& from, const RigidMotion& to) { return fcl.isFree(from, to); }}};
    std::vector<std::vector<double>> rates(programs.size()), free(programs.size());
    for (int round = 0; round < rounds; ++round)
      for (std::size_t k = 0; k < programs.size(); ++k) {
        const Count count = plan(problem, space, programs[k].second, seconds);
        rates[k].push_back(static_cast<double>(count.asked) / count.milliseconds * 1e3);
        free[k].push_back(static_cast<double>(count.free) /
                          static_cast<double>(std::max<std::size_t>(count.asked, 1)));
      }
    for (std::size_t k = 0; k < programs.size(); ++k) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < rates[k].size(); ++i) ratios.push_back(rates[k][i] / rates.back()[i]);
      rows.push_back(
          {problem.name, programs[k].first, room, median(rates[k]), median(free[k]), median(ratios)});
    }
  }
  return rows;
}

void print(const std::vector<WaysRow>& rows) {
  fmt::print("\nWays between poses that RRT-Connect of OMPL has checked, per second of processor time:\n\n");
  fmt::print("{:<18}{:<32}{:>10}{:>14}{:>10}{:>9}\n", "scene", "program", "room, mm", "ways / s", "free",
             "ratio");
  for (const WaysRow& row : rows)
    fmt::print("{:<18}{:<32}{:>10.3f}{:>14.0f}{:>9.0f}%{:>9.2f}\n", row.scene, row.contestant, row.room,
               row.rate, 100 * row.free, row.ratio);
}

}  // namespace fitup::bench
