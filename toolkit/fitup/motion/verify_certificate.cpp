#include <fitup/motion/verify_certificate.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fitup/base/count_text.h>
#include <fitup/base/deadline.h>
#include <fitup/base/hash.h>
#include <fitup/base/text.h>
#include <fitup/motion/detail/checked_pair.h>
#include <fitup/motion/detail/checked_scene.h>
#include <fitup/motion/replay.h>

namespace fitup {

std::string_view name(IntervalCheck check) noexcept {
  switch (check) {
    case IntervalCheck::confirmed:
      return "confirmed";
    case IntervalCheck::unchecked:
      return "unchecked";
    case IntervalCheck::refuted:
      return "refuted";
  }
  return "unknown";
}

namespace {

using detail::CheckedBody;
using detail::CheckedPair;
using detail::CheckedPart;
using detail::CheckedScene;
using detail::PairAnswer;
using detail::RelativeMotion;

bool isLength(double x) { return std::isfinite(x) && x >= 0; }

/// By how much a map lengthens vectors at most.
double largestStretch(const Transform& map) {
  if (map.kind() != TransformKind::affine) return 1;
  double squares = 0;
  for (const auto& row : map.m)
    for (const double x : row) squares += x * x;
  return std::sqrt(squares);
}

CheckedBody::Node nodeOf(const Box& box) { return {box.centre(), box.halfExtent()}; }

/// True if the boxes keep farther apart than `distance`, as a few parts of the interval show.
bool areBoxesApart(const RelativeMotion& motion, double from, double to, const Box& a, const Box& b,
                   double rounding, double distance, int halvings = 4) {
  const double enough = std::max(0.0, distance);
  if (detail::gapOfBoxes(motion.over(from, to), nodeOf(a), nodeOf(b), rounding, enough) > enough) return true;
  const double middle = 0.5 * (from + to);
  return halvings > 0 && from < middle && middle < to &&
         areBoxesApart(motion, from, middle, a, b, rounding, distance, halvings - 1) &&
         areBoxesApart(motion, middle, to, a, b, rounding, distance, halvings - 1);
}

class CertificateChecker {
 public:
  CertificateChecker(const Scene& scene, const Certificate& certificate,
                     const CertificateCheckOptions& options, const Progress& progress)
      : scene_(scene),
        assembly_(scene.assembly()),
        certificate_(certificate),
        track_(certificate.track),
        options_(options),
        progress_(progress),
        deadline_(deadlineOf(options.timeBudget)) {}

  CertificateCheck run() {
    const std::vector<MovedGroup> groups = resolve(track_, assembly_, true);
    checkNumbers();
    if (track_.steps.empty()) return std::move(result_);
    parts_.emplace(scene_, certificate_.rest, track_, groups);
    rounding_ = parts_->rounding();
    result_.slack = slack_ = 1e-9 * parts_->diagonal();
    if (!std::isfinite(rounding_) || !std::isfinite(slack_)) {
      fault("coordinates are too large to calculate with");
      return std::move(result_);
    }
    checkCoverage();
    for (std::size_t i = 0; i < certificate_.pairs.size(); ++i) {
      if (isCancelled()) break;
      progress_.report("checking the certificate",
                       static_cast<double>(i) / static_cast<double>(certificate_.pairs.size()));
      checkPair(certificate_.pairs[i]);
    }
    if (isCancelled()) result_.status = ReportStatus::cancelled;
    return std::move(result_);
  }

 private:
  using Key = std::pair<NodeId, NodeId>;
  /// A contact limit, or none, with what the checker knows of the pair.
  struct PairAtHand {
    const CertifiedPair& pair;
    const CheckedPart &a, &b;
    double tolerance = 0;  ///< the largest t that the certificate's request allows, of pairs in contact
  };

