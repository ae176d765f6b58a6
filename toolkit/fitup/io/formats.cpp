#include <fitup/io/formats.h>

#include <algorithm>
#include <vector>

#include <fitup/base/text.h>
#include <fitup/io/gltf_export.h>
#include <fitup/io/mesh_export.h>
#include <fitup/io/model_file.h>

namespace fitup {
namespace {

using enum FileFamily;

constexpr FileFormat allFormats[] = {
    {".fitup", model, "Fitup's model file",
     [](const auto& file, const Model& written, const Progress& progress) {
       writeModelFile(file, written, progress);
     }},
    {".step", cad, "STEP"},
    {".stp", cad, "STEP"},
    {".iges", cad, "IGES"},
    {".igs", cad, "IGES"},
    {".obj", mesh, "OBJ",
     [](const auto& file, const Model& written, const Progress& progress) {
       writeObj(file, written.assembly, progress);
     }},
    {".stl", mesh, "STL",
     [](const auto& file, const Model& written, const Progress& progress) {
       writeStl(file, written.assembly, progress);
     }},
    {".ply", mesh, "PLY"},
    {".off", mesh, "OFF"},
    {".gltf", mesh, "glTF"},
    {".glb", mesh, "binary glTF",
     [](const auto& file, const Model& written, const Progress& progress) {
       writeGltf(file, written.assembly, progress);
     }},
    {".3ds", mesh, "3DS"},
    {".osg", osg, "OpenSceneGraph"},
    {".osgb", osg, "OpenSceneGraph"},
    {".osgt", osg, "OpenSceneGraph"},
    {".osgx", osg, "OpenSceneGraph"},
    {".ive", osg, "OpenSceneGraph"},
    {".ac", osg, "AC3D"},
    {".dae", osg, "COLLADA"},
    {".dxf", osg, "DXF"},
    {".flt", osg, "OpenFlight"},
    {".iv", osg, "Inventor"},
    {".wrl", osg, "VRML"},
    {".lwo", osg, "LightWave"},
    {".lws", osg, "LightWave"},
    {".fitup-project", project, "project"},
    {".json", track, "track"},
    {".csv", track, "track"},
};

}  // namespace

std::span<const FileFormat> fileFormats() noexcept { return allFormats; }

std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

const FileFormat* formatOf(const std::filesystem::path& file) {
  const auto* const found = std::ranges::find(allFormats, lowerExtension(file), &FileFormat::extension);
  return found == std::end(allFormats) ? nullptr : found;
}

std::optional<FileFamily> fileFamilyOf(const std::filesystem::path& file) {
  const FileFormat* const format = formatOf(file);
  return format == nullptr ? std::nullopt : std::optional(format->family);
}

std::string_view importerOf(FileFamily family) noexcept {
  return family == cad    ? "fitup-import-cad"
         : family == mesh ? "fitup-import-mesh"
         : family == osg  ? "fitup-import-osg"
                          : "";
}

std::string extensionList(bool (*chosen)(const FileFormat&), std::string_view between,
                          std::string_view beforeLast) {
  std::vector<std::string_view> extensions;
  for (const FileFormat& format : allFormats)
    if (chosen(format)) extensions.push_back(format.extension);
  return joined(extensions, between, beforeLast);
}

}  // namespace fitup
