#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/gltf_export.h>

#include "support/import_checks.h"
#include "support/looks.h"
#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/sample_model.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"
#if defined(FITUP_HAS_ASSIMP)
#include "assimp_file.h"
#endif

namespace gltf_export_tests {

using namespace fitup;
using namespace fitup::test;
using nlohmann::json;

namespace {

/// The two chunks of a binary glTF file.
struct Glb {
  json root;
  std::string binary;

  static std::uint32_t word(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    REQUIRE(at + 4 <= bytes.size());
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  }
  explicit Glb(const std::string& bytes) {
    REQUIRE(bytes.starts_with("glTF"));
    CHECK(word(bytes, 4) == 2);
    CHECK(word(bytes, 8) == bytes.size());
    const std::size_t size = word(bytes, 12);
    CHECK(size % 4 == 0);
    CHECK(bytes.substr(16, 4) == "JSON");
    root = json::parse(bytes.substr(20, size));
    if (bytes.size() == 20 + size) return;
    CHECK(bytes.substr(24 + size, 4) == std::string("BIN\0", 4));
    binary = bytes.substr(28 + size);
    CHECK(word(bytes, 20 + size) == binary.size());
    CHECK(binary.size() % 4 == 0);
  }
  void write(const std::filesystem::path& file) const {
    std::string text = root.dump();
    text.append((4 - text.size() % 4) % 4, ' ');
    std::string bytes = "glTF";
    const auto put = [&](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      bytes.append(reinterpret_cast<const char*>(&number), 4);
    };
    put(2);
    put(28 + text.size() + binary.size());
    put(text.size());
    bytes += "JSON" + text;
    put(binary.size());
    writeText(file, bytes + std::string("BIN\0", 4) + binary);
  }
};

Glb written(const Assembly& assembly) {
  const TemporaryFolder folder;
  writeGltf(folder / "a.glb", assembly);
  return Glb(readText(folder / "a.glb"));
}

Transform matrixOf(const json& node) {
  Transform result;
  if (!node.contains("matrix")) return result;
  const auto m = node["matrix"].get<std::array<double, 16>>();
  CHECK((m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result.m[i][j] = m[4 * j + i];
    result.t[static_cast<int>(i)] = m[12 + i];
  }
  for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
    double product = 0, squares = 1;
    for (std::size_t i = 0; i < 3; ++i) product += result.m[i][p] * result.m[i][q];
    for (const std::size_t k : {p, q})
      squares *=
          result.m[0][k] * result.m[0][k] + result.m[1][k] * result.m[1][k] + result.m[2][k] * result.m[2][k];
    CHECK(std::abs(product) <= 2e-6 * std::sqrt(squares));  // translation, rotation and scale
  }
  return result;
}

using Corners = std::array<Vec3, 3>;

/// Checks what the specification requires of the file, for the features that this writer uses. Returns the
/// triangles of the scene, in glTF's frame, in the order of its tree.
std::vector<Corners> checkedTriangles(const Glb& glb) {
  const json& root = glb.root;
  CHECK(root["asset"]["version"] == "2.0");
  for (const char* list : {"nodes", "meshes", "materials", "accessors", "bufferViews", "buffers", "scenes"})
    if (root.contains(list)) CHECK_FALSE(root[list].empty());
  const auto list = [&](const char* name) { return root.value(name, json::array()); };
  if (root.contains("buffers")) {
    REQUIRE(root["buffers"].size() == 1);
    CHECK(root["buffers"][0]["byteLength"] == glb.binary.size());
  } else {
    CHECK(glb.binary.empty());
  }
  for (const json& view : list("bufferViews")) {
    CHECK(view["byteOffset"].get<std::size_t>() % 4 == 0);
    REQUIRE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>() <=
            glb.binary.size());
  }
  struct Accessor {
    std::size_t at, count;
  };
  std::vector<Accessor> accessors;
  for (const json& accessor : list("accessors")) {
    const json& view = root["bufferViews"].at(accessor["bufferView"].get<std::size_t>());
    const bool isPosition = accessor["type"] == "VEC3";
    const std::size_t size = isPosition ? 12 : 4, count = accessor["count"],
                      offset = accessor.value("byteOffset", std::size_t{0});
    CHECK(accessor["componentType"] == (isPosition ? 5126 : 5125));
    CHECK(view["target"] == (isPosition ? 34962 : 34963));
    CHECK(view.contains("byteStride") == isPosition);  // vertex attributes only
    if (isPosition) CHECK(view["byteStride"] == 12);
    REQUIRE(count > 0);
    CHECK(offset % 4 == 0);
    REQUIRE(offset + size * count <= view["byteLength"].get<std::size_t>());
    accessors.push_back({view["byteOffset"].get<std::size_t>() + offset, count});
    if (!isPosition) continue;
    std::array<float, 3> low{}, high{};
    for (std::size_t i = 0; i < count; ++i) {
      std::array<float, 3> p{};
      std::memcpy(p.data(), glb.binary.data() + accessors.back().at + 12 * i, 12);
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = i == 0 ? p[k] : std::min(low[k], p[k]);
        high[k] = i == 0 ? p[k] : std::max(high[k], p[k]);
      }
    }
    CHECK(accessor["min"].get<std::array<float, 3>>() == low);
    CHECK(accessor["max"].get<std::array<float, 3>>() == high);
  }
  std::set<std::string> materials;
  for (const json& material : list("materials")) {
    CHECK(materials.insert(material["name"]).second);
    const auto factor = material["pbrMetallicRoughness"]["baseColorFactor"].get<std::array<double, 4>>();
    for (const double component : factor) CHECK((component >= 0 && component <= 1));
    CHECK((material.value("alphaMode", "OPAQUE") == "BLEND") == (factor[3] < 1));
  }
  for (const json& mesh : list("meshes")) {
    REQUIRE_FALSE(mesh["primitives"].empty());
    for (const json& primitive : mesh["primitives"]) {
      const Accessor indices = accessors.at(primitive["indices"].get<std::size_t>());
      const Accessor positions = accessors.at(primitive["attributes"]["POSITION"].get<std::size_t>());
      CHECK(indices.count % 3 == 0);
      CHECK(primitive["material"].get<std::size_t>() < root["materials"].size());
      for (std::size_t i = 0; i < indices.count; ++i)
        REQUIRE(Glb::word(glb.binary, indices.at + 4 * i) < positions.count);
    }
  }

