#include <fitup/planning/tree_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <list>
#include <numbers>
#include <random>
#include <utility>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

namespace fitup {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;

using State = ob::SE3StateSpace::StateType;

/// Of the size of the group: the longest extension of a tree.
constexpr double longestExtension = 0.5;
/// Of the size: the longest step of a slide, and the shortest that counts as one.
constexpr double longestSlide = 1.0 / 32, shortestMove = 1e-3;
/// Steps of one slide.
constexpr std::size_t mostSlides = 12;
/// Share of extensions that push in one direction as far as that leads, and their steps.
constexpr double pushShare = 0.3;
constexpr std::size_t mostPushed = 96;
/// Poses from which the tree of what is out begins, and how many steps there are between two of them.
constexpr std::size_t mostRoots = 64, stepsPerRoot = 16;
/// Trees that begin at waypoints, every how many steps one of them grows, and the share of extensions of
/// the other two that try to reach one.
constexpr std::size_t mostMiddles = 32, stepsPerMiddle = 4;
constexpr double middleShare = 0.5;
/// Share of random poses that are near to a pose of the tree.
constexpr double nearShare = 0.2;
/// Shares of random turns by right angles from the start, as most parts are fitted, and of pushes in a
/// direction that the model suggests.
constexpr double squareShare = 0.4, suggestedShare = 0.6;
constexpr int smoothings = 3;
/// Corners are cut this often, and how far a cut is at least, of the size of the group.
constexpr unsigned mostCornerCuts = 3;
constexpr double leastCut = 2e-3;

/// Random numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + uniform() * (high - low); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }
  Vec3 direction() {
    for (;;) {
      const Vec3 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double length = norm(v);
      if (length > 1e-3 && length <= 1) return (1 / length) * v;
    }
  }
  /// Uniform in the rotations (Shoemake 1992).
  Quaternion rotation() {
    const double u = uniform(), a = 2 * std::numbers::pi * uniform(), b = 2 * std::numbers::pi * uniform();
    return {std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a), std::sqrt(u) * std::sin(b),
            std::sqrt(u) * std::cos(b)};
  }

 private:
  std::mt19937_64 engine_;
};

/// The states of OMPL: where the centre of the group is, and its turn.
class States {
 public:
  explicit States(const FreeSpace& space)
      : centre_(space.centre()), space_(std::make_shared<ob::SE3StateSpace>()) {
    const double farthest = 1e6 * (1 + space.size() + norm(space.centre()));
    ob::RealVectorBounds bounds(3);
    bounds.setLow(-farthest);
    bounds.setHigh(farthest);
    space_->setBounds(bounds);
    // The distance of rotations is half of the angle.
    space_->setSubspaceWeight(1, 2 * space.gyration());
  }
  [[nodiscard]] const std::shared_ptr<ob::SE3StateSpace>& space() const noexcept { return space_; }
  void set(ob::State* state, const RigidMotion& pose) const {
    const Vec3 p = pose.transform().apply(centre_);
    auto& s = *state->as<State>();
    s.setXYZ(p.x, p.y, p.z);
    s.rotation().x = pose.rotation.x;
    s.rotation().y = pose.rotation.y;
    s.rotation().z = pose.rotation.z;
    s.rotation().w = pose.rotation.w;
  }
  [[nodiscard]] RigidMotion pose(const ob::State* state) const {
    const auto& s = *state->as<State>();
    const auto& q = s.rotation();
    return at({s.getX(), s.getY(), s.getZ()}, normalized(Quaternion{q.x, q.y, q.z, q.w}));
  }
  /// The pose with the centre at `place`.
  [[nodiscard]] RigidMotion at(const Vec3& place, const Quaternion& rotation) const {
    return {rotation, place - Transform::rotation(rotation).apply(centre_)};
  }
  [[nodiscard]] Vec3 place(const RigidMotion& pose) const { return pose.transform().apply(centre_); }

 private:
  Vec3 centre_;
  std::shared_ptr<ob::SE3StateSpace> space_;
};

