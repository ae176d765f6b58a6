#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/scene_files.h"
#include "support/temporary_folder.h"

namespace scene_formats_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_HAS_ASSIMP)
namespace {

Model importGltf(const GltfFile& gltf) {
  const TemporaryFolder folder;
  gltf.write(folder / "a.gltf");
  return import(folder / "a.gltf");
}

std::string gltfError(const GltfFile& gltf) {
  const std::string message = messageOf<ImportError>([&] { (void)importGltf(gltf); });
  const std::size_t at = message.find("a.gltf: ");
  return at == std::string::npos ? message : message.substr(at + 8);
}

Model import3ds(const std::string& bytes) {
  const TemporaryFolder folder;
  writeText(folder / "a.3ds", bytes);
  return import(folder / "a.3ds");
}

std::string tdsError(const std::string& bytes) {
  const std::string message = messageOf<ImportError>([&] { (void)import3ds(bytes); });
  const std::size_t at = message.find("a.3ds: ");
  return at == std::string::npos ? message : message.substr(at + 7);
}

const TriangleMesh& partAt(const Model& model, const char* path) {
  return model.assembly.part(model.assembly.node(model.assembly.at(path)).part.value());
}

void checkMachine(const Model& model) {
  const Assembly& assembly = model.assembly;
  CHECK(model.warnings.empty());
  CHECK(assembly.unit() == "m");
  CHECK(assembly.upAxis() == UpAxis::y);
  CHECK(assembly.partCount() == 2);
  REQUIRE(assembly.instances().size() == 3);
  const NodeId left = assembly.at("machine/left"), right = assembly.at("machine/right"),
               other = assembly.at("machine/gehäuse");
  CHECK(assembly.node(left).part == assembly.node(other).part);
  // Rigid, although the file's quaternion has eight digits and the library computes in 32 bits.
  CHECK(assembly.node(left).parentFromNode.kind() == TransformKind::rigid);
  CHECK(assembly.node(right).parentFromNode.kind() == TransformKind::mirrored);
  const Vec3 turned = assembly.worldFromNode(left).apply({1, 0, 0});
  CHECK(turned.x == Approx(1));
  CHECK(turned.y == Approx(3));
  CHECK(turned.z == Approx(3));
  CHECK(assembly.worldFromNode(other).apply({1, 0, 0}) == Vec3{6, 0, 0});

  const TriangleMesh& two = partAt(model, "machine/left");
  CHECK(two.name() == "gehäuse");
  REQUIRE(two.surfaces().size() == 2);
  CHECK(two.surfaces()[0].name == "steel");
  CHECK(two.surfaces()[0].triangleCount == 2);
  CHECK(two.surfaces()[1].name == "brass");
  CHECK(two.surfaces()[1].triangleCount == 1);
  REQUIRE(two.surfaces()[0].colour);
  CHECK(two.surfaces()[0].colour->red == Approx(0.7354).margin(1e-3));  // linear 0.5 in sRGB
  CHECK(two.surfaces()[0].colour->green == 0);
  CHECK(partAt(model, "machine/right").name() == "plate");
  CHECK(partAt(model, "machine/right").points().size() == 4);
}

const std::vector<std::array<float, 3>> rectangle{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0}};
const std::vector<std::array<std::uint16_t, 3>> halves{{0, 1, 2}, {0, 2, 3}};

}  // namespace

TEST_CASE("nodes of a glTF file are instances, meshes are parts, primitives are surfaces", "[importers]") {
  const TemporaryFolder folder;
  const GltfFile gltf;
  gltf.write(folder / "a.gltf");
  const Model separate = import(folder / "a.gltf");
  checkMachine(separate);
  REQUIRE(separate.source.referencedFiles.size() == 1);
  CHECK(separate.source.referencedFiles[0].path == "bytes.bin");
  writeText(folder / "a.glb", gltf.binary());
  const Model whole = import(folder / "a.glb");
  checkMachine(whole);
  CHECK(whole.source.referencedFiles.empty());
}

