#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace shared_data_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Larger files take seconds.
constexpr std::uintmax_t smallFile = 300'000;

/// Returns the figures in the data's own list, by file.
std::map<std::string, std::string> figuresOfData(const std::filesystem::path& origin) {
  std::map<std::string, std::string> figures;
  std::istringstream lines(readText(origin));
  const std::regex row(R"(\| ([^|]+) \| \d+ \| ([^|]*) \|.*)");
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_match(line, match, row)) figures[match[1]] = match[2];
  return figures;
}

std::optional<std::size_t> figure(const std::string& figures, const std::string& pattern) {
  std::smatch match;
  if (!std::regex_search(figures, match, std::regex(pattern))) return std::nullopt;
  return std::stoul(match[1]);
}

std::string lowerExtension(const std::filesystem::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return text;
}

/// Refused files and the reasons; every other file must open. Files of OSG are read if its importer was
/// built.
const std::map<std::string, std::string> refusals{
    {"mesh-collision/manifold/Cray_right.obj", "coordinate above 2^100"},
    {"nasty/assimp/OBJ_box_UTF16BE.obj", "not an OBJ file in ASCII or UTF-8"},
    {"nasty/assimp/OBJ_number_formats.obj", "line 11: '3.1+e2' is not a number"},
    {"nasty/assimp/OBJ_point_cloud.obj", "holds no triangles"},
    {"nasty/assimp/OFF_invalid.off", "line 7: the face declares 2 corners and has 0"},
    {"nasty/assimp/PLY_issue623.ply", "line 14: the line has too few values"},
    {"nasty/assimp/invalid_OutOfMemory.off", "the file is cut off: 14 of 353535235358 points are present"},
    {"nasty/assimp/invalid_crash-30d6d0f7c529b3b66b4131700b7a4580cd7082df.ply", "line 7: "},
    {"nasty/assimp/invalid_empty.obj", "the file is empty"},
    {"nasty/assimp/invalid_empty.ply", "the file is empty"},
    {"nasty/assimp/invalid_malformed.obj", "line 28: '0' is not an index"},
    {"nasty/trimesh/points_emptyface.ply", "holds no triangles, only 1024 points"},
    {"osg/osgworks/testuniqifier.osg", "holds no triangles"},
};

/// Whether the file refers to others, which its figures do not include.
bool refersToOtherFiles(const std::string& figures) {
  return figures.find("solids 0, faces 0") != std::string::npos;
}

/// Imports as the list counts: solids of one product are one.
Model importProducts(const std::filesystem::path& file) {
  ReadOptions options;
  options.mergeSolids = true;
  options.relativeDeflection = 0;
  return import(file, options);
}

/// Products for whose curves the list counts a separate instance and prototype.
const std::map<std::string, std::size_t> curvesInList{{"step/io1-tu-203.stp", 1},
                                                      {"step/nist_ctc_02_asme1_ap242-1.stp", 1}};

void checkStep(const Model& model, const std::string& figures, std::size_t curves) {
  const ImportCounts counts = countsOf(model);
  CHECK_FALSE(isIncomplete(model));
  if (refersToOtherFiles(figures)) {
    CHECK_FALSE(model.source.referencedFiles.empty());
    CHECK(counts.faces > 0);
    return;
  }
  CHECK(counts.instances + curves == figure(figures, R"(instances (\d+))"));
  CHECK(counts.parts + curves == figure(figures, R"(prototypes (\d+))"));
  CHECK(counts.faces == figure(figures, R"(faces (\d+))"));
  // Open CASCADE alone loses faces, or parts of them, which are complete here; the list has its triangles.
  CHECK(counts.untessellated == 0);
  const auto listed = static_cast<double>(*figure(figures, R"(triangles (\d+))"));
  CHECK(double(counts.triangles) >= 0.98 * listed);
  CHECK(double(counts.triangles) <= 1.2 * listed);
}

void checkFile(const std::filesystem::path& path, const std::string& name, const std::string& figures) {
  INFO(name);
  const auto refusal = refusals.find(name);
  std::optional<Model> model;
  std::string problem;
  try {
    model = importProducts(path);
  } catch (const Error& error) {
    problem = error.what();
  }
  if (refusal != refusals.end()) {
    CHECK_THAT(problem, Catch::Contains("refused: ") && Catch::Contains(refusal->second));
    return;
  }
  CHECK(problem.empty());
  if (!model) return;
  const std::string extension = lowerExtension(path);
  if (extension == ".stp" || extension == ".step") {
    if (figure(figures, R"(instances (\d+))"))
      checkStep(*model, figures, curvesInList.contains(name) ? curvesInList.at(name) : 0);
    return;
  }
  // Of classes that need a library of their own.
  CHECK(isIncomplete(*model) == (name == "osg/osgbullet/hand.osg"));
  const auto triangles = figure(figures, extension == ".ply" ? R"(faces=\['(\d+)'\])" : R"(tris=(\d+))");
  const bool isMesh = name.find("osg/") != 0;
  if (isMesh && triangles) CHECK(countsOf(*model).triangles == *triangles);
  CHECK(countsOf(*model).triangles > 0);
}

bool isRead(const std::filesystem::path& file) {
  static const std::set<std::string> cad{".stp", ".step"}, own{".obj", ".ply", ".off"}, assimp{".stl"},
      osg{".osg", ".osgt", ".ive"};
  const std::string extension = lowerExtension(file);
  return (cad.count(extension) > 0 && cadImporter()) || (own.count(extension) > 0 && meshImporter()) ||
         (assimp.count(extension) > 0 && hasAssimp()) || (osg.count(extension) > 0 && osgImporter());
}

void checkData(bool small) {
  const auto origin = sharedData("ORIGIN.md");
  if (!origin) {
    WARN("skipped: the shared data are absent");
    return;
  }
  const std::filesystem::path root = origin->parent_path();
  const std::map<std::string, std::string> figures = figuresOfData(*origin);
  REQUIRE(figures.size() > 100);
  std::size_t checked = 0;
  for (const auto& [name, text] : figures) {
    const std::filesystem::path path = root / name;
    // Each file of nasty/step-derived has a test of its own.
    if (!std::filesystem::is_regular_file(path) || name.starts_with("nasty/step-derived/") || !isRead(path))
      continue;
    if ((std::filesystem::file_size(path) <= smallFile) != small) continue;
    checkFile(path, name, text);
    ++checked;
  }
  CHECK(checked >= (small ? 20U : 5U));
}

}  // namespace

TEST_CASE(
    "every small file of the shared data opens with the counts of its list, or is refused with a reason",
    "[importers][data]") {
  checkData(true);
}

TEST_CASE("every large file of the shared data opens with the counts of its list",
          "[.][importers][data][large]") {
  checkData(false);
}

TEST_CASE("the largest STEP assembly opens with the counts of its list", "[.][importers][data][large]") {
  const auto zip = sharedData("step/openDogv2_20.zip");
  const TemporaryFolder folder;
  if (!cadImporter() || !zip ||
      std::system(("unzip -q '" + zip->string() + "' -d '" + folder.path().string() + "'").c_str()) != 0) {
    WARN("skipped: openDogv2_20.zip, the importer or unzip is absent");
    return;
  }
  const auto figures = figuresOfData(*sharedData("ORIGIN.md"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (lowerExtension(entry.path()) == ".stp")
      checkStep(importProducts(entry.path()), figures.at("step/openDogv2_20.zip"), 0);
}

}  // namespace shared_data_tests