  std::vector<Corners> triangles;
  std::set<std::size_t> seen;
  const std::function<void(std::size_t, const Transform&)> visit = [&](std::size_t i,
                                                                       const Transform& above) {
    REQUIRE(i < root["nodes"].size());
    REQUIRE(seen.insert(i).second);
    const json& node = root["nodes"][i];
    CHECK(node["name"].is_string());
    const Transform world = above * matrixOf(node);
    if (node.contains("mesh"))
      for (const json& primitive : root["meshes"].at(node["mesh"].get<std::size_t>())["primitives"]) {
        const Accessor indices = accessors[primitive["indices"].get<std::size_t>()];
        const std::size_t positions = accessors[primitive["attributes"]["POSITION"].get<std::size_t>()].at;
        for (std::size_t t = 0; t < indices.count; t += 3) {
          Corners& corners = triangles.emplace_back();
          for (std::size_t k = 0; k < 3; ++k) {
            Point3f p;
            std::memcpy(
                &p, glb.binary.data() + positions + 12 * Glb::word(glb.binary, indices.at + 4 * (t + k)), 12);
            corners[k] = world.apply(toVec3(p));
          }
          // By the specification, a negative determinant reverses the winding of triangles.
          if (world.determinant() < 0) std::swap(corners[1], corners[2]);
        }
      }
    if (node.contains("children")) {
      REQUIRE_FALSE(node["children"].empty());
      for (const json& child : node["children"]) visit(child, world);
    }
  };
  REQUIRE(root["scenes"].at(root["scene"].get<std::size_t>())["nodes"].size() == 1);
  visit(root["scenes"][0]["nodes"][0], {});
  CHECK(seen.size() == root["nodes"].size());
  return triangles;
}

