#include <fitup/io/project_file.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/rules_json.h>
#include <fitup/io/detail/track_json.h>
#include <fitup/io/file_bytes.h>

namespace fitup {
namespace {

using detail::JsonField;
using Json = nlohmann::ordered_json;

/// Version 2 has tracks of version 2. Programs that read version 1 only would take their poses for others.
constexpr int newestVersion = 2;

std::filesystem::path folderOf(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).parent_path();
}

Vec3 pointFrom(const JsonField& field) {
  const auto v = field.numbers<3>();
  return {v[0], v[1], v[2]};
}
Json pointJson(const Vec3& v) { return {v.x, v.y, v.z}; }

Viewpoint viewpointFrom(const JsonField& field) {
  field.expectOnly({"name", "eye", "target", "up"});
  return {pointFrom(field.at("eye")), pointFrom(field.at("target")), pointFrom(field.at("up"))};
}
Json viewpointJson(const Viewpoint& view) {
  return {{"eye", pointJson(view.eye)}, {"target", pointJson(view.target)}, {"up", pointJson(view.up)}};
}

std::set<std::string> pathsFrom(const JsonField& field) {
  std::set<std::string> paths;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    paths.insert(field.at(i, "path " + std::to_string(i)).text());
  return paths;
}

PartLook lookFrom(const JsonField& field) {
  field.expectOnly({"path", "colour", "transparency"});
  PartLook look;
  if (field.has("colour")) {
    const std::string text = field.at("colour").text();
    if (const std::string why = detail::colourProblem(text); !why.empty()) field.at("colour").fail(why);
    look.colour = static_cast<std::uint32_t>(std::stoul(text.substr(1), nullptr, 16));
  }
  if (field.has("transparency")) {
    const double percent = field.at("transparency").number();
    if (!(percent >= 0 && percent <= 100) || percent != std::floor(percent))
      field.at("transparency").fail("must be a whole number from 0 to 100");
    look.transparency = static_cast<unsigned>(percent);
  }
  return look;
}
Json lookJson(const PartLook& look) {
  Json json = Json::object();
  if (look.colour) {
    std::string text = "#000000";
    for (std::size_t i = 0; i < 6; ++i) text[6 - i] = "0123456789abcdef"[(*look.colour >> (4 * i)) & 0xF];
    json["colour"] = text;
  }
  if (look.transparency > 0) json["transparency"] = look.transparency;
  return json;
}

SectionPlane sectionPlaneFrom(const JsonField& field) {
  field.expectOnly({"normal", "offset", "enabled"});
  SectionPlane plane{pointFrom(field.at("normal")), field.at("offset").number(),
                     field.at("enabled").boolean()};
  if (!(std::abs(norm(plane.normal) - 1) < 1e-6)) field.at("normal").fail("must have length 1");
  return plane;
}
Json sectionPlaneJson(const SectionPlane& plane) {
  return {{"normal", pointJson(plane.normal)}, {"offset", plane.offset}, {"enabled", plane.enabled}};
}

/// One plane is an object, as in files from before there were several; a list has several.
std::vector<SectionPlane> sectionsFrom(const JsonField& field) {
  if (!field.isList()) {
    const SectionPlane plane = sectionPlaneFrom(field);
    return plane == SectionPlane{} ? std::vector<SectionPlane>{} : std::vector{plane};
  }
  std::vector<SectionPlane> planes;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    planes.push_back(sectionPlaneFrom(field.at(i, "section plane " + std::to_string(i))));
  if (planes.size() > mostSections) field.fail("has more than " + std::to_string(mostSections) + " planes");
  return planes;
}
/// Programs that read one plane only can open every file with at most one.
Json sectionsJson(const std::vector<SectionPlane>& planes) {
  if (planes.size() < 2) return sectionPlaneJson(planes.empty() ? SectionPlane{} : planes.front());
  Json list = Json::array();
  for (const SectionPlane& plane : planes) list.push_back(sectionPlaneJson(plane));
  return list;
}

double positive(const JsonField& field) {
  const double value = field.number();
  if (!(value > 0)) field.fail("must be above 0");
  return value;
}

ImportSettings importFrom(const JsonField& field) {
  field.expectOnly({"linearDeflection", "relativeDeflection", "angularDeflection", "mergeSolids", "encoding",
                    "unit", "fileUnits", "upAxis", "segmentationAngle", "sceneSurfaces", "recogniseWithin"});
  ImportSettings settings;
  settings.linearDeflection = positive(field.at("linearDeflection"));
  settings.angularDeflection = positive(field.at("angularDeflection"));
  // Older projects use one chord error for all parts.
  settings.relativeDeflection = 0;
  if (field.has("relativeDeflection")) {
    settings.relativeDeflection = field.at("relativeDeflection").number();
    if (!(settings.relativeDeflection >= 0 && settings.relativeDeflection <= 1))
      field.at("relativeDeflection").fail("must lie between 0 and 1");
  }
  if (field.has("mergeSolids")) settings.mergeSolids = field.at("mergeSolids").boolean();
  if (field.has("encoding")) {
    settings.encoding = field.at("encoding").text();
    if (!isTextEncoding(settings.encoding)) field.at("encoding").fail("is unknown");
  }
  settings.unit = field.at("unit").text();
  if (!isLengthUnit(settings.unit)) field.at("unit").fail("is not one of mm, cm, m, in, ft");
  if (field.has("fileUnits"))
    for (std::size_t i = 0; i < field.at("fileUnits").size(); ++i) {
      const JsonField unit = field.at("fileUnits").at(i, "unit of file " + std::to_string(i));
      settings.fileUnits.push_back(unit.text());
      if (!unit.text().empty() && !isLengthUnit(unit.text())) unit.fail("is not one of mm, cm, m, in, ft");
    }
  if (field.has("upAxis")) {
    const auto axis = upAxisFromName(field.at("upAxis").text());
    if (!axis) field.at("upAxis").fail("is not one of x, y, z");
    settings.upAxis = *axis;
  }
  if (field.has("segmentationAngle")) {
    const JsonField angle = field.at("segmentationAngle");
    settings.segmentationAngle = angle.isNull() ? std::nullopt : std::optional(angle.number());
    if (settings.segmentationAngle &&
        !(*settings.segmentationAngle >= 0 && *settings.segmentationAngle <= 180))
      angle.fail("must lie between 0 and 180 degrees");
  }
  if (field.has("sceneSurfaces")) {
    const auto surfaces = sceneSurfacesFromName(field.at("sceneSurfaces").text());
    if (!surfaces) field.at("sceneSurfaces").fail("is not one of drawables, primitiveSets, smoothPatches");
    settings.sceneSurfaces = *surfaces;
  }
  if (field.has("recogniseWithin")) settings.recogniseWithin = positive(field.at("recogniseWithin"));
  return settings;
}
Json importJson(const ImportSettings& settings) {
  Json json{{"linearDeflection", settings.linearDeflection},
            {"relativeDeflection", settings.relativeDeflection},
            {"angularDeflection", settings.angularDeflection},
            {"unit", settings.unit},
            {"upAxis", name(settings.upAxis)},
            {"segmentationAngle", nullptr}};
  if (settings.segmentationAngle) json["segmentationAngle"] = *settings.segmentationAngle;
  if (settings.sceneSurfaces != SceneSurfaces::drawables)
    json["sceneSurfaces"] = name(settings.sceneSurfaces);
  if (settings.recogniseWithin) json["recogniseWithin"] = *settings.recogniseWithin;
  if (!settings.fileUnits.empty()) json["fileUnits"] = settings.fileUnits;
  if (settings.mergeSolids) json["mergeSolids"] = true;
  if (!settings.encoding.empty()) json["encoding"] = settings.encoding;
  return json;
}

Review reviewFrom(const JsonField& field) {
  field.expectOnly({"id", "status", "comment"});
  const auto status = reviewStatusFromName(field.at("status").text());
  if (!status) field.at("status").fail("is not one of new, active, reviewed, approved, resolved");
  return {*status, field.has("comment") ? field.at("comment").text() : std::string()};
}

/// Reads a list of objects that each have an identifying text.
template <typename Add>
void readList(const JsonField& root, const char* list, const char* key, Add&& add) {
  if (!root.has(list)) return;
  const JsonField field = root.at(list);
  for (std::size_t i = 0, n = field.size(); i < n; ++i) {
    const JsonField entry = field.at(i, std::string(list) + " " + std::to_string(i));
    if (!add(entry.at(key).text(), entry)) entry.at(key).fail("occurs twice");
  }
}

/// The path of a model, relative to the folder if it is below it.
std::string modelText(const std::filesystem::path& model, const std::filesystem::path& folder) {
  const std::filesystem::path absolute = std::filesystem::absolute(model).lexically_normal();
  const std::filesystem::path below = absolute.lexically_relative(folder.lexically_normal());
  return (below.empty() || *below.begin() == ".." ? absolute : below).generic_string();
}

/// One model is a text; several are a list.
Json modelsJson(const std::vector<std::filesystem::path>& models, const std::filesystem::path& folder) {
  if (models.size() == 1) return modelText(models.front(), folder);
  Json list = Json::array();
  for (const std::filesystem::path& model : models) list.push_back(modelText(model, folder));
  return list;
}

std::vector<std::filesystem::path> modelsFrom(const JsonField& field, const std::filesystem::path& folder) {
  const auto pathFrom = [&](const JsonField& text) { return (folder / text.text()).lexically_normal(); };
  if (field.isText()) return {pathFrom(field)};
  std::vector<std::filesystem::path> models;
  for (std::size_t i = 0, n = field.size(); i < n; ++i)
    models.push_back(pathFrom(field.at(i, "model " + std::to_string(i))));
  if (models.empty()) field.fail("names no file");
  return models;
}

/// An object that begins with `key`: `value`.
Json entryJson(const char* key, const std::string& value, const Json& others) {
  Json json{{key, value}};
  json.update(others);
  return json;
}

Json projectJson(const Project& project, const std::filesystem::path& folder) {
  int version = 1;
  for (const Track& track : project.tracks) version = std::max(version, detail::trackVersion(track));
  Json json{{"format", "fitup-project"}, {"version", version}, {"model", modelsJson(project.models, folder)}};
  if (project.modelHash) json["modelHash"] = hashText(*project.modelHash);
  json["import"] = importJson(project.importSettings);
  json["moved"] = Json::array();
  for (const MovedInstance& moved : project.moved)
    json["moved"].push_back(entryJson("path", moved.path, detail::motionJson(moved.motion)));
  json["rules"] = detail::rulesFileJson(project.rules);
  if (project.tolerance) json["tolerance"] = *project.tolerance;
  json["tracks"] = Json::array();
  for (const Track& track : project.tracks) json["tracks"].push_back(detail::trackJson(track));
  json["reviews"] = Json::array();
  for (const auto& [id, review] : project.reviews)
    json["reviews"].push_back({{"id", id}, {"status", name(review.status)}, {"comment", review.comment}});
  json["hidden"] = project.hidden;
  json["ghosted"] = project.ghosted;
  // Versions without looks can read every project that has none.
  for (const auto& [path, look] : project.looks)
    json["looks"].push_back(entryJson("path", path, lookJson(look)));
  if (project.viewpoint) json["viewpoint"] = viewpointJson(*project.viewpoint);
  json["namedViews"] = Json::array();
  for (const auto& [name, view] : project.namedViews)
    json["namedViews"].push_back(entryJson("name", name, viewpointJson(view)));
  json["section"] = sectionsJson(project.sections);
  return json;
}

/// The project in a file in `folder`.
Project projectFrom(const JsonField& root, const std::filesystem::path& folder) {
  const int version = root.expectFormat("fitup-project", 1, newestVersion);
  root.expectOnly({"format", "version", "model", "modelHash", "import", "moved", "rules", "tolerance",
                   "tracks", "reviews", "hidden", "ghosted", "looks", "viewpoint", "namedViews", "section"});
  Project project;
  project.models = modelsFrom(root.at("model"), folder);
  if (root.has("modelHash")) {
    project.modelHash = hashFromText(root.at("modelHash").text());
    if (!project.modelHash) root.at("modelHash").fail("must be 16 lower-case hexadecimal digits");
  }
  if (root.has("import")) project.importSettings = importFrom(root.at("import"));
  std::set<std::string> paths;
  readList(root, "moved", "path", [&](const std::string& path, const JsonField& entry) {
    entry.expectOnly({"path", "translation", "rotation"});
    project.moved.push_back({path, detail::motionFrom(entry)});
    return paths.insert(path).second;
  });
  if (root.has("rules")) project.rules = detail::rulesFrom(root.at("rules"));
  if (root.has("tolerance")) {
    project.tolerance = root.at("tolerance").number();
    if (!(*project.tolerance >= 0)) root.at("tolerance").fail("must not be below 0");
  }
  if (root.has("tracks")) {
    const JsonField tracks = root.at("tracks");
    for (std::size_t i = 0, n = tracks.size(); i < n; ++i)
      project.tracks.push_back(detail::trackFrom(tracks.at(i, "track " + std::to_string(i)), version));
  }
  readList(root, "reviews", "id", [&](const std::string& id, const JsonField& entry) {
    return project.reviews.emplace(id, reviewFrom(entry)).second;
  });
  if (root.has("hidden")) project.hidden = pathsFrom(root.at("hidden"));
  if (root.has("ghosted")) project.ghosted = pathsFrom(root.at("ghosted"));
  readList(root, "looks", "path", [&](const std::string& path, const JsonField& entry) {
    return project.looks.emplace(path, lookFrom(entry)).second;
  });
  if (root.has("viewpoint")) project.viewpoint = viewpointFrom(root.at("viewpoint"));
  readList(root, "namedViews", "name", [&](const std::string& name, const JsonField& entry) {
    return project.namedViews.emplace(name, viewpointFrom(entry)).second;
  });
  if (root.has("section")) project.sections = sectionsFrom(root.at("section"));
  return project;
}

/// The text of the project's file. Throws as `writeProject`.
std::string textOf(const Project& project, const std::filesystem::path& file) {
  if (project.models.empty())
    throw InputError(file.string(), "model", "a project needs the file of its model");
  detail::requireWritable(project.rules, file.string());
  for (const Track& track : project.tracks)
    requireWays(track, file.string() + ": track '" + track.name + "'");
  // Invalid UTF-8 in names is replaced, so that the rest is not lost.
  std::string text = detail::toText(projectJson(project, folderOf(file)), 1) + "\n";
  // The reader decides what it would refuse: a project that cannot be opened again must not replace one that
  // can.
  detail::requireReadable(text, file.string());
  const nlohmann::json written = detail::parseJsonText(text, file.string());
  (void)projectFrom(JsonField(written, file.string()), folderOf(file));
  return text;
}

}  // namespace

bool isProjectFile(const std::filesystem::path& file) { return fileFamilyOf(file) == FileFamily::project; }

Project readProject(const std::filesystem::path& file) { return readStoredProject(file).project; }

StoredProject readStoredProject(const std::filesystem::path& file) {
  const auto contents = FileBytes::read(file, detail::largestJsonFile);
  const nlohmann::json json = detail::parseJsonText(contents->text(), file.string());
  return {projectFrom(JsonField(json, file.string()), folderOf(file)), versionOf(contents->text())};
}

FileVersion writeProject(const std::filesystem::path& file, const Project& project) {
  const std::string text = textOf(project, file);
  writeFileAtomically(file, [&](std::ostream& out) { out << text; });
  return versionOf(text);
}

FileVersion writeProject(const std::filesystem::path& file, const Project& project,
                         const FileVersion& expected) {
  const std::string text = textOf(project, file);
  replaceFileAtomically(file, expected, [&](std::ostream& out) { out << text; });
  return versionOf(text);
}

}  // namespace fitup