/// Asks the free space about ways, for OMPL.
class FreeWays final : public ob::MotionValidator {
 public:
  FreeWays(const ob::SpaceInformationPtr& information, FreeSpace& space, const States& states)
      : ob::MotionValidator(information), space_(space), states_(states) {}
  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    return space_.isFree(states_.pose(from), states_.pose(to));
  }
  bool checkMotion(const ob::State* from, const ob::State* to,
                   std::pair<ob::State*, double>& last) const override {
    const FreeStep step = space_.go(states_.pose(from), states_.pose(to));
    if (step.share >= 1) return true;
    last.second = step.share;
    if (last.first != nullptr) states_.set(last.first, step.pose);
    return false;
  }

 private:
  FreeSpace& space_;
  const States& states_;
};

struct Node {
  RigidMotion pose;
  Node* parent = nullptr;
};

/// Poses that are reached from one another, from one or several roots.
class Tree {
 public:
  Tree(const States& states, double turnWeight) : states_(&states), turnWeight_(turnWeight) {}

  /// With `isEnd` false, the node is on a way that goes on, and no way begins there.
  Node* add(const RigidMotion& pose, Node* parent, bool isEnd = true) {
    Node& node = nodes_.emplace_back(Node{pose, parent});
    ++size_;
    if (isEnd) ends_.push_back({states_->place(pose), &node});
    return &node;
  }
  /// All of them are looked at: a tree has a few thousand.
  [[nodiscard]] Node* nearest(const RigidMotion& pose) const {
    const Vec3 place = states_->place(pose);
    const Quaternion& p = pose.rotation;
    double least = std::numeric_limits<double>::infinity();
    Node* found = nullptr;
    for (const auto& [at, node] : ends_) {
      const double apart = norm(at - place);
      if (apart >= least) continue;
      const Quaternion& q = node->pose.rotation;
      const double cosine = std::abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
      const double distance = apart + turnWeight_ * std::acos(std::min(1.0, cosine));
      if (distance < least) {
        least = distance;
        found = node;
      }
    }
    return found;
  }
  /// Takes the nodes of another tree, which are reached from a node of this one by way of `at`, a node of the
  /// other one at the same pose.
  void absorb(Tree&& other, Node* from, Node* at) {
    for (Node* before = from; at != nullptr;) {
      Node* const next = at->parent;
      at->parent = before;
      before = at;
      at = next;
    }
    ends_.insert(ends_.end(), other.ends_.begin(), other.ends_.end());
    size_ += other.size_;
    absorbed_.push_back(std::move(other.nodes_));
    for (std::deque<Node>& nodes : other.absorbed_) absorbed_.push_back(std::move(nodes));
    other.ends_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool isEmpty() const noexcept { return ends_.empty(); }
  [[nodiscard]] Node& any(Random& random) const { return *ends_[random.below(ends_.size())].node; }
  [[nodiscard]] std::size_t endCount() const noexcept { return ends_.size(); }
  [[nodiscard]] Node* end(std::size_t k) const { return ends_[k].node; }
  [[nodiscard]] Node& last() const { return *ends_.back().node; }

 private:
  struct End {
    Vec3 place;
    Node* node = nullptr;
  };
  const States* states_;
  double turnWeight_;
  std::deque<Node> nodes_;
  std::vector<std::deque<Node>> absorbed_;
  std::vector<End> ends_;
  std::size_t size_ = 0;
};

class Search {
 public:
  Search(FreeSpace& space, const PoseSearchTask& task)
      : space_(space),
        task_(task),
        states_(space),
        random_(task.seed),
        turnWeight_(2 * space.gyration()),
        fromStart_(states_, turnWeight_),
        fromGoal_(states_, turnWeight_) {
    bounds_ = space.rest();
    bounds_.extend(states_.place(task.start));
    if (task.goal) bounds_.extend(states_.place(*task.goal));
    const double by = 0.5 * space.size();
    bounds_.min = bounds_.min - Vec3{by, by, by};
    bounds_.max = bounds_.max + Vec3{by, by, by};
  }