std::vector<NodeId> rootsOf(const Assembly& assembly) {
  std::vector<NodeId> roots;
  for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i)
    if (!assembly.node(NodeId{i}).parent) roots.push_back(NodeId{i});
  return roots;
}

/// Returns the same for an assembly, as it should be in glTF.
std::vector<Corners> trianglesOf(const Assembly& assembly) {
  const std::map<std::string, double> metres{
      {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}};
  const double size = metres.at(assembly.unit());
  std::vector<Corners> triangles;
  const std::function<void(NodeId)> visit = [&](NodeId id) {
    if (assembly.node(id).part) {
      const TriangleMesh& mesh = assembly.meshOf(id);
      const Transform world = assembly.worldFromNode(id);
      for (const TriangleIndices& t : mesh.triangles()) {
        Corners& corners = triangles.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec3 p = size * world.apply(mesh.pointInPart(t[k]));
          corners[k] = assembly.upAxis() == UpAxis::y   ? p
                       : assembly.upAxis() == UpAxis::z ? Vec3{p.x, p.z, -p.y}
                                                        : Vec3{-p.y, p.x, p.z};
        }
        if (world.determinant() < 0) std::swap(corners[1], corners[2]);
      }
    }
    for (const NodeId child : assembly.node(id).children) visit(child);
  };
  for (const NodeId id : rootsOf(assembly)) visit(id);
  return triangles;
}

/// Returns the largest distance of corners, relative to the size of the whole.
double relativeDistance(const std::vector<Corners>& a, const std::vector<Corners>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0, size = 1e-30;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      largest = std::max(largest, norm(a[i][k] - b[i][k]));
      size = std::max(size, norm(a[i][k]));
    }
  return largest / size;
}

MeshPtr twoColoured(const std::string& name, const Vec3& at) {
  TriangleMeshBuilder builder(name);
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.1, 0.2, 0.7}})
    builder.addPoint(at + p);
  builder.beginSurface("none \"before\"");
  builder.beginSurface("a/b#1\n\"red\"", Colour{0.8F, 0.1F, 0.05F, 1});
  builder.addTriangle(0, 2, 1);
  builder.addTriangle(0, 0, 1);
  builder.beginSurface("hollow", Colour{0, 1, 0, 1});
  builder.beginSurface({}, Colour{0.1F, 0.2F, 1.0F / 3, 0.25F});
  builder.addTriangle(0, 1, 3);
  builder.beginSurface("plain");
  builder.addTriangle(1, 2, 3);
  builder.beginSurface("last");
  return std::make_shared<const TriangleMesh>(builder.build());
}

