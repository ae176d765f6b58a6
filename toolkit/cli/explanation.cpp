#include "explanation.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>

#include "console.h"
#include "options.h"
#include "wording.h"

namespace fitup::cli {
namespace {

struct Side {
  NodeId instance{};
  std::optional<SurfaceId> surface;
};

NodeId instanceAt(const Assembly& assembly, const std::string& path) {
  const NodeId node = assembly.at(path);
  const std::vector<NodeId> below = assembly.instancesBelow(node);
  if (below.size() != 1)
    throw InputError("explain", "'" + path + "'",
                     below.empty() ? "has no instances"
                                   : "has " + std::to_string(below.size()) + " instances, such as '" +
                                         assembly.path(below.front()) + "'; name one");
  return below.front();
}

Side sideOf(const Assembly& assembly, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  // A path may contain colons.
  if (colon == std::string::npos || assembly.find(text)) return {instanceAt(assembly, text), std::nullopt};
  std::uint32_t ordinal = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, ordinal);
  if (error != std::errc{} || stop != end) return {instanceAt(assembly, text), std::nullopt};
  return {instanceAt(assembly, text.substr(0, colon)), SurfaceId{ordinal}};
}

std::string boxText(const Box& box) {
  return box.empty() ? "empty" : fmt::format("{} to {}", pointText(box.min), pointText(box.max));
}

/// The result for the axes: the one with the largest gap between the boxes or, if they overlap, the size of
/// the overlap.
std::string gapsText(const Explanation& e, const std::string& unit) {
  std::size_t widest = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (e.gaps[k] > e.gaps[widest]) widest = k;
  const auto length = [&](double gap) { return boundedNumber(gap, e.nearestError.rounding, 6); };
  if (e.gaps[widest] > 0)
    return fmt::format("separated along {} by {} {}", "xyz"[widest], length(e.gaps[widest]), unit);
  return fmt::format("overlap by {} x {} x {} {}", length(0 - e.gaps[0]), length(0 - e.gaps[1]),
                     length(0 - e.gaps[2]), unit);
}

/// How a check reports a pair that does not intersect.
std::string reportedAs(const ExplainQuestion& question, const Explanation& e) {
  std::string text;
  if (e.verdictCounts && e.verdict->verdict != Verdict::clear) {
    text = name(e.verdict->verdict);
    const bool allowed = e.verdict->verdict == Verdict::contact && e.rule &&
                         allowsContact(question.options.rules.rules[*e.rule].action);
    if (allowed) text += " that a rule allows";
  }
  if (e.tooNear) text += text.empty() ? "too near" : " and too near";
  return text;
}

std::string outcomeText(const ExplainQuestion& question, const Explanation& e) {
  if (e.reported() && e.outcome != ExplainedOutcome::intersect)
    return fmt::format(
        "reported as {}, though {}", reportedAs(question, e),
        e.outcome == ExplainedOutcome::boxesApart ? "their boxes are separated" : "no triangles intersect");
  switch (e.outcome) {
    case ExplainedOutcome::unselected:
      return "not checked: outside the sets to check";
    case ExplainedOutcome::ignored:
      return "not checked: a rule leaves the pair out";
    case ExplainedOutcome::noTriangles:
      return "nothing to intersect: one has no triangles";
    case ExplainedOutcome::boxesApart:
      return "not reported: their boxes are separated";
    case ExplainedOutcome::surfacesApart:
      return "not reported: no boxes of surfaces overlap";
    case ExplainedOutcome::trianglesApart:
      return e.triangleCandidates == 0
                 ? "not reported: no boxes of triangles overlap"
                 : "not reported: boxes of triangles overlap, but no triangles intersect";
    case ExplainedOutcome::intersect:
      return fmt::format("reported: {} and {} intersect", countedPairs(e.hitSurfaces, "faces"),
                         countedPairs(e.hits, "triangles"));
  }
  return {};
}

std::string ruleText(const ExplainQuestion& question, const Explanation& e, const std::string& file,
                     const std::string& unit) {
  const Rules& rules = question.options.rules;
  std::string text = !e.selected   ? "outside the sets to check; "
                     : rules.check ? "in the sets to check; "
                                   : "";
  if (!e.rule) return text + (rules.rules.empty() ? "no rules" : "no rule matches");
  const Rule& rule = rules.rules[*e.rule];
  text += fmt::format("rule {}{}: {}", *e.rule, file.empty() ? "" : " of " + file, name(rule.action));
  if (rule.action == RuleAction::clearance) text += fmt::format(" {:.6g} {}", rule.distance, unit);
  if (rule.action == RuleAction::allowOverlap) text += fmt::format(" {:.6g} {}", rule.depth, unit);
  text += fmt::format(" '{}' x '{}'{}", rule.a, rule.b, requirementsText(rule));
  if (!rule.reason.empty()) text += fmt::format(" ({})", rule.reason);
  if (rule.action == RuleAction::clearance && e.nearest)
    text += e.clearanceIsOpen                      ? ": open, because of chord errors"
            : e.tooNear                            ? ": not kept"
            : e.nearest->distance >= rule.distance ? ": kept"
                                                   : ": kept within rounding";
  return text;
}

std::string verdictText(const Explanation& e, const std::string& unit) {
  if (!e.verdict)
    return "none: the chord error of a part is unknown, and no tolerance was given (--tolerance)";
  const VerdictReport& v = *e.verdict;
  std::string text = fmt::format("{} at {:.6g} {}", name(v.verdict), v.tolerance, unit);
  switch (*e.toleranceOrigin) {
    case ToleranceOrigin::given:
      text += " (given)";
      break;
    case ToleranceOrigin::chordError:
      text += " (twice the chord error)";
      break;
    case ToleranceOrigin::faces:
      text += " (twice the chord error of the faces near each other)";
      break;
    case ToleranceOrigin::rounding:
      text += " (the smallest that can be measured)";
      break;
    case ToleranceOrigin::rule:
      text += " (allowed by the rule)";
      break;
  }
  if (v.depth)
    text += fmt::format(": {} at {}",
                        depthText({.verdict = v.verdict,
                                   .depth = v.depth,
                                   .depthErrorBound = v.depthErrorBound,
                                   .depthIsLowerBound = v.depthIsLowerBound,
                                   .chordError = v.chordError,
                                   .rounding = v.rounding},
                                  unit),
                        pointText(*v.point, v.rounding));
  else if (v.distance && v.chordError > 0)
    text += ": " + lengthText(*v.distance, v.chordError, v.rounding, unit, 4) + " apart";
  if (e.areCopies) text += ": identical copies in one place";
  if (!v.undecidedBecause.empty()) text += ": " + v.undecidedBecause;
  return text;
}

}  // namespace