  void fault(std::string text) {
    if (result_.faultCount++ < CertificateCheck::mostListed) result_.faults.push_back(std::move(text));
  }
  [[nodiscard]] bool isCancelled() const { return progress_.cancelled() || options_.cancel.stop_requested(); }
  [[nodiscard]] bool isInstance(NodeId node) const {
    return index(node) < assembly_.nodes().size() && assembly_.nodes()[index(node)].part.has_value();
  }
  [[nodiscard]] std::string named(NodeId node) const {
    return index(node) < assembly_.nodes().size() ? "'" + assembly_.path(node) + "'"
                                                  : "instance " + std::to_string(index(node));
  }
  [[nodiscard]] std::string named(NodeId a, NodeId b) const { return named(a) + " and " + named(b); }
  static Key keyOf(NodeId a, NodeId b) { return std::minmax(a, b); }
  [[nodiscard]] double lastTime() const { return static_cast<double>(track_.steps.size() - 1); }

  void checkNumbers();
  static bool areInRelativeMotion(const CheckedPart& a, const CheckedPart& b) {
    return (a.group || b.group) && a.group != b.group;
  }
  void checkCoverage();
  [[nodiscard]] bool isSoundPair(const CertifiedPair& pair);
  void checkTimes(const CertifiedPair& pair);
  void checkPair(const CertifiedPair& pair);
  [[nodiscard]] double largestChordErrors(const PairAtHand& at) const;
  [[nodiscard]] double toleranceOf(const CheckedPart& a, const CheckedPart& b) const;
  void checkLimit(const PairAtHand& at);
  void checkOverlap(const PairAtHand& at);
  [[nodiscard]] PairAnswer isNeitherInside(const PairAtHand& at);
  void checkNotNested(const PairAtHand& at);
  void checkInterval(const PairAtHand& at, const CertifiedInterval& interval);
  [[nodiscard]] PairAnswer checkDistance(const PairAtHand& at, std::size_t step, double from, double to,
                                         double distance, detail::CheckBudget& budget);
  [[nodiscard]] PairAnswer checkContact(const PairAtHand& at, std::size_t step, double from, double to,
                                        const CertifiedInterval& interval, detail::CheckBudget& budget,
                                        bool& isSwapped);
  [[nodiscard]] bool mayPierce(const PairAtHand& at, double tolerance);
  void record(const PairAtHand& at, const CertifiedInterval& interval, std::size_t step, PairAnswer answer,
              bool isSwapped);
  void refute(RefutedClaim claim) {
    if (result_.refuted.size() < CertificateCheck::mostListed) result_.refuted.push_back(std::move(claim));
  }
  void leaveUnchecked(const PairAtHand& at, double from, double to, std::string reason) {
    ++result_.uncheckedIntervals;
    if (result_.unchecked.size() < CertificateCheck::mostListed)
      result_.unchecked.push_back({at.pair.a, at.pair.b, from, to, std::move(reason)});
  }
  /// That of an interval, or a share of it.
  [[nodiscard]] detail::CheckBudget freshBudget(std::size_t share = 1) const {
    return {options_.piecesPerInterval / share, deadline_, {progress_.stopToken(), options_.cancel}};
  }
  [[nodiscard]] const CheckedBody& bodyOf(const CheckedPart& part) { return parts_->bodyOf(part); }

  const Scene& scene_;
  const Assembly& assembly_;
  const Certificate& certificate_;
  const Track& track_;
  const CertificateCheckOptions& options_;
  const Progress& progress_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  CertificateCheck result_;

