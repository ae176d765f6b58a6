#include <fitup/io/report_formats/json.h>

#include <fitup/base/hash.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/detail/rules_json.h>

namespace fitup::detail {
namespace {

using Json = nlohmann::ordered_json;

Json pointJson(const Vec3& p) { return {p.x, p.y, p.z}; }

Json statsJson(const QueryStats& stats) {
  return {{"boxTests", stats.boxTests},
          {"boxUpdates", stats.boxUpdates},
          {"surfaceCandidates", stats.surfaceCandidates},
          {"triangleCandidates", stats.triangleCandidates},
          {"triangleTests", stats.triangleTests},
          {"exactTests", stats.exactTests},
          {"overlapBoxRejected", stats.overlapBoxRejected}};
}

Json requestJson(const ReportedRequest& request) {
  Json json{{"mode", request.mode},
            {"hierarchy", request.hierarchy},
            {"touching", request.touching},
            {"overlapBox", request.overlapBox},
            {"stopAtFirstPair", request.stopAtFirstPair}};
  if (request.maxPairs) json["maxPairs"] = *request.maxPairs;
  if (request.timeBudgetMilliseconds) json["timeBudgetMilliseconds"] = *request.timeBudgetMilliseconds;
  if (request.verdicts) json["verdicts"] = true;
  if (request.tolerance) json["tolerance"] = *request.tolerance;
  if (request.exactShapes) json["exactShapes"] = true;
  json["rules"] = ruleListJson(request.rules);
  // What the attributes of rules matched, so that a comparison needs no model.
  for (std::size_t i = 0; request.rules.resolved && i < request.rules.resolved->rules.size(); ++i) {
    const RuleMatches::OfRule& matched = request.rules.resolved->rules[i];
    if (!matched.a.empty()) json["rules"][i]["matchedA"] = matched.a;
    if (!matched.b.empty()) json["rules"][i]["matchedB"] = matched.b;
    if (!matched.pairs.empty()) json["rules"][i]["matchedPairs"] = matched.pairs;
  }
  if (request.rules.wholePaths) json["wholePaths"] = true;
  if (request.rules.check) json["check"] = {{"a", request.rules.check->a}, {"b", request.rules.check->b}};
  return json;
}

Json headJson(const ReportDocument& report) {
  Json json{{"format", "fitup-report"},
            {"version", reportVersion},
            {"kind", name(report.kind)},
            {"program", report.program}};
  json["model"] = {{"file", report.model.file},
                   {"hash", hashText(report.model.hash)},
                   {"unit", report.model.unit},
                   {"source", report.model.source},
                   {"sourceHash", report.model.sourceHash},
                   {"importOptions", report.model.importOptions},
                   {"instances", report.model.instances}};
  for (const ReportedPlacement& placed : report.model.placed) {
    const auto& m = placed.worldFromPart.m;
    const Vec3& t = placed.worldFromPart.t;
    Json entry({{"path", placed.path},
                {"worldFromPart",
                 {{m[0][0], m[0][1], m[0][2], t.x},
                  {m[1][0], m[1][1], m[1][2], t.y},
                  {m[2][0], m[2][1], m[2][2], t.z}}}});
    if (placed.distance) entry["distance"] = *placed.distance;
    if (placed.angle) entry["angle"] = *placed.angle;
    json["model"]["placed"].push_back(std::move(entry));
  }
  if (!report.model.fromCache.empty()) json["model"]["fromCache"] = report.model.fromCache;
  if (report.model.incomplete) json["model"]["incomplete"] = *report.model.incomplete;
  if (!report.model.ownTolerances.empty()) json["model"]["ownTolerances"] = report.model.ownTolerances;
  if (report.kind == ReportKind::diff) {
    json["old"] = report.oldFile;
    json["new"] = report.newFile;
    if (!report.placedOtherwise.empty()) json["placedOtherwise"] = report.placedOtherwise;
  }
  if (!report.track.empty()) json["track"] = report.track;
  if (report.trackHash) json["trackHash"] = hashText(*report.trackHash);
  if (!report.moved.empty()) json["moved"] = report.moved;
  json["request"] = requestJson(report.request);
  json["status"] = statusName(report);
  json["intersects"] = report.intersects();
  json["geometryIncomplete"] = report.geometryIncomplete;
  Json warnings = Json::array();
  for (const ImportWarning& warning : report.warnings)
    warnings.push_back(
        {{"element", warning.element}, {"message", warning.message}, {"incomplete", warning.incomplete}});
  json["warnings"] = std::move(warnings);
  return json;
}

void addSummary(Json& json, const ReportedRun& run) {
  json["counts"] = countsJson(countFindings(run.pairs));
  json["consideredPairs"] = run.consideredPairs;
  json["excludedPairs"] = run.excludedPairs;
  json["unselectedPairs"] = run.unselectedPairs;
  json["narrowPairs"] = run.narrowPairs;
  json["milliseconds"] = run.milliseconds;
  json["stats"] = statsJson(run.stats);
}

void addAssessment(Json& json, const Assessment& assessment) {
  if (assessment.verdict) json["verdict"] = name(*assessment.verdict);
  if (assessment.tolerance) json["tolerance"] = *assessment.tolerance;
  if (assessment.depth) {
    json["depth"] = *assessment.depth;
    json["depthErrorBound"] = assessment.depthErrorBound;
    json["depthIsLowerBound"] = assessment.depthIsLowerBound;
  }
  if (assessment.distance) json["distance"] = *assessment.distance;
  if (assessment.chordError > 0) json["chordError"] = assessment.chordError;
  if (assessment.rounding > 0) json["rounding"] = assessment.rounding;
  if (assessment.tooNear) json["tooNear"] = true;
  if (assessment.point) json["point"] = pointJson(*assessment.point);
  if (assessment.direction) json["direction"] = pointJson(*assessment.direction);
  if (assessment.volume) {
    json["volume"] = *assessment.volume;
    json["volumeErrorBound"] = assessment.volumeErrorBound;
  }
  if (assessment.wayOut) json["wayOut"] = pointJson(*assessment.wayOut);
}

void addReview(Json& json, const Review& review) {
  json["review"] = {{"status", name(review.status)}, {"comment", review.comment}};
}

Json surfaceJson(const ReportedSurface& surface) {
  const SurfaceFingerprint& f = surface.fingerprint;
  return {{"ordinal", surface.ordinal == wholePart ? Json(nullptr) : Json(surface.ordinal)},
          {"name", surface.name},
          {"description", surface.description},
          {"fingerprint", {{"kind", name(f.kind)}, {"area", f.area}, {"centroid", pointJson(f.centroid)}}}};
}

Json findingJson(const ReportedFinding& finding) {
  Json json{{"id", finding.id}, {"a", surfaceJson(finding.a)}, {"b", surfaceJson(finding.b)}};
  json["triangles"] = finding.triangles;
  addAssessment(json, finding.assessment);
  if (finding.extent)
    json["extent"] = {{"min", pointJson(finding.extent->min)}, {"max", pointJson(finding.extent->max)}};
  if (finding.region) json["region"] = *finding.region;
  addReview(json, finding.review);
  if (finding.change) json["change"] = name(*finding.change);
  if (!finding.changeReason.empty()) json["changeReason"] = finding.changeReason;
  if (!finding.steps.empty()) json["steps"] = finding.steps;
  if (finding.trackHash) json["trackHash"] = hashText(*finding.trackHash);
  return json;
}

Json pairJson(const ReportedPair& pair) {
  Json json{{"id", pair.id}, {"a", pair.a}, {"b", pair.b}, {"status", name(pair.status)}};
  if (pair.rule) json["rule"] = *pair.rule;
  addAssessment(json, pair.assessment);
  if (!pair.undecidedBecause.empty()) json["undecidedBecause"] = pair.undecidedBecause;
  if (!pair.volumeUnknownBecause.empty()) json["volumeUnknownBecause"] = pair.volumeUnknownBecause;
  if (!pair.copies.empty()) {
    json["copies"] = pair.copies;
    json["copyPairs"] = pair.copyPairs;
  }
  addReview(json, pair.review);
  Json findings = Json::array();
  for (const ReportedFinding& finding : pair.findings) findings.push_back(findingJson(finding));
  json["surfacePairs"] = std::move(findings);
  return json;
}

Json motionClearanceJson(const ReportedMotionClearance& clearance) {
  Json parts = Json::array();
  for (const ReportedClearance& part : clearance.parts) {
    Json json{{"a", part.a},
              {"b", part.b},
              {"time", part.time},
              {"distance", part.distance},
              {"atLeast", part.atLeast},
              {"rounding", part.rounding},
              {"surfaceA", surfaceJson(part.surfaceA)},
              {"surfaceB", surfaceJson(part.surfaceB)},
              {"pointA", pointJson(part.pointA)},
              {"pointB", pointJson(part.pointB)}};
    if (part.chordError) json["chordError"] = *part.chordError;
    parts.push_back(std::move(json));
  }
  return {{"range", clearance.range ? Json(*clearance.range) : Json(nullptr)},
          {"resolution", clearance.resolution},
          {"status", name(clearance.status)},
          {"consideredPairs", clearance.consideredPairs},
          {"queries", clearance.queries},
          {"milliseconds", clearance.milliseconds},
          {"parts", std::move(parts)}};
}

/// The object without its closing brace, so that a list can follow.
std::string opened(const Json& json, int indent) {
  std::string text = toText(json, indent);
  text.pop_back();
  while (text.back() == '\n') text.pop_back();
  return text;
}

void writePairs(std::ostream& out, const char* name, const std::vector<ReportedPair>& pairs,
                const std::string& indent) {
  out << "\"" << name << "\": [";
  for (std::size_t i = 0; i < pairs.size(); ++i)
    out << (i > 0 ? "," : "") << "\n" << indent << " " << toText(pairJson(pairs[i]));
  out << (pairs.empty() ? "]" : "\n" + indent + "]");
}

}  // namespace

Json countsJson(const FindingCounts& counts) {
  return {{"pairsOfParts", counts.pairsOfParts},
          {"pairsOfFaces", counts.pairsOfFaces},
          {"copySets", counts.copySets},
          {"clashes", counts.clashes},
          {"undecided", counts.undecided},
          {"contacts", counts.contacts},
          {"clear", counts.clear},
          {"tooNear", counts.tooNear}};
}

void writeReportJson(std::ostream& out, const ReportDocument& report) {
  Json head = headJson(report);
  if (report.motionClearance) head["motionClearance"] = motionClearanceJson(*report.motionClearance);
  if (report.kind == ReportKind::replay) {
    head["counts"] = countsJson(countFindings(gatherPairs(report)));
    out << opened(head, 1) << ",\n \"steps\": [";
    for (std::size_t i = 0; i < report.runs.size(); ++i) {
      const ReportedRun& run = report.runs[i];
      Json step{{"step", run.step}, {"status", name(run.status)}, {"intersects", run.intersects()}};
      addSummary(step, run);
      out << (i > 0 ? ",\n  " : "\n  ") << opened(step, -1) << ",\n   ";
      writePairs(out, "pairs", run.pairs, "   ");
      out << "}";
    }
    out << (report.runs.empty() ? "]" : "\n ]");
  } else {
    const ReportedRun run = report.runs.empty() ? ReportedRun{} : report.runs.front();
    if (report.kind == ReportKind::check) addSummary(head, run);
    out << opened(head, 1) << ",\n ";
    writePairs(out, "pairs", run.pairs, " ");
  }
  if (!report.carried.empty()) {
    out << ",\n ";
    writePairs(out, "carried", report.carried, " ");
  }
  out << "\n}\n";
}

}  // namespace fitup::detail