/// Makes names that are hard to write, shared and coloured instances, empty nodes, parts and surfaces, parts
/// far from their origin, instances below instances, sheared and mirrored ones.
Assembly awkwardAssembly() {
  Assembly a("all \"sorts\"\n");
  a.setUnit("cm");
  const PartId near = a.addPart(twoColoured("near\\", {}));
  const PartId far = a.addPart(twoColoured("far", {1e5 + 0.125, -3e5, 0.3}));
  const PartId empty = a.addPart(emptyMesh());
  const PartId whole = a.addPart(icosphere(1, 1));  // one surface, of many smooth patches
  Transform shear;
  shear.m[0][1] = 0.7;
  shear.m[1][2] = -0.2;
  const Transform turn = Transform::rotation({1, 2, 3}, 0.7);
  const NodeId top = a.addNode("top/#\"\\\t\n\x01\xC3\xA4\xFF", turn);
  a.addNode("", Transform::translation({1e4 + 0.1, 2, 3}), top, near);
  a.addNode("", Transform::scaling(-1, 1, 1) * turn, top, near, Colour{1.0F / 3, 0.5F, 0.25F, 1});
  a.addNode("same", turn, top, near, Colour{0.1F, 0.2F, 0.3F, 0.5F});
  a.addNode("same", {}, top, near, Colour{1.0F / 3, 0.5F, 0.25F, 1});
  a.addNode("nothing here", shear, top, std::nullopt, Colour{1, 0, 0, 1});
  a.addNode("no triangles", shear * turn, top, empty, Colour{1, 1, 0, 1});
  const NodeId carrier = a.addNode("carrier", turn, std::nullopt, far);
  a.addNode("below", Transform::translation({0.1, 0.2, 0.3}), carrier, near);
  a.addNode("sheared", turn * shear, carrier, far, Colour{0, 0, 0, 0});
  const NodeId sheared = a.addNode(std::string(2000, 'n'), shear * Transform::scaling(-1, 2, 1e-3));
  const NodeId deep = a.addNode("part and children", shear, sheared, far);
  a.addNode("whole", turn, deep, whole);
  a.addNode("empty too", {}, deep, empty);
  return a;
}

}  // namespace

TEST_CASE("binary glTF that is written is valid and holds the triangles where they are", "[io][gltf]") {
  std::vector<Assembly> assemblies{awkwardAssembly(), sampleModel().assembly};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    assemblies.push_back(randomAssembly(seed, 25));
    assemblies.back().setUpAxis(static_cast<UpAxis>(seed % 3));
    assemblies.back().setUnit(std::array{"mm", "m", "in", "ft"}[seed % 4]);
  }
  for (const Assembly& assembly : assemblies) {
    INFO(assembly.name());
    const Glb glb = written(assembly);
    // Entries and corners of 32 bits, a few nodes deep.
    CHECK(relativeDistance(checkedTriangles(glb), trianglesOf(assembly)) <= 1e-6);
  }
}

TEST_CASE("glTF has a mesh for each part and colour, a primitive for each surface with triangles",
          "[io][gltf]") {
  const Glb glb = written(awkwardAssembly());
  const json& root = glb.root;
  // The near part in its colours and two others, the far part in its own and one other, the sphere.
  CHECK(root["meshes"].size() == 6);
  std::set<json> geometries;
  std::map<std::string, std::size_t> primitives;
  for (const json& mesh : root["meshes"]) {
    json accessors = json::array();
    for (const json& p : mesh["primitives"]) accessors.push_back({p["attributes"]["POSITION"], p["indices"]});
    geometries.insert(accessors);
    primitives[mesh["name"]] = mesh["primitives"].size();
  }
  CHECK(geometries.size() == 3);  // meshes in other colours share them
  CHECK(primitives == std::map<std::string, std::size_t>{{"near\\", 3}, {"far", 3}, {"icosphere", 1}});
  CHECK(root["accessors"].size() == 2 * 7);
  CHECK(root["meshes"][0]["primitives"][0]["extras"]["name"] == "a/b#1\n\"red\"");
  // Linear light: 0.8 and 0.1 of sRGB.
  const json& red = root["materials"][root["meshes"][0]["primitives"][0]["material"].get<std::size_t>()];
  CHECK(red["name"] == "rgba_0.8_0.1_0.05_1");
  CHECK(red["pbrMetallicRoughness"]["baseColorFactor"][0].get<double>() == Approx(0.603827));
  CHECK(red["pbrMetallicRoughness"]["baseColorFactor"][1].get<double>() == Approx(0.0100228).epsilon(1e-5));
  // Own colours: red, the translucent one and none; of instances: three.
  CHECK(root["materials"].size() == 6);
  CHECK(root["nodes"][0]["name"] == "all \"sorts\"\n");
  CHECK(root["nodes"][1]["name"] == "top/#\"\\\t\n\x01\xC3\xA4\xEF\xBF\xBD");
}

