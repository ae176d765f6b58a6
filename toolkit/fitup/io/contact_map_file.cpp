#include <fitup/io/contact_map_file.h>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/csv.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/formats.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;
using detail::csvLine;

const Surface& surfaceOf(const Assembly& assembly, NodeId node, SurfaceId surface) {
  return assembly.meshOf(node).surfaces()[index(surface)];
}

Json surfaceJson(const Assembly& assembly, NodeId node, SurfaceId surface) {
  const Surface& s = surfaceOf(assembly, node, surface);
  Json json{{"instance", assembly.path(node)}, {"surface", index(surface)}};
  if (!s.name.empty()) json["name"] = s.name;
  if (s.description) json["description"] = text(*s.description);
  return json;
}

Json approachJson(const Assembly& assembly, const SurfaceApproach& approach) {
  const Vec3 &p = approach.point, &q = approach.otherPoint;
  Json other = surfaceJson(assembly, approach.other, approach.otherSurface);
  other["point"] = {q.x, q.y, q.z};
  Json json{{"step", approach.step}, {"distance", approach.distance}};
  if (approach.error.chordError) json["chordError"] = *approach.error.chordError;
  json["rounding"] = approach.error.rounding;
  json["point"] = {p.x, p.y, p.z};
  json["other"] = std::move(other);
  return json;
}

void writeJson(std::ostream& out, const ContactMapSource& source, const Model& model, const ContactMap& map) {
  const Assembly& assembly = model.assembly;
  Json json{{"format", "fitup-contact-map"},
            {"version", 1},
            {"program", source.program},
            {"model", source.model},
            {"track", source.track},
            {"unit", assembly.unit()},
            {"status", name(map.status)},
            {"range", map.range},
            {"contactAt", map.contactAt},
            {"steps", map.steps},
            {"answeredSteps", map.answeredSteps}};
  json["surfaces"] = Json::array();
  for (const SurfaceContact& s : map.surfaces) {
    Json entry = surfaceJson(assembly, s.instance, s.surface);
    entry["moves"] = s.moves;
    entry["least"] = approachJson(assembly, s.least);
    entry["first"] = s.first ? approachJson(assembly, *s.first) : Json(nullptr);
    json["surfaces"].push_back(std::move(entry));
  }
  out << detail::toText(json, 1) << "\n";
}

void writeCsv(std::ostream& out, const ContactMapSource& source, const Model& model, const ContactMap& map) {
  const Assembly& assembly = model.assembly;
  out << "# fitup-contact-map,1\n";
  for (const auto& [key, value] :
       {std::pair{"program", source.program}, std::pair{"model", source.model},
        std::pair{"track", source.track}, std::pair{"unit", assembly.unit()},
        std::pair{"status", std::string(name(map.status))}, std::pair{"range", numberText(map.range)}})
    out << "# " << csvLine({key, value});
  out << "instance,surface,name,description,moves,least,least_step,least_instance,least_surface,x,y,z,"
         "first_step,first_instance,first_surface,least_chord_error,least_rounding\n";
  for (const SurfaceContact& s : map.surfaces) {
    const Surface& surface = surfaceOf(assembly, s.instance, s.surface);
    std::vector<std::string> row{assembly.path(s.instance),
                                 std::to_string(index(s.surface)),
                                 surface.name,
                                 surface.description ? text(*surface.description) : "",
                                 s.moves ? "1" : "0",
                                 numberText(s.least.distance),
                                 std::to_string(s.least.step),
                                 assembly.path(s.least.other),
                                 std::to_string(index(s.least.otherSurface)),
                                 numberText(s.least.point.x),
                                 numberText(s.least.point.y),
                                 numberText(s.least.point.z)};
    if (s.first)
      row.insert(row.end(), {std::to_string(s.first->step), assembly.path(s.first->other),
                             std::to_string(index(s.first->otherSurface))});
    else
      row.insert(row.end(), {"", "", ""});
    const DistanceError& error = s.least.error;
    row.insert(row.end(),
               {error.chordError ? numberText(*error.chordError) : "", numberText(error.rounding)});
    out << csvLine(row);
  }
}

}  // namespace

bool isContactMapFile(const std::filesystem::path& file) {
  const std::string extension = lowerExtension(file);
  return extension == ".json" || extension == ".csv";
}

void writeContactMap(const std::filesystem::path& file, const ContactMapSource& source, const Model& model,
                     const ContactMap& map) {
  if (!isContactMapFile(file))
    throw InputError(file.string(), "extension '" + file.extension().string() + "'",
                     "contact maps are .json or .csv");
  writeFileAtomically(file, [&](std::ostream& out) {
    (lowerExtension(file) == ".json" ? writeJson : writeCsv)(out, source, model, map);
  });
}

}  // namespace fitup
