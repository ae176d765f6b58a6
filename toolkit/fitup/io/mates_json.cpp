#include <fitup/io/mates_json.h>

#include <fitup/io/detail/json_fields.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json sideJson(const Assembly& assembly, NodeId node, const std::vector<SurfaceId>& surfaces) {
  Json json{{"instance", assembly.path(node)}, {"surfaces", Json::array()}};
  const TriangleMesh& mesh = assembly.meshOf(node);
  for (const SurfaceId id : surfaces) {
    const Surface& s = mesh.surfaces()[index(id)];
    Json surface{{"ordinal", index(id)}};
    if (!s.name.empty()) surface["name"] = s.name;
    if (s.description) surface["description"] = text(*s.description);
    json["surfaces"].push_back(std::move(surface));
  }
  return json;
}

}  // namespace

std::string matesJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                          const MateTolerances& tolerances, const MateReport& report) {
  const Assembly& assembly = model.assembly;
  Json json{{"format", "fitup-mates"}, {"version", 1},
            {"program", program},      {"model", modelFile},
            {"unit", assembly.unit()}, {"status", name(report.status)}};
  json["tolerances"] = {{"reach", tolerances.reach}, {"angle", tolerances.angle}, {"play", tolerances.play}};
  json["suggestions"] = Json::array();
  for (const MateSuggestion& s : report.suggestions) {
    Json entry{{"kind", name(s.kind)},
               {"moved", sideJson(assembly, s.moved, s.movedSurfaces)},
               {"fixed", sideJson(assembly, s.fixed, s.fixedSurfaces)},
               {"deviation", s.deviation},
               {"angle", s.angle},
               {"overlapArea", s.overlapArea},
               {"lengthError", s.lengthError},
               {"angleError", s.angleError}};
    if (s.kind != MateKind::planes) {
      entry["play"] = s.play;
      entry["movedIsPeg"] = s.movedIsPeg;
    }
    const Quaternion q = rotationOf(s.snap);
    entry["snap"] = {{"rotation", {q.x, q.y, q.z, q.w}},
                     {"translation", {s.snap.t.x, s.snap.t.y, s.snap.t.z}}};
    entry["score"] = s.score;
    json["suggestions"].push_back(std::move(entry));
  }
  return detail::toText(json, 1) + "\n";
}

}  // namespace fitup