TEST_CASE("a glTF file of nothing is one node", "[io][gltf]") {
  Assembly nothing("nothing");
  CHECK(checkedTriangles(written(nothing)).empty());
  nothing.addNode("empty", {}, std::nullopt, nothing.addPart(emptyMesh()));
  CHECK(checkedTriangles(written(nothing)).empty());
}

TEST_CASE("what glTF cannot hold is refused, and nothing is written", "[io][gltf]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "a.glb";
  const auto problem = [&](const Assembly& assembly, std::uint64_t largest = largestGltf) {
    const std::string message = messageOf<InputError>([&] { writeGltf(file, assembly, {}, largest); });
    CHECK(message.starts_with(file.string() + ": "));
    CHECK(folder.entryCount() == 0);
    return message;
  };
  Assembly odd = awkwardAssembly();
  odd.setUnit("parsec");
  CHECK_THAT(problem(odd), Catch::Contains("unit 'parsec'"));
  for (const Transform& placement : {Transform::translation({0, 1e39, 0}), Transform::scaling(1, 1e-60, 1)}) {
    Assembly lost;
    const NodeId top = lost.addNode("top", {});
    lost.addNode("a/b", placement, top, lost.addPart(box(1, 1, 1)));
    CHECK_THAT(problem(lost), Catch::Contains("node 'top/a%2Fb'"));
  }
  // The limit counts every byte.
  const Assembly sample = awkwardAssembly();
  writeGltf(file, sample);
  const std::uint64_t size = std::filesystem::file_size(file);
  writeGltf(file, sample, {}, size);
  std::filesystem::remove(file);
  CHECK_THAT(problem(sample, size - 1), Catch::Contains("more than " + std::to_string(size - 1) + " bytes"));
  CHECK_THAT(problem(sample, 100), Catch::Contains("more than 100 bytes"));
}

TEST_CASE("writing glTF can be cancelled at any look, with nothing written", "[io][gltf]") {
  const TemporaryFolder folder;
  const Assembly assembly = awkwardAssembly();
  Looks all;
  writeGltf(folder / "a.glb", assembly, all.progress());
  std::filesystem::remove(folder / "a.glb");
  REQUIRE(all.count() > 5);
  for (std::size_t i = 1; i <= all.count(); ++i) {
    Looks some(i);
    CHECK_THROWS_AS(writeGltf(folder / "a.glb", assembly, some.progress()), CancelledError);
    CHECK(folder.entryCount() == 0);
  }
}

