#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

#include "support/german_locale.h"
#include "support/import_checks.h"
#include "support/scene_files.h"
#include "support/temporary_folder.h"

namespace locale_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Writes a file of each format with fractional numbers to a folder; returns the files by extension.
std::map<std::string, std::filesystem::path> writeEach(const std::filesystem::path& folder) {
  std::map<std::string, std::filesystem::path> files;
  const auto write = [&](const std::string& extension, const std::string& contents) {
    files[extension] = folder / ("Gehäuse 1,5 – 日本." + extension);
    writeText(files[extension], contents);
  };
  const std::string points = "0.5 0.25 0.125\n1234.5 0 0\n0 1234.5 1e-3\n";
  if (meshImporter()) {
    write("obj", "o Größe ß\nv 0.5 0.25 0.125\nv 1234.5 0 0\nv 0 1234.5 1e-3\nf 1 2 3\n");
    write("off", "OFF\n3 1 0\n" + points + "3 0 1 2\n");
    write("ply",
          "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
          "z\nelement face "
          "1\nproperty list uchar int vertex_indices\nend_header\n" +
              points + "3 0 1 2\n");
  }
  if (hasAssimp()) {
    write("stl",
          "solid Größe\nfacet normal 0 0 1\nouter loop\nvertex 0.5 0.25 0.125\nvertex 1234.5 0 0\nvertex 0 "
          "1234.5 1e-3\nendloop\nendfacet\nendsolid Größe\n");
    const GltfFile gltf;
    write("gltf", gltf.json);
    writeText(folder / "bytes.bin", gltf.buffer);
    write("glb", gltf.binary());
    write("3ds", tdsFile({{"Deckel", {{0.5F, 0.25F, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}}}));
  }
#if defined(FITUP_WRITE_TEST_STEP)
  for (const char* extension : {"step", "igs"}) {
    write(extension, "");
    const std::string command = std::string(FITUP_WRITE_TEST_STEP) + " " + (folder / "made").string() + "." +
                                extension + (std::string(extension) == "igs" ? " BREP" : " INCH") +
                                " >/dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    std::filesystem::rename(folder / ("made." + std::string(extension)), files[extension]);
  }
  // The notation of ISO 10303-21 for an umlaut, and UTF-8 as many writers use it.
  std::string text = readText(files["step"]);
  const auto rename = [&](const std::string& from, const std::string& to) {
    std::size_t found = 0;
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()), ++found)
      text.replace(at, from.size(), to);
    REQUIRE(found > 0);
  };
  rename("'left'", "'Gr\\X2\\00F600DF\\X0\\e'");
  rename("'right'", "'Größe 2'");
  writeText(files["step"], text);
#endif
  return files;
}

/// Returns everything that is read, in one text.
std::string contentsOf(const Model& model) {
  std::string text = model.assembly.name() + " " + std::to_string(model.assembly.contentHash());
  for (std::uint32_t i = 0; i < model.assembly.nodes().size(); ++i)
    text += "\n" + model.assembly.path(NodeId{i});
  for (std::uint32_t i = 0; i < model.assembly.partCount(); ++i) {
    text += "\npart " + model.assembly.part(PartId{i}).name();
    for (const Surface& surface : model.assembly.part(PartId{i}).surfaces()) text += "|" + surface.name;
  }
  for (const ImportWarning& warning : model.warnings) text += "\n" + warning.element + ": " + warning.message;
  return text;
}

}  // namespace

TEST_CASE("every format is read the same in every locale, from paths and with names beyond ASCII",
          "[importers]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "Übung");
  const auto files = writeEach(folder / "Übung");
  if (files.empty()) WARN("skipped: no importer is there");
  std::map<std::string, std::string> inC;
  for (const auto& [extension, file] : files) inC[extension] = contentsOf(import(file));
  const GermanLocale german;
  if (!german.isWhole()) WARN("no German locale of the C library: the package locales is absent");
  for (const auto& [extension, file] : files) {
    INFO(extension);
    const Model model = import(file);
    CHECK(contentsOf(model) == inC[extension]);
    CHECK(model.assembly.name() == "Gehäuse 1,5 – 日本");
    if (extension == "obj" || extension == "stl") CHECK(model.assembly.partCount() == 1);
    if (extension == "obj") CHECK(model.assembly.find("Größe ß"));
    if (extension == "stl") CHECK(model.assembly.find("Größe"));
    if (extension == "gltf" || extension == "glb") CHECK(model.assembly.find("machine/gehäuse"));
    if (extension == "step") {
      CHECK(model.assembly.find("plate-and-pins/Größe"));
      CHECK(model.assembly.find("plate-and-pins/Größe 2"));
    }
    if (extension == "obj" || extension == "off" || extension == "ply" || extension == "stl")
      CHECK(model.assembly.worldBounds(model.assembly.instances().front()).max.x == Approx(1234.5));
  }
}

}  // namespace locale_tests
