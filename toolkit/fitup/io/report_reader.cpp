#include <fitup/io/report_reader.h>

#include <algorithm>
#include <limits>

#include <fitup/base/hash.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/detail/rules_json.h>
#include <fitup/io/report_formats/json.h>

namespace fitup {
namespace {

using detail::JsonField;

/// The value of an enumeration with this `name`.
template <typename Enum>
Enum oneOf(const JsonField& field, std::initializer_list<Enum> values) {
  const std::string text = field.text();
  std::string known;
  for (Enum value : values) {
    if (name(value) == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name(value));
  }
  field.fail("is '" + text + "', which is not one of " + known);
}

ReportStatus statusOf(const JsonField& field) {
  // The members that make a report incomplete say so themselves.
  if (field.text() == detail::incompleteStatus) return ReportStatus::complete;
  return oneOf(field, {ReportStatus::complete, ReportStatus::truncated, ReportStatus::cancelled});
}

std::string optionalText(const JsonField& object, const char* name) {
  return object.has(name) ? object.at(name).text() : std::string();
}

Vec3 pointOf(const JsonField& field) {
  const auto n = field.numbers<3>();
  return {n[0], n[1], n[2]};
}

std::uint64_t hashOf(const JsonField& field) {
  const auto hash = hashFromText(field.text());
  if (!hash) field.fail("must be 16 hexadecimal digits");
  return *hash;
}

std::string idOf(const JsonField& field) {
  (void)hashOf(field);
  return field.text();
}

std::vector<std::string> textsOf(const JsonField& field, const std::string& label) {
  std::vector<std::string> result;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    result.push_back(field.at(i, label + " " + std::to_string(i)).text());
  return result;
}

std::vector<std::string> patternsOf(const JsonField& field) {
  std::vector<std::string> result;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    result.push_back(detail::shortText(field.at(i, "pattern " + std::to_string(i))));
  return result;
}

Assessment assessmentOf(const JsonField& json) {
  Assessment result;
  if (json.has("verdict"))
    result.verdict =
        oneOf(json.at("verdict"), {Verdict::clear, Verdict::contact, Verdict::clash, Verdict::undecided});
  if (json.has("tolerance")) result.tolerance = json.at("tolerance").number();
  if (json.has("depth")) result.depth = json.at("depth").number();
  if (json.has("depthErrorBound")) result.depthErrorBound = json.at("depthErrorBound").number();
  if (json.has("depthIsLowerBound")) result.depthIsLowerBound = json.at("depthIsLowerBound").boolean();
  if (json.has("distance")) result.distance = json.at("distance").number();
  if (json.has("chordError")) result.chordError = json.at("chordError").number();
  if (json.has("rounding")) result.rounding = json.at("rounding").number();
  if (json.has("tooNear")) result.tooNear = json.at("tooNear").boolean();
  if (json.has("point")) result.point = pointOf(json.at("point"));
  if (json.has("direction")) result.direction = pointOf(json.at("direction"));
  if (json.has("volume")) result.volume = json.at("volume").number();
  if (json.has("volumeErrorBound")) result.volumeErrorBound = json.at("volumeErrorBound").number();
  if (json.has("wayOut")) result.wayOut = pointOf(json.at("wayOut"));
  return result;
}

/// The review in a finding or pair; without one, nobody has reviewed it.
Review reviewOf(const JsonField& json) {
  Review result;
  if (!json.has("review")) return result;
  const JsonField review = json.at("review");
  if (review.has("status"))
    result.status =
        oneOf(review.at("status"), {ReviewStatus::isNew, ReviewStatus::active, ReviewStatus::reviewed,
                                    ReviewStatus::approved, ReviewStatus::resolved});
  result.comment = optionalText(review, "comment");
  return result;
}

SurfaceKind kindOf(const JsonField& field) {
  return oneOf(field, {SurfaceKind::unknown, SurfaceKind::plane, SurfaceKind::cylinder, SurfaceKind::cone,
                       SurfaceKind::sphere, SurfaceKind::torus, SurfaceKind::revolution,
                       SurfaceKind::extrusion, SurfaceKind::freeform});
}

ReportedSurface surfaceOf(const JsonField& json) {
  ReportedSurface result;
  // Older files have the number `wholePart`.
  const JsonField ordinal = json.at("ordinal");
  result.ordinal = ordinal.isNull() ? wholePart : static_cast<std::uint32_t>(ordinal.count(wholePart));
  result.name = json.at("name").text();
  result.description = json.at("description").text();
  const JsonField fingerprint = json.at("fingerprint");
  result.fingerprint = {kindOf(fingerprint.at("kind")), fingerprint.at("area").number(),
                        pointOf(fingerprint.at("centroid"))};
  return result;
}

ReportedFinding findingOf(const JsonField& json) {
  ReportedFinding result;
  result.id = idOf(json.at("id"));
  result.a = surfaceOf(json.at("a"));
  result.b = surfaceOf(json.at("b"));
  const JsonField triangles = json.at("triangles");
  for (std::size_t i = 0, n = triangles.size(); i < n; ++i) {
    const JsonField pair = triangles.at(i, "triangles");
    if (pair.size() != 2) pair.fail("must be pairs");
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    result.triangles.emplace_back(static_cast<std::uint32_t>(pair.at(0, "triangles").count(largest)),
                                  static_cast<std::uint32_t>(pair.at(1, "triangles").count(largest)));
  }
  result.assessment = assessmentOf(json);
  if (json.has("extent"))
    result.extent = Box{pointOf(json.at("extent").at("min")), pointOf(json.at("extent").at("max"))};
  if (json.has("region")) result.region = json.at("region").count();
  result.review = reviewOf(json);
  if (json.has("change"))
    result.change = oneOf(json.at("change"), {FindingChange::isNew, FindingChange::gone,
                                              FindingChange::unchanged, FindingChange::notRechecked});
  result.changeReason = optionalText(json, "changeReason");
  if (json.has("steps"))
    for (std::size_t i = 0, n = json.at("steps").size(); i < n; ++i)
      result.steps.push_back(json.at("steps").at(i, "steps").count());
  if (json.has("trackHash")) result.trackHash = hashOf(json.at("trackHash"));
  return result;
}

std::vector<ReportedPair> pairsOf(const JsonField& list, const std::string& place) {
  std::vector<ReportedPair> result;
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const JsonField json = list.at(i, place + "pair " + std::to_string(i));
    ReportedPair pair;
    pair.id = idOf(json.at("id"));
    pair.a = json.at("a").text();
    pair.b = json.at("b").text();
    pair.status = statusOf(json.at("status"));
    if (json.has("rule")) pair.rule = json.at("rule").count();
    pair.assessment = assessmentOf(json);
    pair.undecidedBecause = optionalText(json, "undecidedBecause");
    pair.volumeUnknownBecause = optionalText(json, "volumeUnknownBecause");
    pair.review = reviewOf(json);
    if (json.has("copies")) {
      pair.copies = textsOf(json.at("copies"), "copies");
      if (pair.copies.size() < 2) json.at("copies").fail("must have at least two entries");
      pair.copyPairs = json.at("copyPairs").count();
    }
    const JsonField findings = json.at("surfacePairs");
    for (std::size_t k = 0, count = findings.size(); k < count; ++k)
      pair.findings.push_back(findingOf(findings.at(k, "finding " + std::to_string(k))));
    result.push_back(std::move(pair));
  }
  return result;
}

QueryStats statsOf(const JsonField& json) {
  QueryStats stats;
  stats.boxTests = json.at("boxTests").count();
  stats.boxUpdates = json.at("boxUpdates").count();
  stats.surfaceCandidates = json.at("surfaceCandidates").count();
  stats.triangleCandidates = json.at("triangleCandidates").count();
  stats.triangleTests = json.at("triangleTests").count();
  stats.exactTests = json.at("exactTests").count();
  stats.overlapBoxRejected = json.at("overlapBoxRejected").count();
  return stats;
}

ReportedRun runOf(const JsonField& json) {
  ReportedRun run;
  run.consideredPairs = json.at("consideredPairs").count();
  run.excludedPairs = json.at("excludedPairs").count();
  run.unselectedPairs = json.at("unselectedPairs").count();
  run.narrowPairs = json.at("narrowPairs").count();
  run.milliseconds = json.at("milliseconds").number();
  run.stats = statsOf(json.at("stats"));
  run.status = statusOf(json.at("status"));
  run.pairs = pairsOf(json.at("pairs"), "");
  return run;
}

RuleMatches::OfRule matchesOf(const JsonField& rule) {
  RuleMatches::OfRule result;
  const auto paths = [&](const char* name, std::set<std::string, std::less<>>& into) {
    if (!rule.has(name)) return;
    for (std::string& path : textsOf(rule.at(name), name)) into.insert(std::move(path));
  };
  paths("matchedA", result.a);
  paths("matchedB", result.b);
  if (!rule.has("matchedPairs")) return result;
  const JsonField list = rule.at("matchedPairs");
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const JsonField pair = list.at(i, "matchedPairs");
    if (pair.size() != 2) pair.fail("must be pairs");
    result.pairs.insert(std::minmax(pair.at(0, "matchedPairs").text(), pair.at(1, "matchedPairs").text()));
  }
  return result;
}

