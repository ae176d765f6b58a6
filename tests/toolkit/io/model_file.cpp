#include <fitup/io/model_file.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/detail/byte_stream.h>

#include "support/sample_model.h"
#include "support/sealed_model_file.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace model_file_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Whether reading a damaged copy gives the same model, or an InputError that names the file.
bool isRefusedOrSame(const std::filesystem::path& file, const Model& original) {
  try {
    return sameModel(readModelFile(file), original);
  } catch (const InputError& error) {
    return std::string(error.what()).starts_with(file.string() + ": ");
  }
}

}  // namespace

TEST_CASE("a model file gives back the same model", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  writeModelFile(folder / "a.fitup", model);
  const Model read = readModelFile(folder / "a.fitup");
  CHECK(sameModel(model, read));
  CHECK(read.assembly.contentHash() == model.assembly.contentHash());
  // A mesh that two parts share is stored once and shared again.
  CHECK(read.assembly.sharedPart(PartId(0)) == read.assembly.sharedPart(PartId(2)));
  CHECK(read.collisionModels[0] == read.collisionModels[2]);

  SECTION("writing it again gives the same bytes") {
    writeModelFile(folder / "b.fitup", read);
    CHECK(readText(folder / "a.fitup") == readText(folder / "b.fitup"));
  }
  SECTION("it may be replaced while it is mapped") {
    Model other;
    writeModelFile(folder / "a.fitup", other);
    CHECK(sameModel(model, read));
  }
  SECTION("its source can be read alone") { CHECK(readModelFileSource(folder / "a.fitup") == model.source); }
}

TEST_CASE("a model file may hold meshes only, or nothing", "[io]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  model.collisionModels.clear();
  writeModelFile(folder / "a.fitup", model);
  CHECK(sameModel(readModelFile(folder / "a.fitup"), model));
  const Model nothing = Model();
  writeModelFile(folder / "b.fitup", nothing);
  CHECK(sameModel(readModelFile(folder / "b.fitup"), nothing));
}

TEST_CASE("collision models of other meshes are not written", "[io]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  std::swap(model.collisionModels[0], model.collisionModels[1]);
  CHECK_THROWS_AS(writeModelFile(folder / "a.fitup", model), InputError);
  model.collisionModels.pop_back();
  CHECK_THROWS_AS(writeModelFile(folder / "a.fitup", model), InputError);
  CHECK(folder.entryCount() == 0);
}

TEST_CASE("arrays of a model file stay in the mapping", "[io]") {
  const TemporaryFolder folder;
  writeModelFile(folder / "a.fitup", sampleModel());
  const Model read = readModelFile(folder / "a.fitup");
  const auto entries = read.collisionModels[1]->rtrees().entries.span();
  CHECK(reinterpret_cast<std::uintptr_t>(entries.data()) % alignof(RTreeEntry) == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(read.assembly.part(PartId(1)).points().data()) % 64 == 0);
}

TEST_CASE("a model file with any one byte changed is refused or the same", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  writeModelFile(folder / "a.fitup", model);
  const std::string bytes = readText(folder / "a.fitup");
  std::fstream stream(folder / "a.fitup", std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char c) {
    stream.seekp(static_cast<std::streamoff>(at)).put(c).flush();
  };
  std::size_t bad = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    // Each bit in turn, and the whole byte.
    for (unsigned change : {1U << i % 8, 0xffU}) {
      put(i, static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ change));
      if (isRefusedOrSame(folder / "a.fitup", model)) continue;
      ++bad;
      UNSCOPED_INFO("byte " << i << " changed by " << change);
    }
    put(i, bytes[i]);
  }
  CHECK(sameModel(readModelFile(folder / "a.fitup"), model));
  CHECK(bad == 0);
}