TEST_CASE("what a glTF file declares and what does not arrive is said", "[importers]") {
  GltfFile outside;
  const std::uint16_t wrong = 77;
  std::memcpy(outside.buffer.data() + 48 + 10, &wrong, sizeof wrong);
  const Model dropped = importGltf(outside);
  CHECK(countsOf(dropped).triangles == 5);
  REQUIRE(isIncomplete(dropped));
  CHECK(dropped.warnings.back() ==
        ImportWarning{"file", "declares 8 triangles, of which 5 were read; the others are missing", true});

  GltfFile five;
  five.replace(R"("componentType": 5123, "count": 6)", R"("componentType": 5123, "count": 5)");
  CHECK(isIncomplete(importGltf(five)));

  GltfFile skinned;
  skinned.replace(R"("scene": 0,)", R"("scene": 0, "extensionsUsed": ["KHR_lights_punctual"],)");
  CHECK_FALSE(isIncomplete(importGltf(skinned)));

  GltfFile points;
  points.replace(R"("indices": 2, "material": 1)", R"("mode": 0)");
  const Model noted = importGltf(points);
  CHECK_FALSE(isIncomplete(noted));
  CHECK(noted.warnings ==
        std::vector<ImportWarning>{
            {"file", "4 points and lines are left out because only faces are checked", false}});
  CHECK(partAt(noted, "machine/left").surfaces().size() == 1);

  GltfFile scenes;
  scenes.replace(R"("scenes": [{"nodes": [0]}])", R"("scenes": [{"nodes": [2, 1]}, {"nodes": [0]}])");
  const Model first = importGltf(scenes);
  CHECK(first.assembly.instances().size() == 2);
  CHECK(first.assembly.find("left"));
  CHECK(first.warnings.size() == 1);
}

TEST_CASE("what changes the geometry of a glTF file and is not read is said", "[importers]") {
  GltfFile morphed;
  morphed.replace(
      R"({"name": "plate", "primitives": [{"attributes": {"POSITION": 0}, )",
      R"({"name": "plate", "weights": [0, 0.5], "primitives": [{"targets": [{"POSITION": 0}, {"POSITION": 0}], "attributes": {"POSITION": 0}, )");
  const Model still = importGltf(morphed);
  REQUIRE(isIncomplete(still));
  CHECK_THAT(still.warnings.front().message, Catch::Contains("morph targets"));
  morphed.replace(R"("weights": [0, 0.5])", R"("weights": [0, 0])");
  CHECK_FALSE(isIncomplete(importGltf(morphed)));

  GltfFile repeated;
  repeated.replace(R"("name": "right",)",
                   R"("name": "right", "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {}}},)");
  const Model once = importGltf(repeated);
  REQUIRE(isIncomplete(once));
  CHECK_THAT(once.warnings.front().element, Catch::Contains("'right'"));
}

TEST_CASE("names and colours of a glTF file are as the file has them", "[importers]") {
  GltfFile gltf;
  gltf.replace(R"("name": "plate")", R"("name": "plate-12")");
  gltf.replace(R"({"name": "steel", )", "{");
  const Model model = importGltf(gltf);
  CHECK(partAt(model, "machine/right").name() == "plate-12");
  const auto surfaces = partAt(model, "machine/left").surfaces();
  REQUIRE(surfaces.size() == 2);
  CHECK(surfaces[0].name.empty());
  REQUIRE(surfaces[0].colour);
  CHECK(surfaces[0].colour->green == 0);

  GltfFile bare;
  bare.replace(R"("indices": 1, "material": 0}]},)", R"("indices": 1}]},)");
  const Model plain = importGltf(bare);
  for (const Surface& surface : partAt(plain, "machine/right").surfaces()) CHECK_FALSE(surface.colour);
}