Rules rulesOf(const JsonField& request) {
  Rules result;
  const JsonField list = request.at("rules");
  for (std::size_t i = 0, n = list.size(); i < n; ++i) {
    const JsonField json = list.at(i, "rule " + std::to_string(i));
    Rule rule = detail::ruleAttributes(json);
    rule.a = detail::shortText(json.at("a"));
    rule.b = detail::shortText(json.at("b"));
    rule.reason = detail::shortText(json.at("reason"));
    rule.action = oneOf(json.at("action"), {RuleAction::ignore, RuleAction::allowContact,
                                            RuleAction::allowOverlap, RuleAction::clearance});
    if (json.has("distance")) rule.distance = json.at("distance").number();
    if (json.has("depth")) rule.depth = json.at("depth").number();
    if (json.has("sameSubassembly")) rule.sameSubassembly = json.at("sameSubassembly").boolean();
    result.rules.push_back(std::move(rule));
  }
  if (std::ranges::any_of(result.rules, &Rule::needsModel)) {
    auto matches = std::make_shared<RuleMatches>();
    for (std::size_t i = 0, n = list.size(); i < n; ++i)
      matches->rules.push_back(matchesOf(list.at(i, "rule " + std::to_string(i))));
    result.resolved = std::move(matches);
  }
  if (request.has("wholePaths")) result.wholePaths = request.at("wholePaths").boolean();
  if (request.has("check"))
    result.check =
        CheckSets{patternsOf(request.at("check").at("a")), patternsOf(request.at("check").at("b"))};
  return result;
}