TEST_CASE("a model file that is cut off or grown is refused", "[io]") {
  const TemporaryFolder folder;
  writeModelFile(folder / "a.fitup", sampleModel());
  const std::string bytes = readText(folder / "a.fitup");
  std::size_t accepted = 0;
  for (std::size_t size = bytes.size(); size-- > 0;) {
    std::filesystem::resize_file(folder / "a.fitup", size);
    try {
      (void)readModelFile(folder / "a.fitup");
      ++accepted;
    } catch (const InputError&) {
    }
  }
  CHECK(accepted == 0);
  writeText(folder / "b.fitup", bytes + "x");
  CHECK_THROWS_AS(readModelFile(folder / "b.fitup"), InputError);
}

TEST_CASE("of several damaged blocks that of the first mesh is named", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  // A coordinate that occurs in one mesh only, in its points first.
  const auto mark = [](int i) { return 0.7123 + 0.001 * i; };
  Model model;
  for (int i = 0; i < 40; ++i) {
    TriangleMeshBuilder builder("part");
    // The first mesh takes longest to check, so that errors of later ones come earlier.
    for (int k = 0; k < (i == 0 ? 20000 : 3); ++k)
      builder.addPoint({k == 0 ? mark(i) : 1.0 * k, 1.0 * (k % 2), 0});
    for (std::uint32_t k = 0; k + 2 < builder.pointCount(); ++k) builder.addTriangle(k, k + 1, k + 2);
    model.assembly.addPart(std::make_shared<const TriangleMesh>(builder.build()));
  }
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(file, model);
  const std::string bytes = readText(file);
  const auto damage = [&](int first) {
    std::string damaged = bytes;
    for (int i = first; i < 40; ++i) {
      const auto x = static_cast<float>(mark(i));
      const std::size_t at = damaged.find(std::string(reinterpret_cast<const char*>(&x), sizeof x));
      REQUIRE(at != std::string::npos);
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
    }
    writeText(file, damaged);
    return messageOf<Error>([&] { (void)readModelFile(file); });
  };
  for (int first : {0, 1, 17})
    for (int round = 0; round < 5; ++round)
      REQUIRE(damage(first) == file.string() + ": block points of mesh " + std::to_string(first) +
                                   ": damaged (checksum differs)");
}

TEST_CASE("blocks of a model file that share bytes are refused", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  writeModelFile(file, sampleModel());
  const std::string bytes = readText(file);
  writeText(file, sealedModelFile(bytes));
  CHECK(sameModel(readModelFile(file), sampleModel()));

  // Points of the second mesh on those of the first.
  constexpr std::uint32_t points = 5;
  ModelFileBlock first{};
  writeText(file, sealedModelFile(bytes, [&](ModelFileBlock& block) {
              if (block.kind == points && block.index == 0) first = block;
              if (block.kind == points && block.index == 1) block.offset = first.offset;
            }));
  CHECK_THAT(messageOf<InputError>([&] { (void)readModelFile(file); }),
             Catch::EndsWith("overlaps another one"));
}

TEST_CASE("errors of model files name the file and the block", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const auto message = [&] { return messageOf<Error>([&] { (void)readModelFile(file); }); };
  CHECK(message() == file.string() + ": cannot read: No such file or directory");
  writeText(file, "solid cube");
  CHECK(message() == file.string() + ": header: not a Fitup model file");

  writeModelFile(file, sampleModel());
  std::string bytes = readText(file);
  std::string other = bytes;
  other[8] = 9;
  writeText(file, other);
  CHECK(message() == file.string() + ": header: format version 9; this program reads versions 4 to 6");

  const std::size_t at = bytes.find("sample.step");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'S';
  writeText(file, bytes);
  CHECK(message() == file.string() + ": block source: damaged (checksum differs)");
  CHECK_FALSE(readModelFileSource(file));
}

namespace {

/// A box with one surface and one node.
Model oneBox() {
  const auto box = sixSidedBox(1, 2, 3);
  const std::vector<std::uint32_t> one(box->triangleCount());
  Model model;
  model.assembly.addPart(std::make_shared<const TriangleMesh>(withSurfaces(*box, one)));
  model.assembly.addNode("box", {}, {}, PartId(0));
  return model;
}

/// Leaves out what versions before 6 lack in the file of `oneBox`: layers of the node, and the chord error of
/// the surface, both absent.
void rewriteForVersion5(const std::filesystem::path& file) {
  using fitup::detail::BlockKind;
  rewriteModelFile(file, file, BlockKind::tree,
                   [](std::string& tree) { tree.resize(tree.size() - sizeof(std::uint64_t)); });
  rewriteModelFile(file, file, BlockKind::mesh, [](std::string& mesh) { mesh.pop_back(); });
}

}  // namespace