  PoseSearchResult run() {
    PoseSearchResult result;
    if (!space_.admit(task_.start) || (task_.goal && !space_.admit(*task_.goal))) return result;
    fromStart_.add(task_.start, nullptr);
    if (task_.goal) fromGoal_.add(*task_.goal, nullptr);
    for (const RigidMotion& waypoint : task_.waypoints)
      if (middles_.size() < mostMiddles && !task_.stop() && space_.hasRoom(waypoint))
        middles_.emplace_back(states_, turnWeight_).add(waypoint, nullptr);
    connectMiddles();
    bool growsStart = true;
    while (!task_.stop()) {
      if (!task_.goal && result.steps % stepsPerRoot == 0 && roots_ < mostRoots) addRoot();
      ++result.steps;
      if (!middles_.empty() && result.steps % stepsPerMiddle == 0) growMiddle();
      Tree &tree = growsStart ? fromStart_ : fromGoal_, &other = growsStart ? fromGoal_ : fromStart_;
      if (const auto joint = grow(tree, other)) {
        result.poses = growsStart ? joined(joint->first, joint->second) : joined(joint->second, joint->first);
        break;
      }
      if (out_ != nullptr) {
        result.poses = joined(out_, nullptr);
        break;
      }
      growsStart = !growsStart || fromGoal_.isEmpty();
      if (task_.seen) task_.seen(fromStart_.last().pose, reached());
    }
    result.reached = reached();
    return result;
  }

 private:
  /// A pose that is out, with the turn of the start first.
  void addRoot() {
    const Quaternion turned = roots_ < 8 ? task_.start.rotation : rotation();
    ++roots_;
    const Vec3 direction = random_.direction();
    RigidMotion pose = states_.at(space_.rest().empty() ? Vec3{} : space_.rest().centre(), turned);
    const double length = task_.lengthOut(pose, direction);
    pose.translation = pose.translation + (1 + 1e-9) * length * direction;
    if (space_.admit(pose)) fromGoal_.add(pose, nullptr);
  }

  RigidMotion sample(const Tree& tree) {
    if (random_.uniform() < nearShare) {
      const RigidMotion& near = tree.any(random_).pose;
      const double reach = space_.size() * random_.uniform();
      const Vec3 shift = reach * random_.uniform() * random_.direction();
      const Quaternion turn =
          axisAngle(random_.direction(), random_.uniform() * std::min(3.0, 2 * reach / space_.gyration()));
      return states_.at(states_.place(near) + shift, normalized(turn * near.rotation));
    }
    const Vec3 place{random_.uniform(bounds_.min.x, bounds_.max.x),
                     random_.uniform(bounds_.min.y, bounds_.max.y),
                     random_.uniform(bounds_.min.z, bounds_.max.z)};
    return states_.at(place, rotation());
  }
  Quaternion rotation() {
    if (random_.uniform() >= squareShare) return random_.rotation();
    constexpr double rightAngle = std::numbers::pi / 2;
    constexpr std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    Quaternion turn = task_.start.rotation;
    for (int k = 0; k < 2; ++k)
      turn = axisAngle(axes[random_.below(axes.size())], static_cast<double>(random_.below(4)) * rightAngle) *
             turn;
    return normalized(turn);
  }

  /// A pose far away in one direction: shifted, turned about the centre, or both.
  RigidMotion push(const RigidMotion& from) {
    const double kind = random_.uniform();
    const auto direction = [&] {
      return !task_.directions.empty() && random_.uniform() < suggestedShare
                 ? task_.directions[random_.below(task_.directions.size())]
                 : random_.direction();
    };
    const Vec3 shift = kind < 0.7 ? 2 * space_.size() * direction() : Vec3{};
    const Quaternion turn = kind > 0.6 ? axisAngle(direction(), 2.0) : Quaternion{};
    return states_.at(states_.place(from) + shift, normalized(turn * from.rotation));
  }