ReportedRequest requestOf(const JsonField& json) {
  ReportedRequest request;
  request.mode = json.at("mode").text();
  request.hierarchy = json.at("hierarchy").text();
  request.touching = json.at("touching").text();
  request.overlapBox = json.at("overlapBox").text();
  request.stopAtFirstPair = json.at("stopAtFirstPair").boolean();
  if (json.has("maxPairs")) request.maxPairs = json.at("maxPairs").count();
  if (json.has("timeBudgetMilliseconds"))
    request.timeBudgetMilliseconds = json.at("timeBudgetMilliseconds").number();
  if (json.has("verdicts")) request.verdicts = json.at("verdicts").boolean();
  if (json.has("tolerance")) request.tolerance = json.at("tolerance").number();
  if (json.has("exactShapes")) request.exactShapes = json.at("exactShapes").boolean();
  request.rules = rulesOf(json);
  return request;
}

ReportedModel modelOf(const JsonField& json) {
  ReportedModel model;
  model.file = json.at("file").text();
  model.hash = hashOf(json.at("hash"));
  model.unit = json.at("unit").text();
  model.source = json.at("source").text();
  model.sourceHash = json.at("sourceHash").text();
  model.importOptions = json.at("importOptions").text();
  model.instances = textsOf(json.at("instances"), "model: instance");
  if (json.has("fromCache")) model.fromCache = textsOf(json.at("fromCache"), "model: from cache");
  if (json.has("incomplete")) model.incomplete = textsOf(json.at("incomplete"), "model: incomplete");
  if (json.has("ownTolerances")) {
    const JsonField tolerances = json.at("ownTolerances");
    for (std::size_t i = 0, n = tolerances.size(); i < n; ++i)
      model.ownTolerances.push_back(tolerances.at(i, "model: own tolerance " + std::to_string(i)).number());
    if (model.ownTolerances.size() != model.instances.size())
      tolerances.fail("must have one entry for each instance");
  }
  if (!json.has("placed")) return model;
  const JsonField placed = json.at("placed");
  for (std::size_t i = 0, n = placed.size(); i < n; ++i) {
    const std::string what = "placement " + std::to_string(i);
    const JsonField entry = placed.at(i, what);
    const JsonField rows = entry.at("worldFromPart");
    ReportedPlacement& placement = model.placed.emplace_back();
    placement.path = entry.at("path").text();
    if (entry.has("distance")) placement.distance = entry.at("distance").number();
    if (entry.has("angle")) placement.angle = entry.at("angle").number();
    for (std::size_t r = 0; r < 3; ++r) {
      const auto row = rows.at(r, what).numbers<4>();
      std::copy_n(row.begin(), 3, placement.worldFromPart.m[r].begin());
      placement.worldFromPart.t[static_cast<int>(r)] = row[3];
    }
  }
  return model;
}

}  // namespace

ReportDocument readReport(const std::filesystem::path& file) {
  const nlohmann::json json = detail::parseJsonFile(file, detail::largestReport);
  const JsonField root(json, file.string());
  (void)root.expectFormat("fitup-report", 2, detail::reportVersion);
  ReportDocument report;
  report.kind = oneOf(root.at("kind"), {ReportKind::check, ReportKind::replay, ReportKind::diff});
  report.program = root.at("program").text();
  report.model = modelOf(root.at("model"));
  report.oldFile = optionalText(root, "old");
  report.newFile = optionalText(root, "new");
  if (root.has("placedOtherwise"))
    report.placedOtherwise = textsOf(root.at("placedOtherwise"), "placedOtherwise");
  report.track = optionalText(root, "track");
  if (root.has("trackHash")) report.trackHash = hashOf(root.at("trackHash"));
  if (root.has("moved")) report.moved = textsOf(root.at("moved"), "moved");
  report.request = requestOf(root.at("request"));
  report.status = statusOf(root.at("status"));
  report.geometryIncomplete = root.at("geometryIncomplete").boolean();
  const JsonField warnings = root.at("warnings");
  for (std::size_t i = 0, n = warnings.size(); i < n; ++i) {
    const JsonField warning = warnings.at(i, "warning " + std::to_string(i));
    report.warnings.push_back(
        {warning.at("element").text(), warning.at("message").text(), warning.at("incomplete").boolean()});
  }
  if (report.kind == ReportKind::replay) {
    const JsonField steps = root.at("steps");
    for (std::size_t i = 0, n = steps.size(); i < n; ++i) {
      const JsonField step = steps.at(i, "entry " + std::to_string(i) + " of steps");
      report.runs.push_back(runOf(step));
      report.runs.back().step = step.at("step").count();
    }
  } else if (report.kind == ReportKind::check) {
    report.runs.push_back(runOf(root));
  } else {
    report.runs.emplace_back();
    report.runs.back().pairs = pairsOf(root.at("pairs"), "");
  }
  if (root.has("carried")) report.carried = pairsOf(root.at("carried"), "carried ");
  return report;
}

}  // namespace fitup
