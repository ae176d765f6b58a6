#include <fitup/io/explanation_json.h>

#include <fitup/io/detail/json_fields.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json pointJson(const Vec3& p) { return {p.x, p.y, p.z}; }

Json boxJson(const Box& box) {
  if (box.empty()) return nullptr;
  return {{"min", pointJson(box.min)}, {"max", pointJson(box.max)}};
}

Json sideJson(const Assembly& assembly, NodeId node, const std::optional<SurfaceId>& surface, const Box& box,
              bool closed) {
  const TriangleMesh& mesh = assembly.meshOf(node);
  Json json{{"instance", assembly.path(node)},
            {"part", mesh.name()},
            {"triangles", mesh.triangleCount()},
            {"closed", closed}};
  if (surface) {
    const Surface& s = mesh.surfaces()[index(*surface)];
    json["surface"] = index(*surface);
    if (s.description) json["description"] = text(*s.description);
  }
  json["box"] = boxJson(box);
  return json;
}

Json verdictJson(const Explanation& e) {
  if (!e.verdict) return nullptr;
  const VerdictReport& v = *e.verdict;
  Json json{{"verdict", name(v.verdict)}, {"tolerance", v.tolerance}};
  if (e.toleranceOrigin) json["toleranceOrigin"] = name(*e.toleranceOrigin);
  if (v.depth) {
    json["depth"] = *v.depth;
    json["depthErrorBound"] = v.depthErrorBound;
  }
  if (v.chordError > 0) json["chordError"] = v.chordError;
  if (v.rounding > 0) json["rounding"] = v.rounding;
  json["depthIsLowerBound"] = v.depthIsLowerBound;
  if (e.areCopies) json["copies"] = true;
  if (v.distance) json["distance"] = *v.distance;
  if (v.point) json["point"] = pointJson(*v.point);
  if (v.direction) json["direction"] = pointJson(*v.direction);
  return json;
}

}  // namespace

std::string explanationJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                                const ExplainQuestion& question, const Explanation& e) {
  const Assembly& assembly = model.assembly;
  const auto& surfaces = question.surfaces;
  Json json{{"format", "fitup-explanation"},
            {"version", 1},
            {"program", program},
            {"model", modelFile},
            {"unit", assembly.unit()},
            {"status", name(e.status)},
            {"outcome", name(e.outcome)},
            {"reported", e.reported()},
            {"needsAction", e.needsAction()},
            {"tooNear", e.tooNear},
            {"clearanceIsOpen", e.clearanceIsOpen}};
  json["a"] =
      sideJson(assembly, question.a, surfaces ? std::optional(surfaces->a) : std::nullopt, e.boxA, e.closedA);
  json["b"] =
      sideJson(assembly, question.b, surfaces ? std::optional(surfaces->b) : std::nullopt, e.boxB, e.closedB);
  json["gaps"] = e.gaps;
  json["overlapBox"] = boxJson(e.overlapBox);
  json["overlapBoxFrame"] = e.aStays ? "a" : "b";
  json["selected"] = e.selected;
  json["rule"] = nullptr;
  if (e.rule) {
    const Rule& rule = question.options.rules.rules[*e.rule];
    json["rule"] = {{"index", *e.rule}, {"a", rule.a}, {"b", rule.b}, {"action", name(rule.action)}};
    if (rule.action == RuleAction::clearance) json["rule"]["distance"] = rule.distance;
    if (rule.action == RuleAction::allowOverlap) json["rule"]["depth"] = rule.depth;
    const auto add = [&](const char* member, std::string_view value) {
      if (!value.empty()) json["rule"][member] = value;
    };
    add("partA", rule.whereA.part);
    add("partB", rule.whereB.part);
    add("colourA", rule.whereA.colour);
    add("colourB", rule.whereB.colour);
    add("layerA", rule.whereA.layer);
    add("layerB", rule.whereB.layer);
    if (rule.fastener) add("fastener", name(*rule.fastener));
    add("reason", rule.reason);
  }
  json["surfacePairs"] = e.surfacePairs;
  json["surfaceCandidates"] = e.surfaceCandidates;
  json["triangleCandidates"] = e.triangleCandidates;
  json["exactTests"] = e.exactTests;
  json["hits"] = e.hits;
  json["hitSurfaces"] = e.hitSurfaces;
  json["queryStats"] = {{"boxTests", e.stats.boxTests},
                        {"boxUpdates", e.stats.boxUpdates},
                        {"surfaceCandidates", e.stats.surfaceCandidates},
                        {"triangleTests", e.stats.triangleTests},
                        {"exactTests", e.stats.exactTests}};
  json["nearest"] = nullptr;
  if (e.nearest) {
    json["nearest"] = {{"distance", e.nearest->distance},
                       {"surfaces", {index(e.nearest->surfaces.a), index(e.nearest->surfaces.b)}},
                       {"pointA", pointJson(e.nearest->pointA)},
                       {"pointB", pointJson(e.nearest->pointB)}};
    if (e.nearestError.chordError) json["nearest"]["chordError"] = *e.nearestError.chordError;
    json["nearest"]["rounding"] = e.nearestError.rounding;
  }
  json["verdict"] = verdictJson(e);
  return detail::toPlainText(json);
}

}  // namespace fitup
