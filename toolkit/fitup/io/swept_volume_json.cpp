#include <fitup/io/swept_volume_json.h>

#include <fitup/io/detail/json_fields.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;

Json sweptPoint(const Vec3& p) { return {p.x, p.y, p.z}; }

Json surfaceFigures(const TriangleMesh& mesh, double volume) {
  const Box box = mesh.boundsInPart();
  return {{"volume", volume},
          {"triangles", mesh.triangleCount()},
          {"bounds", {sweptPoint(box.min), sweptPoint(box.max)}}};
}

Json innerJson(const InnerVolume& inner) {
  Json json = inner.mesh ? surfaceFigures(*inner.mesh, inner.volume) : Json::object();
  if (inner.missing) json["missing"] = *inner.missing == InnerMissing::notClosed ? "notClosed" : "tooThin";
  json["depth"] = inner.depth;
  if (inner.voxel > 0) json["voxel"] = inner.voxel;
  return json;
}

Json patchesJson(const Assembly& assembly, const SweptVolume& swept) {
  Json patches = Json::array();
  for (std::size_t i = 0; i < swept.patches.size(); ++i) {
    const SweptPatch& patch = swept.patches[i];
    const Surface& face = assembly.meshOf(patch.instance).surfaces()[index(patch.face)];
    const Surface& own = swept.outer->surfaces()[i];
    Json entry{{"instance", assembly.path(patch.instance)}, {"surface", index(patch.face)}};
    if (!face.name.empty()) entry["name"] = face.name;
    if (face.description) entry["description"] = text(*face.description);
    entry["earliest"] = patch.earliest;
    entry["latest"] = patch.latest;
    entry["firstTriangle"] = own.firstTriangle;
    entry["triangles"] = own.triangleCount;
    patches.push_back(std::move(entry));
  }
  return patches;
}

}  // namespace

std::string sweptVolumeJsonText(const std::string& program, const std::string& modelFile,
                                const std::string& trackFile, const Assembly& assembly,
                                const SweptVolume& swept) {
  Json json{{"format", "fitup-swept-volume"},
            {"version", 1},
            {"program", program},
            {"model", modelFile},
            {"track", trackFile}};
  if (swept.relativeTo) json["relativeTo"] = assembly.path(*swept.relativeTo);
  json["unit"] = assembly.unit();
  json["askedAccuracy"] = swept.asked;
  json["accuracy"] = swept.accuracy;
  json["voxel"] = swept.voxel;
  json["seconds"] = swept.milliseconds / 1000;
  json["open"] = Json::array();
  for (const NodeId node : swept.open) json["open"].push_back(assembly.path(node));
  if (swept.outer) json["outer"] = surfaceFigures(*swept.outer, swept.outerVolume);
  if (swept.inner) json["inner"] = innerJson(*swept.inner);
  json["patches"] = swept.outer ? patchesJson(assembly, swept) : Json::array();
  json["times"] = swept.times;
  return detail::toText(json, 1) + "\n";
}

}  // namespace fitup