  /// Grows a tree by one extension. Returns the nodes of it and of the other tree between which the way is
  /// free, if there are such.
  std::optional<std::pair<Node*, Node*>> grow(Tree& tree, Tree& other) {
    RigidMotion wanted = sample(tree);
    Node* const from = tree.nearest(wanted);
    const bool isPush = random_.uniform() < pushShare;
    if (isPush) wanted = push(from->pose);
    Node* const last = isPush ? extend(tree, from, wanted, 1e30, mostPushed)
                              : extend(tree, from, wanted, longestExtension * space_.size(), mostSlides);
    if (last == from) return std::nullopt;
    if (!middles_.empty() && random_.uniform() < middleShare) {
      const auto middle = anyMiddle();
      if (const auto joint = connect(tree, last, *middle)) absorb(tree, joint->first, middle, joint->second);
      return std::nullopt;
    }
    return connect(tree, last, other);
  }

  /// Grows a tree from a node to the nearest one of another. Returns the nodes of both at one pose, if that
  /// is reached.
  std::optional<std::pair<Node*, Node*>> connect(Tree& tree, Node* from, const Tree& other) {
    if (other.isEmpty()) return std::nullopt;
    Node* const target = other.nearest(from->pose);
    Node* const met = extend(tree, from, target->pose, 1e30, mostPushed);
    if (met->pose == target->pose) return std::pair(met, target);
    return std::nullopt;
  }

  std::list<Tree>::iterator anyMiddle() {
    return std::next(middles_.begin(), static_cast<std::ptrdiff_t>(random_.below(middles_.size())));
  }
  /// Connects waypoints that follow each other.
  void connectMiddles() {
    for (auto middle = middles_.begin(); middle != middles_.end() && !task_.stop();) {
      const auto next = std::next(middle);
      if (next == middles_.end()) break;
      if (const auto joint = connect(*middle, &middle->last(), *next)) {
        next->absorb(std::move(*middle), joint->second, joint->first);
        middles_.erase(middle);
      }
      middle = next;
    }
  }
  /// Grows a tree from a waypoint, and connects it with the start or the goal if it can.
  void growMiddle() {
    const auto middle = anyMiddle();
    RigidMotion wanted = sample(*middle);
    Node* const from = random_.uniform() < 0.5 ? middle->nearest(wanted) : &middle->any(random_);
    const bool isPush = random_.uniform() < 0.5;
    if (isPush) wanted = push(from->pose);
    Node* const last = isPush ? extend(*middle, from, wanted, 1e30, mostPushed)
                              : extend(*middle, from, wanted, longestExtension * space_.size(), mostSlides);
    Tree& end = !fromGoal_.isEmpty() && random_.uniform() < 0.5 ? fromGoal_ : fromStart_;
    if (const auto joint = connect(*middle, last, end)) absorb(end, joint->second, middle, joint->first);
  }
  void absorb(Tree& end, Node* from, std::list<Tree>::iterator middle, Node* at) {
    const std::size_t first = end.endCount();
    end.absorb(std::move(*middle), from, at);
    middles_.erase(middle);
    if (&end != &fromStart_ || task_.goal) return;
    for (std::size_t k = first; k < end.endCount() && out_ == nullptr; ++k) lookWhetherOut(end.end(k));
  }

  /// Goes from a node towards a pose, first straight, then along what is in the way. Returns the last node.
  Node* extend(Tree& tree, Node* from, const RigidMotion& wanted, double longest, std::size_t slides) {
    const double distance = space_.distance(from->pose, wanted);
    const RigidMotion to =
        distance > longest ? interpolate(from->pose, wanted, space_.centre(), longest / distance) : wanted;
    const FreeStep step = space_.go(from->pose, to);
    const double least = shortestMove * space_.size();
    Node* last = from;
    if (step.share >= 1) return add(tree, to, last);
    if (step.stop && task_.stopped && &tree == &fromStart_) task_.stopped(*step.stop);
    if (step.share * std::min(distance, longest) > least) last = add(tree, step.pose, last);
    const std::vector<RigidMotion> slid = space_.slide(last->pose, to, longestSlide * space_.size(), slides);
    for (std::size_t k = 0; k < slid.size(); ++k) last = add(tree, slid[k], last, k + 1 == slid.size());
    return last;
  }

