#include <fitup/io/clearance_json.h>

#include <nlohmann/json.hpp>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json sideJson(const Assembly& assembly, NodeId node, SurfaceId surface, TriangleId triangle,
              const Vec3& point) {
  const TriangleMesh& mesh = assembly.part(*assembly.node(node).part);
  const Surface& s = mesh.surfaces()[index(surface)];
  Json json{{"instance", assembly.path(node)}, {"surface", index(surface)}};
  if (!s.name.empty()) json["name"] = s.name;
  if (s.description) json["description"] = text(*s.description);
  json["triangle"] = mesh.sourceTriangle(triangle);
  json["point"] = {point.x, point.y, point.z};
  return json;
}

}  // namespace

std::string clearanceJson(const std::string& program, const std::string& modelFile, const Model& model,
                          std::optional<double> clearance, const ClearanceReport& report) {
  const Assembly& assembly = model.assembly;
  Json json{{"format", "fitup-distance"}, {"version", 1},
            {"program", program},         {"model", modelFile},
            {"unit", assembly.unit()},    {"status", name(report.status)}};
  json["clearance"] = clearance ? Json(*clearance) : Json(nullptr);
  json["pairs"] = Json::array();
  for (const InstanceDistance& p : report.pairs)
    json["pairs"].push_back(
        {{"distance", p.nearest.distance},
         {"a", sideJson(assembly, p.a, p.nearest.surfaces.a, p.nearest.triangles.a, p.nearest.pointA)},
         {"b", sideJson(assembly, p.b, p.nearest.surfaces.b, p.nearest.triangles.b, p.nearest.pointB)}});
  json["stats"] = {{"consideredPairs", report.consideredPairs},
                   {"measuredPairs", report.measuredPairs},
                   {"boxTests", report.stats.boxTests},
                   {"boxUpdates", report.stats.boxUpdates},
                   {"triangleCandidates", report.stats.triangleCandidates},
                   {"triangleDistances", report.stats.triangleDistances},
                   {"milliseconds", report.milliseconds}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitup
