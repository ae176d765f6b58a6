#include <algorithm>
#include <limits>

#include <fitup/motion/detail/exact_contact.h>
#include <fitup/motion/detail/motion_search.h>
#include <fitup/query/resolved_distance.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup/scene/naming_instances.h>

namespace fitup::detail {

void MotionSearch::addError(const std::vector<RigidPath>& paths, double s) {
  MotionContact& contact = *report_.contact;
  const PosedModel first = posed(placedAt(model_.positionOf(contact.a), paths, s)),
                   second = posed(placedAt(model_.positionOf(contact.b), paths, s));
  QueryContext context;
  contact.error = distanceError(first, second, contact.nearest.distance, budget_.remaining(), context);
  contact.error.rounding += rounding_;
}

/// A lower bound of the distance of the exact shapes beyond the clearance, after they were made finer. If
/// it is not above the resolution, the contact is in the report. Nothing if a limit ended the search.
std::optional<double> MotionSearch::lookAtShapes(const PlacedInstance& a, const PlacedInstance& b,
                                                 const MotionPair& pair) {
  ++report_.queries;
  const MovingPair solids = movingPair(a, b);
  const double beyond = pair.chordErrors + report_.resolution;
  const ResolvedDistance found = namingInstances(model_.assembly(), a.node, b.node, [&] {
    return resolvedDistance(solids.first, solids.second, options_.exact->accuracy, pair.clearance + beyond,
                            finerShapes(model_, a.node, b.node, true, options_.exact->refinement, progress_),
                            budget_.remaining(), contexts_[{pair.first, pair.second}]);
  });
  if (found.status != ReportStatus::complete) {
    report_.status = found.status;
    return std::nullopt;
  }
  const double rounding = rounding_ + found.error.rounding;
  if (!found.nearest) return beyond - rounding;
  const double margin = found.nearest->distance - found.error.bound() - pair.clearance - rounding_;
  if (!(margin > report_.resolution / 2)) {
    report_.contact = MotionContact{
        0, a.node, b.node, pair.clearance, *found.nearest, {found.error.chordError, rounding}, {}, {}};
  }
  return margin;
}

/// A lower bound of the distance of the exact shapes beyond the clearance of the pair, up to what its
/// largest chord errors are. Nothing if a limit ended the search.
std::optional<double> MotionSearch::exactMargin(const PlacedInstance& a, const PlacedInstance& b,
                                                const MotionPair& pair, const DistanceRequest& request) {
  ++report_.queries;
  const PosedModel first = posed(a), second = posed(b);
  const double within = pair.clearance + pair.chordErrors + report_.resolution;
  const DistanceRange range = namingInstances(model_.assembly(), a.node, b.node, [&] {
    QueryContext context;
    return exactDistance(first, second, within, request, context);
  });
  if (range.status != ReportStatus::complete) {
    report_.status = range.status;
    return std::nullopt;
  }
  return range.least - pair.clearance - rounding_ - lengthRounding(first, second);
}

/// Looks for the time by which the exact shapes of the contact have met: at the contact, in the rest of its
/// step at distances that double, then at the steps that follow.
void MotionSearch::findExactLatest(const std::vector<RigidPath>& paths, double s) {
  MotionContact& contact = *report_.contact;
  const std::uint32_t first = model_.positionOf(contact.a), second = model_.positionOf(contact.b);
  const double chordErrors = chordErrors_[first] + chordErrors_[second];
  if (contact.event != MotionEvent::contact || !(chordErrors > 0)) return;
  const bool mayMeet = canMeet(movingPair(placedAt(first, paths, s), placedAt(second, paths, s)));
  const auto haveMet = [&](const std::vector<RigidPath>& along, double at) {
    ++report_.queries;
    return fitup::detail::haveMet(movingPair(placedAt(first, along, at), placedAt(second, along, at)),
                                  contact.clearance, mayMeet, budget_.remaining());
  };
  const auto maySearch = [&] { return budget_.statusAfter(report_.queries) == ReportStatus::complete; };
  if (haveMet(paths, s)) {
    contact.exactLatest = static_cast<double>(step_) + s;
    return;
  }
  const std::vector<double> speed = speeds(paths);
  const double way = speed[first] + speed[second];
  // Before the parts have moved by a fourth of the chord errors, hardly anything is certain.
  double apart = way > 0 ? std::min(1.0, chordErrors / (4 * way)) : 1;
  for (double open = s; open < 1 && maySearch(); apart *= 2) {
    double met = std::min(1.0, s + apart);
    if (!haveMet(paths, met)) {
      open = met;
      continue;
    }
    constexpr int halvings = 4;
    for (int i = 0; i < halvings && maySearch(); ++i) {
      const double middle = (open + met) / 2;
      (haveMet(paths, middle) ? met : open) = middle;
    }
    contact.exactLatest = static_cast<double>(step_) + met;
    return;
  }
  constexpr std::size_t mostSteps = 64;
  for (std::size_t k = step_ + 2; k < std::min(track_.steps.size(), step_ + mostSteps) && maySearch(); ++k) {
    std::ranges::fill(placedAt_, std::numeric_limits<double>::quiet_NaN());
    if (!haveMet(scene_.pathsFrom(track_, k), 0)) continue;
    contact.exactLatest = static_cast<double>(k);
    return;
  }
}

}  // namespace fitup::detail