  Node* add(Tree& tree, const RigidMotion& pose, Node* parent, bool isEnd = true) {
    Node* const node = tree.add(pose, parent, isEnd);
    if (&tree == &fromStart_ && !task_.goal) lookWhetherOut(node);
    return node;
  }
  void lookWhetherOut(Node* node) {
    if (task_.lengthOut(node->pose, {0, 0, 1}) == 0) out_ = node;
  }
  [[nodiscard]] std::size_t reached() const {
    std::size_t poses = fromStart_.size() + fromGoal_.size();
    for (const Tree& middle : middles_) poses += middle.size();
    return poses;
  }

  static std::vector<RigidMotion> joined(const Node* start, const Node* goal) {
    std::vector<RigidMotion> poses;
    for (const Node* node = start; node != nullptr; node = node->parent)
      if (poses.empty() || node->pose != poses.back()) poses.push_back(node->pose);
    std::ranges::reverse(poses);
    for (const Node* node = goal; node != nullptr; node = node->parent)
      if (node->pose != poses.back()) poses.push_back(node->pose);
    return poses;
  }

  FreeSpace& space_;
  const PoseSearchTask& task_;
  States states_;
  Random random_;
  double turnWeight_;
  Box bounds_;
  Tree fromStart_, fromGoal_;
  std::list<Tree> middles_;  ///< from waypoints, as long as they are not connected
  Node* out_ = nullptr;
  std::size_t roots_ = 0;
};

/// OMPL complains when it is seeded again.
class Quiet {
 public:
  Quiet() { ompl::msg::noOutputHandler(); }
  ~Quiet() { ompl::msg::restorePreviousOutputHandler(); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

class TreeSearch final : public PoseSearch {
 public:
  PoseSearchResult find(FreeSpace& space, const PoseSearchTask& task) const override {
    return Search(space, task).run();
  }

  std::vector<RigidMotion> improve(FreeSpace& space, std::vector<RigidMotion> poses,
                                   const PoseSearchTask& task) const override {
    if (poses.size() < 3) return poses;
    const States states(space);
    const auto information = std::make_shared<ob::SpaceInformation>(states.space());
    information->setMotionValidator(std::make_shared<FreeWays>(information, space, states));
    // Ways are only free with their ends.
    information->setStateValidityChecker([](const ob::State*) { return true; });
    information->setup();
    og::PathGeometric path(information);
    ob::State* const state = information->allocState();
    for (const RigidMotion& pose : poses) {
      states.set(state, pose);
      path.append(state);
    }
    information->freeState(state);
    // Its random numbers come from a generator that all of OMPL shares.
    const Quiet quiet;
    ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(task.seed % 0xffffffff + 1));
    og::PathSimplifier simplifier(information);
    for (int k = 0; k < smoothings && !task.stop(); ++k) {
      const bool isShorter = simplifier.reduceVertices(path);
      if (!simplifier.shortcutPath(path) && !isShorter) break;
    }
    if (!task.stop()) simplifier.smoothBSpline(path, mostCornerCuts, leastCut * space.size());
    std::vector<RigidMotion> better;
    for (const ob::State* const s : path.getStates()) better.push_back(states.pose(s));
    // States keep poses up to rounding only.
    better.front() = poses.front();
    better.back() = poses.back();
    const auto isWay = [&](const std::vector<RigidMotion>& way) {
      for (std::size_t k = 1; k < way.size(); ++k)
        if (space.go(way[k - 1], way[k]).share < 1) return false;
      return true;
    };
    if (!isWay(better)) return poses;
    std::vector<RigidMotion> wider = widenedWay(space, withoutNeedless(space, better), task.stop);
    return isWay(wider) ? wider : better;
  }
};

}  // namespace

bool hasTreeSearch() noexcept { return true; }
std::shared_ptr<const PoseSearch> treeSearch() { return std::make_shared<TreeSearch>(); }

}  // namespace fitup
