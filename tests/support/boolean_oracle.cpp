#include "boolean_oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fitup/io/model_file.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/interference.h>

#include "import_census.h"
#include "import_checks.h"

namespace fitup::test {
namespace {

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

double largestDifference(const Vec3& a, const Vec3& b) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
}

/// Returns the instance of each solid.
std::vector<std::optional<NodeId>> instancesOf(const std::vector<OccurringSolid>& solids,
                                               const Assembly& assembly,
                                               std::vector<std::string>& unmatched) {
  struct Placed {
    NodeId node{};
    Box box;
    double edge = 0;  ///< of a cube of its volume
    bool isTaken = false;
  };
  std::vector<Placed> instances;
  for (const NodeId node : assembly.instances()) {
    const TriangleMesh& mesh = assembly.meshOf(node);
    const Transform worldFromPart = assembly.worldFromNode(node);
    Placed& placed = instances.emplace_back(Placed{node, {}, std::cbrt(std::abs(signedVolume(mesh)))});
    for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
      placed.box.extend(worldFromPart.apply(mesh.pointInPart(i)));
  }
  std::vector<std::optional<NodeId>> result;
  for (const OccurringSolid& solid : solids) {
    const double tolerance = 2 * solid.chordError + 1e-6 * norm(solid.worldBox.max - solid.worldBox.min);
    double best = std::numeric_limits<double>::infinity();
    Placed* nearest = nullptr;
    for (Placed& placed : instances) {
      const double apart = std::max(largestDifference(placed.box.min, solid.worldBox.min),
                                    largestDifference(placed.box.max, solid.worldBox.max));
      const double unlike = apart + std::abs(placed.edge - std::cbrt(std::abs(solid.volume)));
      if (placed.isTaken || apart > tolerance || unlike >= best) continue;
      best = unlike;
      nearest = &placed;
    }
    if (nearest != nullptr) nearest->isTaken = true;
    result.push_back(nearest != nullptr ? std::optional(nearest->node) : std::nullopt);
    if (nearest == nullptr) unmatched.push_back("solid of " + digits(solid.volume) + " mm3");
  }
  for (const Placed& placed : instances)
    if (!placed.isTaken) unmatched.push_back(assembly.path(placed.node));
  return result;
}

class VerdictComparer {
 public:
  VerdictComparer(const BooleanOverlaps& overlaps, const Model& model, const InterferenceReport& report)
      : overlaps_(overlaps), assembly_(model.assembly) {
    for (const PairInterference& pair : report.pairs) listed_[{pair.a, pair.b}] = &pair;
  }

  VerdictComparison run() {
    const auto nodes = instancesOf(overlaps_.solids, assembly_, result_.unmatched);
    for (const SolidOverlap& overlap : overlaps_.pairs)
      if (nodes[overlap.first] && nodes[overlap.second])
        compare(overlap, std::minmax(*nodes[overlap.first], *nodes[overlap.second]));
    return std::move(result_);
  }

 private:
  void compare(const SolidOverlap& overlap, const std::pair<NodeId, NodeId>& nodes) {
    ++result_.pairs;
    const double chordA = overlaps_.solids[overlap.first].chordError,
                 chordB = overlaps_.solids[overlap.second].chordError;
    const double chords = chordA + chordB;
    const auto found = listed_.find(nodes);
    const VerdictReport* const report =
        found != listed_.end() && found->second->verdict ? &*found->second->verdict : nullptr;
    const Verdict verdict = report != nullptr ? report->verdict : Verdict::clear;
    const double t = report != nullptr ? report->tolerance : 2 * std::max(chordA, chordB);
    const std::string text = textOf(overlap, nodes, verdict, report, t);
    const bool holdsBall = overlap.ballRadius > t;
    const bool isNothing = 2 * overlap.ballRadius <= chords && overlap.depth <= chords &&
                           overlap.volume <= overlap.area * chords / 2;
    const bool isFalse = verdict == Verdict::clash && !holdsBall && isNothing;
    const bool isMissed = (verdict == Verdict::contact && (holdsBall || overlap.depth > t + chords)) ||
                          (verdict == Verdict::clear && (overlap.ballRadius > 0 || !isNothing));
    if (!overlap.counts()) {
      ++result_.failedBooleans;
      const bool agrees = overlap.state == "disagrees" && !isFalse && !isMissed;
      result_.failedThatAgree += agrees;
      (agrees ? result_.notes : result_.failures).push_back(text);
      return;
    }
    if (isMissed) {
      result_.missed.push_back(text);
    } else if (isFalse) {
      result_.falseClashes.push_back(text);
    } else if (verdict == Verdict::clash && !holdsBall) {
      ++result_.otherClashes;
      result_.notes.push_back(text);
    } else {
      ++(verdict == Verdict::clash       ? result_.clashesWithBall
         : verdict == Verdict::contact   ? result_.contacts
         : verdict == Verdict::undecided ? result_.undecided
                                         : result_.clear);
    }
    if (verdict == Verdict::clash && report->depth && !report->depthIsLowerBound &&
        overlap.depth > *report->depth + report->depthErrorBound + chords)
      result_.tooShallow.push_back(text);
  }

