#include <fitup/io/removal_json.h>

#include <fitup/io/detail/track_json.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json vectorJson(const Vec3& v) { return {v.x, v.y, v.z}; }

Json faceJson(const Assembly& assembly, NodeId node, SurfaceId surface) {
  const Surface& s = assembly.meshOf(node).surfaces()[index(surface)];
  Json json{{"instance", assembly.path(node)}, {"surface", index(surface)}};
  if (!s.name.empty()) json["name"] = s.name;
  if (s.description) json["description"] = text(*s.description);
  return json;
}

Json stepsJson(const Track& track) {
  Json steps = Json::array();
  for (const std::vector<RigidMotion>& step : track.steps) {
    Json poses = Json::array();
    for (std::size_t i = 0; i < step.size(); ++i) {
      Json pose{{"path", track.moved[i]}};
      pose.update(detail::motionJson(step[i]));
      poses.push_back(std::move(pose));
    }
    steps.push_back(std::move(poses));
  }
  return steps;
}

Json directionJson(const Assembly& assembly, const RemovalDirection& d) {
  Json json{{"direction", vectorJson(d.direction)},
            {"source", name(d.source)},
            {"keepsContacts", d.keepsContacts},
            {"wanted", d.wanted},
            {"reached", d.reached},
            {"answer", name(d.answer)}};
  if (d.source == RemovalSource::screw) json["degrees"] = d.degrees;
  if (d.stop)
    json["stop"] = {{"event", name(d.stop->event)},
                    {"a", faceJson(assembly, d.stop->a, d.stop->nearest.surfaces.a)},
                    {"b", faceJson(assembly, d.stop->b, d.stop->nearest.surfaces.b)}};
  return json;
}

Json profileJson(const Assembly& assembly, const WayProfile& profile) {
  Json json{{"clearances", Json::array()},
            {"atLeast", profile.atLeast ? Json(*profile.atLeast) : Json(nullptr)},
            {"slides", Json::array()},
            {"profileStatus", name(profile.status)}};
  for (const WayClearance& c : profile.clearances)
    json["clearances"].push_back({{"time", c.time},
                                  {"distance", c.pair.nearest.distance},
                                  {"a", faceJson(assembly, c.pair.a, c.pair.nearest.surfaces.a)},
                                  {"b", faceJson(assembly, c.pair.b, c.pair.nearest.surfaces.b)}});
  for (const WaySlide& s : profile.slides)
    json["slides"].push_back({{"from", s.from},
                              {"to", s.to},
                              {"a", faceJson(assembly, s.moved, s.surfaces.a)},
                              {"b", faceJson(assembly, s.rest, s.surfaces.b)}});
  return json;
}

}  // namespace

std::string removalJsonText(const std::string& program, const std::string& model, const Assembly& assembly,
                            const RemovalReport& report) {
  Json json{{"format", "fitup-way-out"},    {"version", 1},
            {"program", program},           {"model", model},
            {"unit", assembly.unit()},      {"answer", name(report.answer)},
            {"status", name(report.status)}};
  json["way"] = nullptr;
  if (report.way)
    json["way"] = {{"length", report.length},
                   {"certified", report.way->answer() == CertifyAnswer::certain},
                   {"steps", stepsJson(report.way->certificate.track)}};
  if (report.way && report.profile) json["way"].update(profileJson(assembly, *report.profile));
  json["directions"] = Json::array();
  for (const RemovalDirection& d : report.directions)
    json["directions"].push_back(directionJson(assembly, d));
  json["heldByExactContacts"] = report.freedom.isHeld;
  json["holding"] = Json::array();
  for (const std::size_t i : report.freedom.holding) {
    const ContactPlace& place = report.places[i];
    json["holding"].push_back({{"a", faceJson(assembly, place.moved, place.surfaces.a)},
                               {"b", faceJson(assembly, place.rest, place.surfaces.b)},
                               {"point", vectorJson(place.point)},
                               {"normal", vectorJson(place.normal)}});
  }
  json["witnesses"] = Json::array();
  for (const RemovalWitness& witness : report.witnesses) {
    Json without = Json::array();
    for (const NodeId node : witness.without) without.push_back(assembly.path(node));
    json["witnesses"].push_back({{"direction", witness.direction}, {"without", std::move(without)}});
  }
  json["reliefs"] = Json::array();
  for (const RemovalRelief& relief : report.reliefs) {
    Json faces = Json::array();
    for (const ReliefFace& face : relief.faces) {
      Json surfaces = Json::array();
      for (const SurfaceId surface : face.surfaces)
        surfaces.push_back(faceJson(assembly, face.instance, surface));
      faces.push_back({{"surfaces", std::move(surfaces)}, {"offset", face.offset}});
    }
    json["reliefs"].push_back(
        {{"direction", relief.direction}, {"faces", std::move(faces)}, {"accuracy", relief.accuracy}});
  }
  json["hints"] = Json::array();
  for (const RemovalHint& hint : report.hints)
    json["hints"].push_back({{"a", faceJson(assembly, hint.moved, hint.surfaces.a)},
                             {"b", faceJson(assembly, hint.other, hint.surfaces.b)},
                             {"count", hint.count}});
  json["search"] = {{"steps", report.search.steps},
                    {"poses", report.search.poses},
                    {"checks", report.search.checks},
                    {"work", report.search.work},
                    {"leg", report.search.leg},
                    {"relaxed", report.search.relaxed},
                    {"isEndFree", report.search.isEndFree}};
  json["stats"] = {
      {"ways", report.tried}, {"queries", report.queries}, {"milliseconds", report.milliseconds}};
  return detail::toPlainText(json);
}

}  // namespace fitup
