#include <fitup/io/clearance_json.h>

#include <fitup/io/detail/track_json.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json sideJson(const Assembly& assembly, NodeId node, SurfaceId surface, TriangleId triangle,
              const Vec3& point) {
  const TriangleMesh& mesh = assembly.meshOf(node);
  const Surface& s = mesh.surfaces()[index(surface)];
  Json json{{"instance", assembly.path(node)}, {"surface", index(surface)}};
  if (!s.name.empty()) json["name"] = s.name;
  if (s.description) json["description"] = text(*s.description);
  json["triangle"] = mesh.sourceTriangle(triangle);
  json["point"] = {point.x, point.y, point.z};
  return json;
}

Json pairJson(const Assembly& assembly, NodeId a, NodeId b, const NearestPair& nearest,
              const DistanceError& error) {
  Json json{{"distance", nearest.distance}};
  if (error.chordError) json["chordError"] = *error.chordError;
  json["rounding"] = error.rounding;
  json["a"] = sideJson(assembly, a, nearest.surfaces.a, nearest.triangles.a, nearest.pointA);
  json["b"] = sideJson(assembly, b, nearest.surfaces.b, nearest.triangles.b, nearest.pointB);
  return json;
}

}  // namespace

std::string clearanceJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                              std::optional<double> clearance, const ClearanceReport& report) {
  const Assembly& assembly = model.assembly;
  Json json{{"format", "fitup-distance"}, {"version", 1},
            {"program", program},         {"model", modelFile},
            {"unit", assembly.unit()},    {"status", name(report.status)}};
  json["clearance"] = clearance ? Json(*clearance) : Json(nullptr);
  json["pairs"] = Json::array();
  for (const InstanceDistance& p : report.pairs) {
    json["pairs"].push_back(pairJson(assembly, p.a, p.b, p.nearest, {p.chordError, p.rounding}));
    if (!p.problem.empty()) json["pairs"].back()["problem"] = p.problem;
  }
  json["stats"] = {{"consideredPairs", report.consideredPairs},
                   {"measuredPairs", report.measuredPairs},
                   {"boxTests", report.stats.boxTests},
                   {"boxUpdates", report.stats.boxUpdates},
                   {"triangleCandidates", report.stats.triangleCandidates},
                   {"triangleDistances", report.stats.triangleDistances},
                   {"milliseconds", report.milliseconds}};
  return detail::toPlainText(json);
}

std::string firstContactJsonText(const std::string& program, const std::string& modelFile, const Model& model,
                                 const Track& track, const FirstContactReport& report) {
  const Assembly& assembly = model.assembly;
  Json json{{"format", "fitup-first-contact"},
            {"version", 1},
            {"program", program},
            {"model", modelFile},
            {"track", track.name},
            {"unit", assembly.unit()},
            {"status", name(report.status)},
            {"clearance", report.clearance},
            {"resolution", report.resolution},
            {"clearUntil", report.clearUntil}};
  if (report.exactClearUntil) json["exactClearUntil"] = *report.exactClearUntil;
  json["contact"] = nullptr;
  if (report.contact) {
    const MotionContact& c = *report.contact;
    Json contact{{"time", c.time}, {"event", name(c.event)}, {"clearance", c.clearance}};
    if (c.event != MotionEvent::contact) contact["depthLimit"] = c.depthLimit;
    if (report.exactClearUntil) contact["exactLatest"] = c.exactLatest ? Json(*c.exactLatest) : Json(nullptr);
    contact.update(pairJson(assembly, c.a, c.b, c.nearest, c.error));
    Json poses = Json::array();
    for (std::size_t i = 0; i < c.poses.size(); ++i) {
      Json pose{{"path", track.moved[i]}};
      pose.update(detail::motionJson(c.poses[i]));
      poses.push_back(std::move(pose));
    }
    contact["poses"] = std::move(poses);
    json["contact"] = std::move(contact);
  }
  for (const auto& [key, pairs] : {std::pair{"initialContacts", &report.initialContacts},
                                   std::pair{"unknownContacts", &report.unknownContacts}}) {
    json[key] = Json::array();
    for (const auto& [a, b] : *pairs) json[key].push_back({assembly.path(a), assembly.path(b)});
  }
  json["stats"] = {{"consideredPairs", report.consideredPairs},
                   {"queries", report.queries},
                   {"boxTests", report.stats.boxTests},
                   {"triangleDistances", report.stats.triangleDistances},
                   {"milliseconds", report.milliseconds}};
  return detail::toPlainText(json);
}

}  // namespace fitup