  [[nodiscard]] std::string textOf(const SolidOverlap& overlap, const std::pair<NodeId, NodeId>& nodes,
                                   Verdict verdict, const VerdictReport* report, double t) const {
    std::string text = assembly_.path(nodes.first) + " x " + assembly_.path(nodes.second) + ": " +
                       std::string(name(verdict)) + " at " + digits(t) + " mm";
    if (report != nullptr && report->depth) text += ", " + digits(*report->depth) + " deep";
    if (report != nullptr && !report->regions.empty() && report->regions.front().pierced) text += ", pierced";
    text += "; Boolean " + overlap.state + ", defect " + digits(overlap.defect);
    if (overlap.area > 0)
      text += ", common volume " + digits(overlap.volume) + " mm3, area " + digits(overlap.area) +
              " mm2, ball of diameter " + digits(2 * overlap.ballRadius) + " mm, depth " +
              digits(overlap.depth) + " mm";
    return text;
  }

  const BooleanOverlaps& overlaps_;
  const Assembly& assembly_;
  std::map<std::pair<NodeId, NodeId>, const PairInterference*> listed_;
  VerdictComparison result_;
};

}  // namespace

BooleanOverlaps parseBooleanOverlaps(const std::string& output) {
  BooleanOverlaps overlaps;
  std::istringstream lines(output);
  std::string line, kind;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> kind;
    if (kind == "end") return overlaps;
    if (kind == "version") {
      words >> overlaps.version;
    } else if (kind == "solid") {
      OccurringSolid& solid = overlaps.solids.emplace_back();
      words >> solid.volume >> solid.chordError;
      for (Vec3* const corner : {&solid.worldBox.min, &solid.worldBox.max})
        words >> corner->x >> corner->y >> corner->z;
    } else if (kind == "pair") {
      SolidOverlap& pair = overlaps.pairs.emplace_back();
      words >> pair.first >> pair.second >> pair.state >> pair.defect >> pair.volume >> pair.area >>
          pair.ballRadius >> pair.depth >> pair.seconds;
      if (std::max(pair.first, pair.second) >= overlaps.solids.size()) break;
    }
    if (!words) break;
  }
  throw std::runtime_error("the overlaps by Open CASCADE are not complete: " + line);
}

BooleanOverlaps takeBooleanOverlaps(const std::filesystem::path& file, int secondsPerPair) {
  std::vector<std::string> arguments = argumentsOf({});
  arguments.push_back(std::to_string(secondsPerPair));
  return parseBooleanOverlaps(
      outputOfOpenCascade(FITUP_BREP_OVERLAPS, file, arguments, std::chrono::minutes(180)));
}

InterferenceReport judgedPairs(const Model& model) {
  InterferenceOptions options;
  options.request.mode = QueryMode::firstSurfacePair;
  options.verdict = VerdictOptions{};
  options.verdict->clearPairs = true;
  return checkAllPairs(sceneOf(model), {}, options);
}

VerdictComparison compareVerdicts(const BooleanOverlaps& overlaps, const Model& model,
                                  const InterferenceReport& report) {
  return VerdictComparer(overlaps, model, report).run();
}

}  // namespace fitup::test