TEST_CASE("model files of version 5 are read, without layers and chord errors of surfaces", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const Model model = oneBox();
  writeModelFile(file, model);
  rewriteForVersion5(file);
  CHECK_THROWS_AS(readModelFile(file), InputError);
  writeText(file, sealedModelFile(readText(file), {}, 5));
  CHECK(sameModel(readModelFile(file), model));
}

TEST_CASE("model files of version 4 are read", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup", old = folder / "b.fitup";
  Model model = oneBox();
  model.collisionModels = buildCollisionModels(model.assembly);
  model.source = {"box.step", digestOf("box"), "linear 0.1", {{"other.stp", digestOf("other")}}};
  writeModelFile(file, model);
  // It had checksums of 8 bytes in place of digests.
  rewriteModelFile(file, old, fitup::detail::BlockKind::source, [](std::string& bytes) {
    fitup::detail::ByteWriter out;
    out.put(std::string("box.step"));
    out.put(std::uint64_t{0x1234});
    out.put(std::string("linear 0.1"));
    out.put(std::uint64_t{1});
    out.put(std::string("other.stp"));
    out.put(std::uint64_t{0x5678});
    bytes = out.bytes();
  });
  CHECK_THROWS_AS(readModelFile(old), InputError);
  rewriteForVersion5(old);
  writeText(old, sealedModelFile(readText(old), {}, 4));
  const Model read = readModelFile(old);
  // Checksums do not identify the contents.
  model.source.digest = {};
  model.source.referencedFiles[0].digest = {};
  CHECK(sameModel(read, model));
  CHECK(readModelFileSource(old) == model.source);
  writeText(old, sealedModelFile(readText(old), {}, 3));
  CHECK(messageOf<InputError>([&] { (void)readModelFile(old); }) ==
        old.string() + ": header: format version 3; this program reads versions 4 to 6");
}

TEST_CASE("exact shapes that are not one for each part are not written", "[io]") {
  const TemporaryFolder folder;
  Model model = sampleModel();
  model.exactShapes.pop_back();
  CHECK_THROWS_AS(writeModelFile(folder / "a.fitup", model), InputError);
}

TEST_CASE("what a model file says of itself has bounds", "[io][forged]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  SECTION("a rounding of coordinates that would take clashes for contact is cut off") {
    const auto box = sixSidedBox(1, 1, 1);
    TriangleMesh::Data data = box->data();
    data.validation.largestRounding = 100;
    Model model;
    const PartId part = model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data)));
    model.assembly.addNode("box", {}, std::nullopt, part);
    writeModelFile(file, model);
    CHECK(readModelFile(file).assembly.part(PartId(0)).validation().largestRounding < 1e-6);
  }
  SECTION("a tree that is too deep for those who walk down it is refused") {
    for (const int depth : {1000, 1001}) {
      Model model;
      std::optional<NodeId> parent;
      for (int i = 0; i < depth; ++i) parent = model.assembly.addNode("n", {}, parent);
      writeModelFile(file, model);
      const std::string message = messageOf<InputError>([&] { (void)readModelFile(file); });
      CHECK(message == (depth == 1000
                            ? "nothing thrown"
                            : file.string() + ": block assembly tree: node 1000: is nested more than 1000 "
                                              "levels deep"));
    }
  }
  SECTION("a unit that is no word is refused") {
    Model model;
    model.assembly.setUnit("mm\nv 1 2 3");
    writeModelFile(file, model);
    CHECK(messageOf<InputError>([&] { (void)readModelFile(file); }).ends_with("the unit is not a word"));
  }
}

