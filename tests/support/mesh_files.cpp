#include "mesh_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include <fitup/mesh/segmentation.h>
#include <nlohmann/json.hpp>

namespace fitup::test {
namespace {

std::string contentsOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

MeshPtr segmented(const TriangleMeshBuilder& builder) {
  const TriangleMesh raw = builder.build();
  return std::make_shared<const TriangleMesh>(withSurfaces(raw, segmentByDihedralAngle(raw)));
}

TriangleMeshBuilder readObj(const std::string& name, const std::string& text) {
  TriangleMeshBuilder builder(name);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      Vec3 p;
      words >> p.x >> p.y >> p.z;
      builder.addPoint(p);
    } else if (word == "f") {
      std::vector<std::uint32_t> ids;
      while (words >> word) {
        const long i = std::stol(word);  // stops at the first '/'
        ids.push_back(
            static_cast<std::uint32_t>(i < 0 ? static_cast<long>(builder.pointCount()) + i : i - 1));
      }
      for (std::size_t i = 2; i < ids.size(); ++i) builder.addTriangle(ids[0], ids[i - 1], ids[i]);
    }
  }
  return builder;
}

void addStlTriangle(TriangleMeshBuilder& builder, const std::array<Vec3, 3>& corners) {
  const std::uint32_t a = builder.addPoint(corners[0]);
  const std::uint32_t b = builder.addPoint(corners[1]);
  builder.addTriangle(a, b, builder.addPoint(corners[2]));
}

TriangleMeshBuilder readStl(const std::string& name, const std::string& bytes) {
  TriangleMeshBuilder builder(name);
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, 4);
  std::array<Vec3, 3> corners;
  if (bytes.size() >= 84 && bytes.size() == 84 + std::size_t{50} * count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::array<float, 9> f{};
      std::memcpy(f.data(), bytes.data() + 84 + std::size_t{50} * i + 12, sizeof f);
      for (std::size_t k = 0; k < 3; ++k) corners[k] = {f[3 * k], f[3 * k + 1], f[3 * k + 2]};
      addStlTriangle(builder, corners);
    }
    return builder;
  }
  std::istringstream words(bytes);
  std::size_t corner = 0;
  for (std::string word; words >> word;) {
    if (word != "vertex") continue;
    Vec3& p = corners[corner++ % 3];
    words >> p.x >> p.y >> p.z;
    if (corner % 3 == 0) addStlTriangle(builder, corners);
  }
  return builder;
}

/// Returns the value of name="..." in a line, or an empty text.
std::string attribute(const std::string& line, const std::string& name) {
  const std::size_t at = line.find(name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return line.substr(begin, line.find('"', begin) - begin);
}

}  // namespace

MeshPtr readMesh(const std::filesystem::path& file) {
  const std::string bytes = contentsOf(file);
  const std::string name = file.stem().string();
  return segmented(file.extension() == ".stl" ? readStl(name, bytes) : readObj(name, bytes));
}

std::vector<ScenarioObject> readScenario(const std::filesystem::path& file) {
  std::istringstream lines(contentsOf(file));
  std::vector<TriangleMeshBuilder> builders;
  std::vector<std::vector<Transform>> poses;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<OBJECT") != std::string::npos) {
      builders.emplace_back("object " + std::to_string(builders.size() + 1));
      poses.emplace_back();
    } else if (line.find("<GRID") != std::string::npos) {
      builders.back().addPoint({std::stod(attribute(line, "x")), std::stod(attribute(line, "y")),
                                std::stod(attribute(line, "z"))});
    } else if (line.find("<TRIA") != std::string::npos) {
      const auto id = [&](const char* g) {
        return static_cast<std::uint32_t>(std::stoul(attribute(line, g)) - 1);
      };
      builders.back().addTriangle(id("g1"), id("g2"), id("g3"));
    }
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const std::string prefix = "obj" + std::to_string(i + 1);
      if (const std::string text = attribute(line, prefix + "_pos"); !text.empty()) {
        std::istringstream numbers(text);
        poses[i].emplace_back();
        numbers >> poses[i].back().t.x >> poses[i].back().t.y >> poses[i].back().t.z;
      } else if (const std::string cosines = attribute(line, prefix + "_dc"); !cosines.empty()) {
        std::istringstream numbers(cosines);
        for (auto& row : poses[i].back().m)
          for (double& v : row) numbers >> v;
      }
    }
  }
  std::vector<ScenarioObject> objects;
  for (std::size_t i = 0; i < builders.size(); ++i) objects.push_back({segmented(builders[i]), poses[i]});
  return objects;
}

std::vector<SceneBody> readScene(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(contentsOf(file));
  std::vector<SceneBody> bodies;
  for (const auto& body : json.at("rigid_body_problem").at("rigid_bodies")) {
    const auto vector = [&](const char* key) {
      const auto v = body.value(key, std::vector<double>{0, 0, 0});
      return Vec3{v.at(0), v.at(1), v.at(2)};
    };
    const Vec3 turn = vector("rotation") * (std::numbers::pi / 180);
    Transform placement = Transform::rotation({0, 0, 1}, turn.z) * Transform::rotation({0, 1, 0}, turn.y) *
                          Transform::rotation({1, 0, 0}, turn.x);
    placement.t = vector("position");
    bodies.push_back({body.at("mesh").get<std::string>(), placement});
  }
  return bodies;
}

}  // namespace fitup::test