TEST_CASE("errors of glTF files name the element", "[importers]") {
  CHECK(gltfError(GltfFile().replace(R"("version": "2.0")", R"("version": "1.0")")) ==
        "refused: glTF of version 1.0, only 2 is read");
  CHECK(gltfError(GltfFile().replace("bytes.bin", "gone.bin")) ==
        "refused: external file gone.bin: is missing");
  CHECK(gltfError(GltfFile().replace(
            R"("scene": 0,)", R"("scene": 0, "extensionsRequired": ["KHR_draco_mesh_compression"],)")) ==
        "refused: needs the extension KHR_draco_mesh_compression, which is not supported");
  CHECK(gltfError(GltfFile().replace(R"("children": [1, 2, 3])", R"("children": [1, 2, 9])")) ==
        "refused: nodes[9]: is not in the file");
  CHECK(gltfError(GltfFile().replace(R"("children": [1, 2, 3])", R"("children": [1, 0, 3])")) ==
        "refused: nodes[0]: occurs twice in the tree");
  CHECK_THAT(gltfError(GltfFile().replace(R"("count": 6)", R"("count": 600)")),
             Catch::StartsWith("refused: "));
  CHECK_THAT(gltfError(GltfFile().replace(R"("scenes")", R"("scenes)")),
             Catch::StartsWith("refused: not readable as glTF: "));
  CHECK_THAT(gltfError(GltfFile().replace(R"("scale": [-1, 1, 1])", R"("scale": [0, 1, 1])")),
             Catch::Contains("node 'right'") && Catch::Contains("singular"));
  GltfFile nan;
  const float no = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(nan.buffer.data(), &no, sizeof no);
  CHECK_THAT(gltfError(nan), Catch::Contains("not finite"));

  const TemporaryFolder folder;
  const std::string whole = GltfFile().binary();
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
    writeText(folder / "a.glb", std::string_view(whole).substr(0, size));
    CHECK_THAT(messageOf<ImportError>([&] { (void)import(folder / "a.glb"); }), Catch::Contains("refused: "));
  }
}

TEST_CASE("buffers outside of a glTF file's folder are not read", "[importers]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "in");
  GltfFile().write(folder / "whole.gltf");  // with its buffer beside it
  const auto errorFor = [&](const std::string& uri) {
    GltfFile gltf;
    gltf.replace("bytes.bin", uri);
    writeText(folder / "in/a.gltf", gltf.json);
    return messageOf<ImportError>([&] { (void)import(folder / "in/a.gltf"); });
  };
  std::filesystem::create_symlink("../bytes.bin", folder / "in/link.bin");
  std::filesystem::create_directories(folder / "elsewhere/sub");
  std::filesystem::create_directory_symlink("../elsewhere/sub", folder / "in/folder");
  std::filesystem::copy_file(folder / "bytes.bin", folder / "elsewhere/bytes.bin");
  std::filesystem::create_symlink("../bytes.bin", folder / "in/a\\b");
  for (const std::string uri : {"../bytes.bin", "%2e%2e/bytes.bin", "..\\\\bytes.bin", "link.bin"}) {
    INFO(uri);
    CHECK_THAT(errorFor(uri), Catch::Contains("is outside the file's folder and is not read"));
  }
  // The file that is opened is the one that was checked, not where these names lead.
  for (const std::string uri : {"folder/../bytes.bin", "a\\\\b"}) {
    INFO(uri);
    CHECK_THAT(errorFor(uri), Catch::Contains("is missing"));
  }
  CHECK_THAT(errorFor((folder / "bytes.bin").string()), Catch::Contains("is outside the file's folder"));
}

TEST_CASE("URIs of glTF files are decoded, and a byte-order mark is no obstacle", "[importers]") {
  const TemporaryFolder folder;
  GltfFile gltf;
  std::filesystem::create_directory(folder / "a%20folder");
  gltf.write(folder / "a%20folder/a%20.gltf");
  std::filesystem::rename(folder / "a%20folder/bytes.bin", folder / "a%20folder/my buf#1.bin");
  gltf.replace("bytes.bin", "my%20buf%231.bin");
  writeText(folder / "a%20folder/a%20.gltf", "\xEF\xBB\xBF" + gltf.json);
  const Model model = import(folder / "a%20folder/a%20.gltf");
  checkMachine(model);
  REQUIRE(model.source.referencedFiles.size() == 1);
  CHECK(model.source.referencedFiles[0].path == "my buf#1.bin");
}