TEST_CASE("fingerprints of surfaces that are no numbers are refused", "[io][forged]") {
  const auto message = [](double area, const Vec3& centroid) {
    TriangleMesh::Data data = icosphere(1, 1)->data();
    data.surfaces[0].fingerprint.area = area;
    data.surfaces[0].fingerprint.centroid = centroid;
    return messageOf<InputError>([&] { TriangleMesh mesh(std::move(data)); });
  };
  const std::string refusal = "mesh 'icosphere': surface 0: its area or centroid is not finite";
  CHECK(message(12, {0, 0, 0}) == "nothing thrown");
  CHECK(message(std::nan(""), {0, 0, 0}) == refusal);
  CHECK(message(-1, {0, 0, 0}) == refusal);
  CHECK(message(12, {0, std::nan(""), 0}) == refusal);
}

TEST_CASE("a model file that exaggerates its chord error is warned of", "[io][forged]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const auto warningsOf = [&](double chordError, Trust trust) {
    TriangleMesh::Data data = icosphere(1, 1)->data();
    data.deflection = Deflection{chordError, 0.5};
    Model model;
    model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data)));
    writeModelFile(file, model);
    Model read = readModelFile(file, {}, trust);
    writeModelFile(file, read);  // once is enough
    CHECK(readModelFile(file, {}, trust).warnings == read.warnings);
    return read.warnings;
  };
  CHECK(warningsOf(0.1, Trust::none).empty());
  CHECK(warningsOf(5, Trust::hierarchies).empty());
  const std::vector<ImportWarning> warnings = warningsOf(5, Trust::none);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].element == "icosphere");
  CHECK_THAT(warnings[0].message, Catch::StartsWith("the model file says that its chord error is 5 mm, "));
  CHECK_FALSE(warnings[0].incomplete);
}

TEST_CASE("writing a model file can be cancelled at any point and leaves the old file", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  std::vector<double> reported;
  writeModelFile(folder / "a.fitup", model,
                 Progress({}, [&](std::string_view, double fraction) { reported.push_back(fraction); }));
  REQUIRE(reported.size() > 10);
  CHECK(std::is_sorted(reported.begin(), reported.end()));
  CHECK(reported.back() == 1);
  const std::string whole = readText(folder / "a.fitup");

  const Model other;
  writeModelFile(folder / "a.fitup", other);
  const std::string old = readText(folder / "a.fitup");
  // The last report comes before the flush to the disk, which can also be cancelled.
  for (std::size_t stopAt = 1; stopAt <= reported.size(); ++stopAt) {
    std::stop_source stop;
    std::size_t reports = 0;
    const Progress cancelling(stop.get_token(), [&](std::string_view, double) {
      if (++reports == stopAt) stop.request_stop();
    });
    CHECK_THROWS_AS(writeModelFile(folder / "a.fitup", model, cancelling), CancelledError);
    CHECK(reports == stopAt);
    CHECK(readText(folder / "a.fitup") == old);
    const std::filesystem::directory_iterator files(folder / ".");
    CHECK(std::distance(begin(files), end(files)) == 1);
  }
  writeModelFile(folder / "a.fitup", model, Progress(std::stop_source().get_token()));
  CHECK(readText(folder / "a.fitup") == whole);
}

TEST_CASE("model files that fuzzing found are refused", "[io]") {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FITUP_SOURCE_DIR "/tests/fuzz/findings/model_file")) {
    INFO(entry.path());
    const std::string bytes = readText(entry.path()), sealed = sealedModelFile(bytes);
    CHECK_THROWS_AS(readModelBytes(std::as_bytes(std::span(bytes)), "input"), InputError);
    CHECK_THROWS_AS(readModelBytes(std::as_bytes(std::span(sealed)), "input"), InputError);
    ++files;
  }
  CHECK(files > 0);
}