  std::optional<CheckedScene> parts_;
  double rounding_ = 0, slack_ = 0;  ///< `CheckedScene::rounding`, `CertificateCheck::slack`
  std::set<Key> toCheck_;  ///< pairs of the certificate that are in relative motion, and not twice in it
};

void CertificateChecker::checkNumbers() {
  if (certificate_.modelHash != assembly_.contentHash())
    fault("it was made for another model (" + hashText(certificate_.modelHash) + ", this one is " +
          hashText(assembly_.contentHash()) + ")");
  if (track_.modelHash && *track_.modelHash != certificate_.modelHash)
    fault("its track was recorded on another model (" + hashText(*track_.modelHash) + ")");
  if (!isLength(certificate_.clearance)) fault("its clearance is negative or not finite");
  if (certificate_.tolerance && !isLength(*certificate_.tolerance))
    fault("its tolerance is negative or not finite");
  if (track_.steps.empty())
    fault("its track has no steps");
  else if (!(certificate_.certainUntil >= 0 && certificate_.certainUntil <= lastTime()))
    fault("it claims to be certain until " + numberText(certificate_.certainUntil) +
          ", and the track ends at " + numberText(lastTime()));
  for (const auto& [node, placement] : certificate_.rest) {
    if (!isInstance(node))
      fault("it places " + named(node) + ", which is no instance");
    else if (!placement.isFinite())
      fault("it places " + named(node) + " where coordinates are not finite");
  }
}

void CertificateChecker::checkCoverage() {
  std::set<Key> left;
  for (const auto* list : {&certificate_.excluded, &certificate_.unknown})
    for (const auto& [a, b] : *list) {
      if (!isInstance(a) || !isInstance(b))
        fault("it leaves out " + named(a, b) + ", which are not both instances");
      left.insert(keyOf(a, b));
    }
  result_.excluded = certificate_.excluded.size();
  result_.unknown = certificate_.unknown.size();
  for (const CertifiedPair& pair : certificate_.pairs) {
    if (!isSoundPair(pair)) continue;
    if (left.contains(keyOf(pair.a, pair.b)))
      fault("it both leaves out and bounds the pair " + named(pair.a, pair.b));
    if (!toCheck_.insert(keyOf(pair.a, pair.b)).second)
      fault("it has the pair " + named(pair.a, pair.b) + " twice");
  }
  std::map<std::pair<std::size_t, std::size_t>, bool> alike;
  for (const auto& [nodeA, a] : parts_->parts()) {
    if (!a.group || isCancelled()) continue;
    for (const auto& [nodeB, b] : parts_->parts()) {
      if (!areInRelativeMotion(a, b) || (b.group && nodeB < nodeA)) continue;
      if (a.box.empty() || b.box.empty()) continue;  // nothing is always far away
      const Key key = keyOf(nodeA, nodeB);
      if (toCheck_.contains(key) || left.contains(key)) continue;
      if (b.group) {
        const auto [it, isNew] = alike.try_emplace(std::minmax(*a.group, *b.group), false);
        if (isNew) it->second = parts_->moveAlike(it->first.first, it->first.second);
        if (it->second) continue;
      }
      if (result_.faultCount < CertificateCheck::mostListed)
        fault("it does not cover the pair " + named(nodeA, nodeB));
      else
        ++result_.faultCount;  // without the text, for there may be millions
    }
  }
}

bool CertificateChecker::isSoundPair(const CertifiedPair& pair) {
  if (!isInstance(pair.a) || !isInstance(pair.b)) {
    fault("it has the pair " + named(pair.a, pair.b) + ", which are not both instances");
    return false;
  }
  const CheckedPart &a = parts_->part(pair.a), &b = parts_->part(pair.b);
  if (!areInRelativeMotion(a, b)) {
    fault("the pair " + named(pair.a, pair.b) + " is not in relative motion");
    return false;
  }
  if (!a.group) {
    fault("of the pair " + named(pair.a, pair.b) + ", the second moves, and not the first");
    return false;
  }
  return true;
}

void CertificateChecker::checkTimes(const CertifiedPair& pair) {
  const std::string of = "of the pair " + named(pair.a, pair.b) + ", ";
  double reached = 0;
  for (const CertifiedInterval& i : pair.intervals) {
    if (!(i.from >= 0 && i.from <= i.to && i.to <= lastTime())) {
      fault(of + "an interval from " + numberText(i.from) + " to " + numberText(i.to) +
            " is none of the track");
      continue;
    }
    if (i.from != reached)
      fault(of + (i.from > reached ? "a gap is" : "an overlap is") + " between " +
            numberText(std::min(i.from, reached)) + " and " + numberText(std::max(i.from, reached)));
    reached = i.to;
  }
  if (reached < certificate_.certainUntil)
    fault(of + "the certificate claims to be certain until " + numberText(certificate_.certainUntil) +
          ", and covers " + numberText(reached));
}

void CertificateChecker::checkPair(const CertifiedPair& pair) {
  // Pairs that are named twice are checked once.
  if (!isInstance(pair.a) || !isInstance(pair.b) || toCheck_.erase(keyOf(pair.a, pair.b)) == 0) return;
  ++result_.pairs;
  parts_->releaseBodies();
  checkTimes(pair);
  const std::string of = "of the pair " + named(pair.a, pair.b) + ", ";
  if (!isLength(pair.clearance) || pair.clearance < certificate_.clearance)
    fault(of + "the clearance of " + numberText(pair.clearance) + " is below that of the certificate");
  PairAtHand at{pair, parts_->part(pair.a), parts_->part(pair.b), 0};
  if (const double kept = certificate_.clearance + largestChordErrors(at);
      certificate_.exactShapes && !pair.contact && !(pair.clearance >= kept - slack_))
    fault(of + "the clearance of " + numberText(pair.clearance) +
          " is not kept by exact shapes: that takes " + numberText(kept));
  if (pair.contact) {
    const ContactLimit& limit = *pair.contact;
    if (!isLength(limit.tolerance) || !isLength(limit.depth) || !isLength(limit.overlap) ||
        (limit.deepest && !isFinite(*limit.deepest))) {
      fault(of + "a length of the limit is negative or not finite");
      return;
    }
    at.tolerance = toleranceOf(at.a, at.b);
    checkLimit(at);
  } else {
    checkNotNested(at);
  }
  const double least = pair.contact ? 0 : pair.clearance;
  for (const CertifiedInterval& interval : pair.intervals) {
    if (!(interval.from >= 0 && interval.from <= interval.to && interval.to <= lastTime())) continue;
    if (isCancelled()) return;
    if (!(interval.atLeast >= least)) {
      fault(
          of + "the bound " + numberText(interval.atLeast) + " from " + numberText(interval.from) + " to " +
          numberText(interval.to) +
          (pair.contact ? std::string(" is below zero") : " is below the clearance of " + numberText(least)));
      continue;
    }
    checkInterval(at, interval);
  }
}

double CertificateChecker::toleranceOf(const CheckedPart& a, const CheckedPart& b) const {
  double raised = 0;  // below which no verdict is made
  double byChords = 0;
  bool hasChords = true;
  for (const CheckedPart* part : {&a, &b}) {
    const TriangleMesh& mesh = assembly_.meshOf(part->node);
    const double stretch = largestStretch(part->placement);
    raised +=
        std::sqrt(3.0) * mesh.validation().largestRounding * stretch + 0x1p-52 * norm(part->placement.t);
    if (!part->box.empty()) raised += 0x1p-36 * norm(part->box.max - part->box.min);
    hasChords = hasChords && mesh.deflection();
    if (hasChords) byChords = std::max(byChords, 2 * mesh.deflection()->linear * stretch);
  }
  double t = 0x1p-20 * parts_->diagonal();  // of meshes of unknown chord error
  if (certificate_.tolerance && isLength(*certificate_.tolerance))
    t = *certificate_.tolerance;
  else if (hasChords)
    t = byChords;
  if (options_.allowedOverlap)
    if (const auto allowed = options_.allowedOverlap(a.node, b.node)) t = std::max(t, *allowed);
  return std::max(t, raised);
}

/// By how much the exact shapes of both parts together may differ from their triangles.
double CertificateChecker::largestChordErrors(const PairAtHand& at) const {
  double sum = 0;
  for (const CheckedPart* part : {&at.a, &at.b}) {
    const TriangleMesh& mesh = assembly_.meshOf(part->node);
    double largest = 0;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      largest = std::max(largest, mesh.chordErrorOf(SurfaceId{s}).value_or(0));
    sum += largest * largestStretch(part->placement);
  }
  return sum;
}

/// The limit follows from the reference pose.
void CertificateChecker::checkLimit(const PairAtHand& at) {
  const ContactLimit& limit = *at.pair.contact;
  const std::string of = "of the pair " + named(at.pair.a, at.pair.b) + ", ";
  double chords = 0;
  for (const CheckedPart* part : {&at.a, &at.b})
    if (const auto deflection = assembly_.meshOf(part->node).deflection())
      chords += deflection->linear * largestStretch(part->placement);
  const double t = at.tolerance;
  const double most = std::max(t, limit.overlap > 0 ? limit.overlap + std::max(chords, 0.5 * t) : 0);
  if (!(limit.depth <= most + slack_))
    fault(of + "the limit of " + numberText(limit.depth) + " is larger than the first step justifies (" +
          numberText(most) + ")");
  if (limit.overlap > 0) checkOverlap(at);

  const double near = std::max(t, isLength(at.pair.clearance) ? at.pair.clearance : 0) + slack_;
  const RelativeMotion ofA = parts_->relative(at.a, at.b, 0), ofB = parts_->relative(at.b, at.a, 0);
  detail::CheckBudget budget = freshBudget();
  PairAnswer apart =
      CheckedPair(bodyOf(at.a), bodyOf(at.b), ofA, ofB, rounding_, budget).areApart(0, 0, near);
  if (apart.check == IntervalCheck::confirmed) apart = isNeitherInside(at);
  if (apart.check == IntervalCheck::confirmed)
    fault(of + "the parts are farther apart than " + numberText(near) +
          " at the first step, and would have to keep their clearance");
  if (apart.check == IntervalCheck::unchecked)
    leaveUnchecked(at, 0, 0, "whether the parts are in contact at the first step: " + apart.reason);
}

/// The point that shows the overlap of the reference pose is in both bodies, and so deep in one.
void CertificateChecker::checkOverlap(const PairAtHand& at) {
  const ContactLimit& limit = *at.pair.contact;
  if (!limit.deepest) {
    fault("of the pair " + named(at.pair.a, at.pair.b) + ", no point shows the overlap");
    return;
  }
  double deepest = -std::numeric_limits<double>::infinity();
  bool isInBoth = true;
  Vec3 nearest;
  for (const CheckedPart* part : {&at.a, &at.b}) {
    const CheckedBody& body = bodyOf(*part);
    if (!body.isSolid()) {
      leaveUnchecked(at, 0, 0,
                     "the overlap at the first step: " + named(part->node) + " has no certain inside");
      return;
    }
    const Transform place = parts_->motionOf(*part, 0).start;
    const Vec3 p = detail::undone(place).apply(*limit.deepest);
    const CheckedBody::Nearest near = body.nearest(p);
    const bool isInside = near.distance > rounding_ && body.contains(p) == true;
    isInBoth = isInBoth && (isInside || near.distance <= slack_);
    if (isInside && near.distance > deepest) {
      deepest = near.distance;
      nearest = place.apply(near.point);
    }
  }
  if (isInBoth && deepest >= limit.overlap - slack_) return;
  ++result_.refutedIntervals;
  refute({at.pair.a, at.pair.b, 0, *limit.deepest, nearest, true, isInBoth ? std::max(deepest, 0.0) : 0,
          limit.overlap,
          isInBoth ? "the overlap at the first step is not as deep at the point that is to show it"
                   : "the point that is to show the overlap at the first step is not in both parts"});
}

/// Whether, at the first step, neither part lies inside the other, given that their surfaces are apart. What
/// is open has no inside.
PairAnswer CertificateChecker::isNeitherInside(const PairAtHand& at) {
  const RelativeMotion ofA = parts_->relative(at.a, at.b, 0), ofB = parts_->relative(at.b, at.a, 0);
  if (areBoxesApart(ofA, 0, 0, at.a.box, at.b.box, rounding_, 0)) return {};
  detail::CheckBudget budget = freshBudget();
  const CheckedBody &a = bodyOf(at.a), &b = bodyOf(at.b);
  for (const bool swap : {false, true}) {
    const CheckedBody& outer = swap ? a : b;
    if (!outer.isClosed()) continue;
    if (!outer.isSolid())
      return {IntervalCheck::unchecked,
              named((swap ? at.a : at.b).node) + " has no certain inside, because its triangles cross",
              {}};
    const PairAnswer answer = (swap ? CheckedPair(b, a, ofB, ofA, rounding_, budget)
                                    : CheckedPair(a, b, ofA, ofB, rounding_, budget))
                                  .isNoShellInside(0);
    if (answer.check != IntervalCheck::confirmed) return answer;
  }
  return {};
}

/// Parts whose surfaces keep apart are in contact, with a limit, if one lies inside the other.
void CertificateChecker::checkNotNested(const PairAtHand& at) {
  const PairAnswer apart = isNeitherInside(at);
  if (apart.check == IntervalCheck::refuted)
    fault("of the pair " + named(at.pair.a, at.pair.b) +
          ", one part lies inside the other at the first step, and would need a limit");
  if (apart.check == IntervalCheck::unchecked)
    leaveUnchecked(at, 0, 0, "whether one part lies inside the other at the first step: " + apart.reason);
}

void CertificateChecker::checkInterval(const PairAtHand& at, const CertifiedInterval& interval) {
  detail::CheckBudget budget = freshBudget();
  const std::size_t steps = parts_->motionCount();
  auto step = std::min(static_cast<std::size_t>(interval.from), steps - 1);
  for (;; ++step) {
    const auto begin = static_cast<double>(step);
    const double from = std::max(0.0, interval.from - begin), to = std::min(1.0, interval.to - begin);
    bool isSwapped = false;
    PairAnswer answer;
    if (parts_->motionOf(at.a, step).isAmbiguous || parts_->motionOf(at.b, step).isAmbiguous)
      answer = {IntervalCheck::unchecked,
                "the shorter arc to step " + std::to_string(step + 1) +
                    " is half a turn, "
                    "so that its sense is uncertain",
                {}};
    else if (at.pair.contact)
      answer = checkContact(at, step, from, to, interval, budget, isSwapped);
    else
      answer = checkDistance(at, step, from, to, interval.atLeast - slack_, budget);
    if (answer.check != IntervalCheck::confirmed) {
      record(at, interval, step, std::move(answer), isSwapped);
      return;
    }
    if (step + 1 >= steps || interval.to <= begin + 1) break;
  }
  ++result_.confirmedIntervals;
}

PairAnswer CertificateChecker::checkDistance(const PairAtHand& at, std::size_t step, double from, double to,
                                             double distance, detail::CheckBudget& budget) {
  if (at.a.box.empty() || at.b.box.empty()) return {};
  const RelativeMotion ofA = parts_->relative(at.a, at.b, step), ofB = parts_->relative(at.b, at.a, step);
  if (areBoxesApart(ofA, from, to, at.a.box, at.b.box, rounding_, distance)) return {};
  return CheckedPair(bodyOf(at.a), bodyOf(at.b), ofA, ofB, rounding_, budget).areApart(from, to, distance);
}

bool CertificateChecker::mayPierce(const PairAtHand& at, double tolerance) {
  return bodyOf(at.a).mayHaveWallThinnerThan(2 * tolerance) &&
         bodyOf(at.b).mayHaveWallThinnerThan(2 * tolerance);
}

PairAnswer CertificateChecker::checkContact(const PairAtHand& at, std::size_t step, double from, double to,
                                            const CertifiedInterval& interval, detail::CheckBudget& budget,
                                            bool& isSwapped) {
  if (at.a.box.empty() || at.b.box.empty()) return {};
  const ContactLimit& limit = *at.pair.contact;
  const CheckedBody &a = bodyOf(at.a), &b = bodyOf(at.b);
  const RelativeMotion ofA = parts_->relative(at.a, at.b, step), ofB = parts_->relative(at.b, at.a, step);
  const CheckedPair aInB(a, b, ofA, ofB, rounding_, budget), bInA(b, a, ofB, ofA, rounding_, budget);
  const auto unchecked = [](std::string reason) {
    return PairAnswer{IntervalCheck::unchecked, std::move(reason), {}};
  };
  // Surfaces apart, and nothing inside: outside, the depth is the negative distance.
  const auto keepApart = [&](double distance, detail::CheckBudget& spent) {
    if (areBoxesApart(ofA, from, to, at.a.box, at.b.box, rounding_, distance)) return PairAnswer{};
    PairAnswer answer = CheckedPair(a, b, ofA, ofB, rounding_, spent).areApart(from, to, distance);
    for (const bool swap : {false, true}) {
      if (answer.check != IntervalCheck::confirmed) break;
      if (!(swap ? a : b).isSolid())
        return unchecked("a part has no certain inside, so the other may be in it");
      answer = (swap ? bInA : aInB).isNoShellInside(from);
      isSwapped = swap;
    }
    return answer;
  };

  // Which depth is claimed not to be exceeded; below zero it is a distance.
  const double depth = limit.depth - interval.atLeast + slack_;
  PairAnswer answer;
  if (!(depth > 4 * rounding_)) {
    answer = keepApart(-depth, budget);
  } else if (!areBoxesApart(ofA, from, to, at.a.box, at.b.box, rounding_, 0)) {
    for (const CheckedPart* part : {&at.a, &at.b})
      if (!bodyOf(*part).isSolid())
        return unchecked(named(part->node) +
                         " has no certain inside: it is open, or its triangles meet "
                         "elsewhere than in common edges and corners");
    // Parts with play between them are not deep at all, which takes less work to show.
    detail::CheckBudget some = freshBudget(8);
    const bool isApart = keepApart(0, some).check == IntervalCheck::confirmed;
    for (const bool swap : {false, true}) {
      if (isApart || answer.check != IntervalCheck::confirmed) break;
      const CheckedPair& pair = swap ? bInA : aInB;
      isSwapped = swap;
      answer = pair.isNowhereDeeper(from, to, depth);
      if (answer.check == IntervalCheck::confirmed) answer = pair.enclosesNoCore(from, depth);
    }
  }
  if (answer.check != IntervalCheck::confirmed) return answer;
  if (!mayPierce(at, std::max(at.tolerance, limit.tolerance))) return {};
  if (!limit.keepsOffMiddles)
    return unchecked("thin walls: whether the parts pierce each other at the first step is not known");
  bool isSwappedApart = false;
  std::swap(isSwapped, isSwappedApart);
  if (keepApart(interval.atLeast - slack_, budget).check == IntervalCheck::confirmed) return {};
  return unchecked("thin walls: both parts may have walls thinner than twice the tolerance, and touch");
}

void CertificateChecker::record(const PairAtHand& at, const CertifiedInterval& interval, std::size_t step,
                                PairAnswer answer, bool isSwapped) {
  if (answer.check == IntervalCheck::unchecked) {
    leaveUnchecked(at, interval.from, interval.to, std::move(answer.reason));
    return;
  }
  ++result_.refutedIntervals;
  const detail::Counterexample& found = *answer.counterexample;
  const Transform world = parts_->motionOf(isSwapped ? at.a : at.b, step).at(found.share);
  Vec3 a = world.apply(found.a), b = world.apply(found.b);
  if (isSwapped) std::swap(a, b);
  const double time = static_cast<double>(step) + found.share;
  // A depth below zero is a distance.
  const double depth = at.pair.contact ? at.pair.contact->depth - interval.atLeast : -interval.atLeast;
  const std::string problem =
      "at " + numberText(time) + ", " + named(at.pair.a, at.pair.b) +
      (found.isDepth ? " overlap at least " : " are at most ") + numberText(found.value) +
      (found.isDepth ? " deep" : " apart") + ", against the claim of " +
      (depth > 0 ? "at most " + numberText(depth) + " deep" : "at least " + numberText(-depth) + " apart");
  refute({at.pair.a, at.pair.b, time, a, b, found.isDepth, found.value, depth > 0 ? depth : -depth, problem});
}

}  // namespace

CertificateCheck verifyCertificate(const Scene& scene, const Certificate& certificate,
                                   const CertificateCheckOptions& options, const Progress& progress) {
  return CertificateChecker(scene, certificate, options, progress).run();
}

}  // namespace fitup