ExplainQuestion explainQuestion(const Model& model, const std::vector<std::string>& sides,
                                const InterferenceOptions& options) {
  const Side a = sideOf(model.assembly, sides.at(0)), b = sideOf(model.assembly, sides.at(1));
  if (a.surface.has_value() != b.surface.has_value())
    throw InputError("explain", sides[a.surface ? 1 : 0],
                     "needs a face (PATH:FACE), because the other side names one");
  ExplainQuestion question{a.instance, b.instance, {}, options};
  if (a.surface) question.surfaces = SurfacePair{*a.surface, *b.surface};
  requireAnswerable(model.assembly, question);
  return question;
}

void printExplanation(const Model& model, const ExplainQuestion& question, const Explanation& e,
                      const std::string& rulesFile) {
  const Assembly& assembly = model.assembly;
  const std::string& unit = assembly.unit();
  const auto side = [&](NodeId node, SurfaceId surface) {
    return question.surfaces ? surfaceText(assembly, node, surface) : assembly.path(node);
  };
  const SurfacePair faces = question.surfaces.value_or(SurfacePair{});
  say("{}  x  {}\n{}\n", side(question.a, faces.a), side(question.b, faces.b), outcomeText(question, e));
  say("  rules        {}\n", ruleText(question, e, rulesFile, unit));
  if (e.outcome == ExplainedOutcome::noTriangles) return;
  say("  box of a     {}\n  box of b     {}\n  boxes        {}\n", boxText(e.boxA), boxText(e.boxB),
      gapsText(e, unit));
  if (e.overlapBox.empty()) {
    say("  overlap box  none in the frame of {}\n", e.aStays ? "a" : "b");
  } else {
    const Vec3 size = 2 * e.overlapBox.halfExtent();
    const auto length = [&](double side) { return boundedNumber(side, e.nearestError.rounding, 6); };
    say("  overlap box  {} x {} x {} {} in the frame of {}\n", length(size.x), length(size.y), length(size.z),
        unit, e.aStays ? "a" : "b");
  }
  say("  surfaces     the boxes of {} of {} overlap\n", e.surfaceCandidates,
      countedPairs(e.surfacePairs, "faces"));
  say("  triangles    the boxes of {} overlap; {} tested, {} by exact arithmetic, {}\n",
      countedPairs(e.triangleCandidates, "triangles"), e.triangleCandidates, e.exactTests,
      countText(e.hits, "hit"));
  say("  query        {} box tests, {} triangle tests ({} exact) for the two parts\n", e.stats.boxTests,
      e.stats.triangleTests, e.stats.exactTests);
  if (e.nearest)
    say("  distance     {}  {}  at {}\n               to {}  at {}\n",
        lengthText(e.nearest->distance, e.nearestError, unit),
        faceText(assembly, question.a, e.nearest->surfaces.a),
        pointText(e.nearest->pointA, e.nearestError.rounding),
        faceText(assembly, question.b, e.nearest->surfaces.b),
        pointText(e.nearest->pointB, e.nearestError.rounding));
  if (!question.surfaces) say("  verdict      {}\n", verdictText(e, unit));
  say("  closed       a {}, b {}\n", e.closedA ? "yes" : "no", e.closedB ? "yes" : "no");
  if (e.status != ReportStatus::complete) say("  {}\n", statusText(e.status));
}

}  // namespace fitup::cli