#if defined(FITUP_HAS_ASSIMP)
namespace {

Model readBack(const Glb& glb) {
  const TemporaryFolder folder;
  glb.write(folder / "a.glb");
  return import(folder / "a.glb");
}

void compareParts(const TriangleMesh& before, const TriangleMesh& after) {
  CHECK(after.name() == validUtf8(before.name()));
  REQUIRE(after.surfaces().size() == before.surfaces().size());
  for (std::size_t s = 0; s < before.surfaces().size(); ++s) {
    const Surface &x = before.surfaces()[s], &y = after.surfaces()[s];
    CHECK(y.name == validUtf8(x.name));
    CHECK(y.colour == x.colour);
    CHECK(y.firstTriangle == x.firstTriangle);
    CHECK(y.triangleCount == x.triangleCount);
  }
  REQUIRE(after.triangleCount() == before.triangleCount());
  bool same = true;
  for (std::size_t i = 0; i < before.triangleCount(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      same =
          same && before.pointInPart(before.triangles()[i][k]) == after.pointInPart(after.triangles()[i][k]);
  CHECK(same);  // bit by bit
}

/// Compares nodes in the order of the tree, names as readers clean them, placements bit by bit.
void compareAssemblies(const Assembly& before, const Assembly& after) {
  CHECK(after.unit() == before.unit());
  CHECK(after.upAxis() == before.upAxis());
  std::map<PartId, PartId> partAfter;
  const std::function<void(NodeId, NodeId)> compare = [&](NodeId x, NodeId y) {
    const AssemblyNode &a = before.node(x), &b = after.node(y);
    INFO(before.path(x));
    CHECK(b.name == validUtf8(a.name));
    CHECK(b.parentFromNode == a.parentFromNode);
    CHECK(b.colour == a.colour);
    REQUIRE(b.part.has_value() == a.part.has_value());
    if (a.part) {
      const auto [found, isNew] = partAfter.emplace(*a.part, *b.part);
      CHECK(found->second == *b.part);
      if (isNew) compareParts(before.part(*a.part), after.part(*b.part));
    }
    REQUIRE(b.children.size() == a.children.size());
    for (std::size_t i = 0; i < a.children.size(); ++i) compare(a.children[i], b.children[i]);
  };
  const std::vector<NodeId> x = rootsOf(before), y = rootsOf(after);
  REQUIRE(y.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) compare(x[i], y[i]);
  CHECK(after.partCount() == partAfter.size());
}

}  // namespace

TEST_CASE("an assembly that was written as glTF is read as it was", "[importers][gltf]") {
  std::vector<Assembly> assemblies{awkwardAssembly(), sampleModel().assembly};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    assemblies.push_back(randomAssembly(seed, 25));
    assemblies.back().setUpAxis(static_cast<UpAxis>(seed % 3));
    assemblies.back().setUnit(std::array{"mm", "m", "in", "ft"}[seed % 4]);
  }
  for (const Assembly& assembly : assemblies) {
    INFO(assembly.name());
    const Model back = readBack(written(assembly));
    CHECK(back.warnings.empty());
    compareAssemblies(assembly, back.assembly);
  }
}

TEST_CASE("notes in a glTF file that its geometry does not bear out move and colour nothing",
          "[importers][gltf]") {
  const Assembly assembly = awkwardAssembly();
  const Glb glb = written(assembly);
  const std::vector<Corners> expected = trianglesOf(assembly);
  const auto check = [&](const std::string& what, const std::function<void(json&)>& change) {
    INFO(what);
    Glb changed = glb;
    change(changed.root);
    REQUIRE(changed.root != glb.root);
    const Model back = readBack(changed);
    CHECK(relativeDistance(trianglesOf(back.assembly), expected) <= 1e-6);
    return back.assembly;
  };
  const auto notes = [](json& element) -> json& { return element["extras"]["fitup"]; };
  check("other placements", [&](json& root) {
    for (json& node : root["nodes"])
      if (node.contains("extras") && notes(node).contains("placement"))
        for (json& number : notes(node)["placement"]) number = number.get<double>() + 1e-3;
  });
  check("other origins", [&](json& root) {
    for (json& mesh : root["meshes"]) notes(mesh)["origin"] = {1, 2, 3};
  });
  const Assembly metric = check("another unit", [&](json& root) { notes(root["nodes"][0])["unit"] = "mm"; });
  CHECK(metric.unit() == "m");
  CHECK(metric.upAxis() == UpAxis::y);
  CHECK(check("another axis", [&](json& root) { notes(root["nodes"][0])["up"] = "x"; }).unit() == "m");
  check("one part", [&](json& root) {
    for (json& mesh : root["meshes"]) notes(mesh)["part"] = 0;
  });
  check("fewer surfaces", [&](json& root) { notes(root["meshes"][0])["surfaces"].erase(1); });
  check("fewer empty surfaces", [&](json& root) { notes(root["meshes"][0])["surfaces"].erase(0); });
  check("all inner", [&](json& root) {
    for (json& node : root["nodes"]) notes(node)["inner"] = true;
  });
  const Assembly bare = check("no notes", [&](json& root) {
    for (const char* list : {"nodes", "meshes", "materials"})
      for (json& element : root[list]) element.erase("extras");
  });
  CHECK(bare.unit() == "m");

  const Assembly painted = check("painted", [&](json& root) {
    for (json& material : root["materials"]) {
      material["pbrMetallicRoughness"]["baseColorFactor"] = {0, 0, 0, 1};
      material.erase("extras");
    }
  });
  for (const NodeId id : painted.instances()) {
    CHECK((!painted.node(id).colour || painted.meshOf(id).triangleCount() == 0));
    for (const Surface& surface : painted.meshOf(id).surfaces())
      if (surface.triangleCount > 0) CHECK(surface.colour == Colour{0, 0, 0, 1});
  }
}

TEST_CASE("what another program moved in a glTF file is where it was moved", "[importers][gltf]") {
  Assembly assembly("one");
  assembly.addNode("a", Transform::translation({1, 2, 3}), std::nullopt,
                   assembly.addPart(twoColoured("far", {1e5, 0, 0})));
  Glb glb = written(assembly);
  glb.root["nodes"][1]["matrix"][13] = glb.root["nodes"][1]["matrix"][13].get<double>() + 0.25;
  const Assembly back = readBack(glb).assembly;
  CHECK(back.unit() == "mm");
  CHECK(back.node(back.at("a")).parentFromNode == Transform::translation({1, 2.25, 3}));
}

TEST_CASE("assimp finds in a glTF file that was written what this project counts", "[importers][gltf]") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Assembly assembly = seed == 0 ? awkwardAssembly() : randomAssembly(seed, 30);
    INFO(assembly.name());
    const TemporaryFolder folder;
    writeGltf(folder / "a.glb", assembly);
    importers::ProgressLines silent(nullptr);
    const importers::AssimpFile file(folder / "a.glb", "glTF", silent);
    CHECK(file.complaints().empty());
    std::vector<Corners> triangles;
    std::size_t shown = 0;
    const std::function<void(const aiNode&, const aiMatrix4x4&)> visit = [&](const aiNode& node,
                                                                             const aiMatrix4x4& above) {
      const aiMatrix4x4 world = above * node.mTransformation;
      shown += node.mNumMeshes > 0;
      for (unsigned m = 0; m < node.mNumMeshes; ++m) {
        const aiMesh& mesh = *file.scene().mMeshes[node.mMeshes[m]];
        CHECK(mesh.mNumFaces > 0);
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
          REQUIRE(mesh.mFaces[f].mNumIndices == 3);
          Corners& corners = triangles.emplace_back();
          for (unsigned k = 0; k < 3; ++k) {
            const aiVector3D p = world * mesh.mVertices[mesh.mFaces[f].mIndices[k]];
            corners[k] = {p.x, p.y, p.z};
          }
          if (world.Determinant() < 0) std::swap(corners[1], corners[2]);
        }
      }
      for (unsigned i = 0; i < node.mNumChildren; ++i) visit(*node.mChildren[i], world);
    };
    visit(*file.scene().mRootNode, {});
    std::size_t instances = 0, primitives = 0;
    std::set<std::pair<PartId, std::string>> seen;
    for (const NodeId id : assembly.instances()) {
      if (assembly.meshOf(id).triangleCount() == 0) continue;
      ++instances;
      const auto& colour = assembly.node(id).colour;
      const std::string look = colour ? std::to_string(colour->red) + std::to_string(colour->alpha) : "";
      if (!seen.emplace(assembly.partOf(id), look).second) continue;
      for (const Surface& surface : assembly.meshOf(id).surfaces()) primitives += surface.triangleCount > 0;
    }
    CHECK(shown == instances);
    CHECK(file.scene().mNumMeshes == primitives);
    CHECK(relativeDistance(triangles, trianglesOf(assembly)) <= 2e-6);  // computed in 32 bits
  }
}
#endif

}  // namespace gltf_export_tests