TEST_CASE("objects of a 3DS file are parts, materials are surfaces", "[importers]") {
  const Model model = import3ds(tdsFile({{"plate", rectangle, halves, {{"steel", {0}}, {"brass", {1}}}},
                                         {"nothing", rectangle, {}, {}},
                                         {"lid", rectangle, halves, {}}}));
  CHECK(model.warnings.empty());
  CHECK(model.assembly.unit() == "mm");
  REQUIRE(model.assembly.instances().size() == 2);
  const TriangleMesh& plate = partAt(model, "plate");
  REQUIRE(plate.surfaces().size() == 2);
  CHECK(plate.surfaces()[0].name == "steel");
  CHECK(plate.surfaces()[0].colour == Colour{1, 0, 0, 1});
  CHECK(plate.surfaces()[1].colour == Colour{0, 0, 1, 1});
  CHECK(plate.points().size() == 4);
  CHECK(partAt(model, "lid").surfaces().size() == 1);
  // The file's axes are kept.
  const Box box = model.assembly.worldBounds(model.assembly.at("lid"));
  CHECK(box.max.y == Approx(2));
  CHECK(box.max.z == Approx(0).margin(1e-6));
}

TEST_CASE("nodes of a 3DS file's keyframer are instances", "[importers]") {
  const Model model =
      import3ds(tdsFile({{"plate", rectangle, halves, {}}, {"lid", rectangle, halves, {}}},
                        {{"plate", -1, {0, 0, 0}}, {"lid", 0, {10, 0, 0}}, {"lid", 0, {20, 0, 0}}}));
  CHECK(model.warnings.empty());
  CHECK(model.assembly.partCount() == 2);
  REQUIRE(model.assembly.instances().size() == 3);
  for (const auto& [path, x] : {std::pair{"plate/lid#1", 11.0}, {"plate/lid#2", 21.0}}) {
    CHECK(model.assembly.worldFromNode(model.assembly.at(path)).apply({1, 2, 0}) == Vec3{x, 2, 0});
    CHECK(partAt(model, path).name() == "lid");
  }
  // The keyframer does not show an object without a node of its own, but the object is in the file.
  const Model hidden = import3ds(tdsFile({{"plate", rectangle, halves, {}}, {"lid", rectangle, halves, {}}},
                                         {{"plate", -1, {0, 0, 0}}}));
  CHECK(hidden.warnings ==
        std::vector<ImportWarning>{
            {"object 'lid'", "declares 2 faces, of which 0 were read; the others are missing", true}});
  // A name that looks like one made up by the library.
  CHECK(import3ds(tdsFile({{"lid_inst_2", rectangle, halves, {}}}, {{"lid_inst_2", -1, {0, 0, 0}}}))
            .assembly.find("lid_inst_2"));
}

TEST_CASE("objects of a 3DS file that have one name are said", "[importers]") {
  const Model model = import3ds(tdsFile({{"lid", rectangle, halves, {}}, {"lid", rectangle, halves, {}}},
                                        {{"lid", -1, {0, 0, 0}}, {"lid", -1, {10, 0, 0}}}));
  REQUIRE(isIncomplete(model));
  CHECK(model.warnings.back() ==
        ImportWarning{
            "object 'lid'",
            "is the name of 2 objects, which cannot be distinguished: all of them are placed wherever "
            "one should be, so there may be too many parts",
            true});
}

TEST_CASE("errors of 3DS files name the object", "[importers]") {
  const std::string whole = tdsFile({{"plate", rectangle, halves, {{"steel", {0}}}}});
  CHECK(tdsError("") == "refused: the file is empty");
  CHECK(tdsError("something else") == "refused: not a 3DS file");
  CHECK_THAT(tdsError(whole.substr(0, whole.size() - 1)),
             Catch::StartsWith("refused: the file is cut off: it has "));
  CHECK(tdsError(tdsFile({{"plate", rectangle, {{0, 1, 4}}, {}}})) ==
        "refused: object 'plate': face 0: index 4 of 4 points");
  std::string damaged = whole;
  damaged[whole.find("plate") + 6 + 2] = '\x7f';  // the size of the mesh's chunk
  CHECK_THAT(tdsError(damaged), Catch::Contains("is larger than the chunk that contains it"));
}
#endif

}  // namespace scene_formats_tests