TEST_CASE("reading a model file can be cancelled at any point", "[io]") {
  const TemporaryFolder folder;
  const Model model = sampleModel();
  writeModelFile(folder / "a.fitup", model);
  std::mutex mutex;
  std::vector<double> reported;
  CHECK(sameModel(readModelFile(folder / "a.fitup", Progress({},
                                                             [&](std::string_view, double fraction) {
                                                               const std::lock_guard lock(mutex);
                                                               reported.push_back(fraction);
                                                             })),
                  model));
  REQUIRE(reported.size() > 10);
  for (std::size_t stopAt = 1; stopAt < reported.size(); ++stopAt) {
    std::stop_source stop;
    std::atomic<std::size_t> reports{0};
    const Progress cancelling(stop.get_token(), [&](std::string_view, double) {
      if (++reports >= stopAt) stop.request_stop();
    });
    CHECK_THROWS_AS(readModelFile(folder / "a.fitup", cancelling), CancelledError);
    // Other threads may be about to report when one thread stops them.
    CHECK(reports < stopAt + std::max(1U, std::thread::hardware_concurrency()));
  }
}

TEST_CASE("long names are shortened with a warning, long paths are refused", "[io]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  const std::string name = std::string(5000, 'n'), kept = std::string(longestName - 3, 'n') + "...";
  const auto modelOf = [](const MeshPtr& mesh, const std::vector<std::string>& levels) {
    Model model;
    model.assembly.addPart(mesh);
    std::optional<NodeId> parent;
    for (const std::string& level : levels) parent = model.assembly.addNode(level, {}, parent);
    model.assembly.addNode("instance", {}, parent, PartId(0));
    return model;
  };
  SECTION("of parts, surfaces, nodes and the assembly") {
    const MeshPtr box = sixSidedBox(2, 1, 0.5, 6);
    TriangleMesh::Data data = box->data();
    data.name = name;
    data.surfaces[1].name = name;
    Model model = modelOf(std::make_shared<const TriangleMesh>(std::move(data)), {"top", name, name});
    model.warnings.push_back({std::string(100'000, 'e'), std::string(100'000, 'm'), true});
    writeModelFile(file, model);
    const Model read = readModelFile(file);
    CHECK(read.assembly.part(PartId(0)).name() == kept);
    CHECK(read.assembly.part(PartId(0)).surfaces()[1].name == kept);
    CHECK(read.assembly.path(read.assembly.instances().front()) == "top/" + kept + "/" + kept + "/instance");
    REQUIRE(read.warnings.size() == 2);
    CHECK(read.warnings[0].element.size() == longestName);
    CHECK(read.warnings[0].message.size() == longestName);
    CHECK(read.warnings[0].incomplete);
    CHECK(read.warnings[1] == ImportWarning{"node '" + std::string(61, 'n') + "...'",
                                            "its name is longer than 4096 bytes and was shortened, as were 3 "
                                            "other names",
                                            false});
    // A shortened name stays as it is.
    writeModelFile(file, read);
    CHECK(sameModel(readModelFile(file), read));
  }
  SECTION("of an assembly") {
    Model model;
    model.assembly = Assembly(name);
    writeModelFile(file, model);
    CHECK(readModelFile(file).assembly.name() == kept);
  }
  SECTION("names that become equal are distinguished as others are") {
    Model model = modelOf(sixSidedBox(2, 1, 0.5, 6), {});
    for (const char* end : {"a", "b"}) model.assembly.addNode(name + end, {}, {}, PartId(0));
    writeModelFile(file, model);
    const Model read = readModelFile(file);
    const std::vector<NodeId> instances = read.assembly.instances();
    REQUIRE(instances.size() == 3);
    CHECK(read.assembly.path(instances[1]) == kept + "#1");
    CHECK(read.assembly.find(kept + "#2") == instances[2]);
  }
  SECTION("a path of them has an end") {
    const std::vector<std::string> levels(16, std::string(1000, 'p'));
    writeModelFile(file, modelOf(sixSidedBox(2, 1, 0.5, 6), levels));
    CHECK(readModelFile(file).warnings.empty());
    std::vector<std::string> more = levels;
    more.push_back(std::string(130, '%'));  // three bytes each in a path
    writeModelFile(file, modelOf(sixSidedBox(2, 1, 0.5, 6), more));
    CHECK(messageOf<InputError>([&] { (void)readModelFile(file); }) ==
          file.string() + ": block assembly tree: node 16: its path is longer than 16384 bytes");
  }
}

}  // namespace model_file_tests
