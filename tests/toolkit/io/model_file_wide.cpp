// Tests model files whose wide trees are damaged in spite of right checksums, as by a faulty writer.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include <fitup/base/error.h>
#include <fitup/io/detail/block_file.h>
#include <fitup/io/model_file.h>
#include <fitup/query/intersect.h>

#include "support/sealed_model_file.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace model_file_wide_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::BlockKind;

namespace {

Model modelOfOnePart(WideLayout layout) {
  Model model;
  model.assembly.addPart(soup(60, 5, 0.5, 3));
  BuildOptions options;
  options.wide = WideBvhOptions{.layout = layout};
  model.collisionModels = {CollisionModel::build(model.assembly.sharedPart(PartId(0)), options)};
  return model;
}

}  // namespace

TEST_CASE("model files keep wide trees of either layout", "[io][wide]") {
  const TemporaryFolder folder;
  const ModelPtr other = modelOf(soup(50, 6, 0.5, 2));
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    const Model model = modelOfOnePart(layout);
    writeModelFile(folder / "a.fitup", model);
    const Model read = readModelFile(folder / "a.fitup");
    const WideBvh& tree = read.collisionModels[0]->wide();
    CHECK(tree.layout == layout);
    CHECK(tree.bytes() == model.collisionModels[0]->wide().bytes());
    CHECK_FALSE(tree.problemFor(read.collisionModels[0]->mesh(), true));
    CHECK(tree.surfaces.empty() == (layout == WideLayout::compact));
    const IntersectionReport expected = intersect({model.collisionModels[0], {}}, {other, {}});
    CHECK(expected.intersects());
    CHECK(intersect({read.collisionModels[0], {}}, {other, {}}).trianglePairs == expected.trianglePairs);
  }
}

TEST_CASE("a model file may leave wide trees out", "[io][wide]") {
  const TemporaryFolder folder;
  const Model model = modelOfOnePart(WideLayout::fast);
  writeModelFile(folder / "a.fitup", model);
  rewriteModelFile(folder / "a.fitup", folder / "b.fitup", BlockKind::wideTree,
                   [](std::string& s) { s.clear(); });
  CHECK_FALSE(readModelFile(folder / "b.fitup").collisionModels[0]->hasWide());
}

TEST_CASE("damaged wide trees of model files are refused by file and block", "[io][wide][damage]") {
  const TemporaryFolder folder;
  const auto good = folder / "a.fitup", bad = folder / "b.fitup";
  const auto message = [&](BlockKind kind, const std::function<void(std::string&)>& change) {
    rewriteModelFile(good, bad, kind, change);
    return messageOf<InputError>([&] { (void)readModelFile(bad); });
  };
  const auto put = [](std::size_t at, std::uint32_t word) {
    return [at, word](std::string& bytes) { std::memcpy(bytes.data() + at, &word, sizeof word); };
  };
  const std::string tree = bad.string() + ": block wide tree of mesh 0: ", part = tree + "part 'soup': ",
                    nodes = bad.string() + ": block wide tree's nodes of mesh 0: ",
                    leaves = bad.string() + ": block wide tree's leaves of mesh 0: ",
                    cylinders = bad.string() + ": block wide tree's cylinders of mesh 0: ",
                    frames = bad.string() + ": block wide tree's frames of mesh 0: ";
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    const bool fast = layout == WideLayout::fast;
    writeModelFile(good, modelOfOnePart(layout));
    for (const std::uint32_t unknown : {7U, 0x80000000U})
      CHECK(message(BlockKind::wideTree, put(0, unknown)) == tree + "holds an unknown value");
    CHECK(message(BlockKind::wideTree, [](std::string& s) { s += '\0'; }).starts_with(tree));
    CHECK(message(BlockKind::wideNodes, [](std::string& s) { s.clear(); }) == nodes + "is missing");
    CHECK(message(BlockKind::wideNodes, [](std::string& s) { s.pop_back(); }) ==
          nodes + "is not a whole number of elements");
    CHECK(message(BlockKind::wideFrames, [](std::string& s) { s.pop_back(); }) ==
          frames + "is not a whole number of elements");
    CHECK(message(BlockKind::wideLeaves, [](std::string& s) { s.pop_back(); }) ==
          leaves + "is not a whole number of elements");
    CHECK(message(BlockKind::wideLeaves, [](std::string& s) { s.resize(s.size() - 4); }) ==
          part + "not one slot for each triangle");
    if (fast) {
      CHECK(message(BlockKind::wideCylinders, [](std::string& s) { s.clear(); }) == cylinders + "is missing");
      CHECK(message(BlockKind::wideCylinders, [](std::string& s) { s.resize(s.size() - 192); }) ==
            part + "the number of sets of cylinders is not that of nodes");
    }
    CHECK(message(BlockKind::wideFrames, put(0, 0x40000000)) == part + "the first frame is not the identity");
    // The first child of the first node.
    const std::size_t child = fast ? offsetof(WideNode, child) : offsetof(CompactWideNode, child);
    CHECK(message(BlockKind::wideNodes, put(child, 1'000'000)) == part + "node 0: child out of range");
    CHECK(message(BlockKind::wideNodes, put(child, 0)) == part + "node 0: child out of range");
    CHECK(message(BlockKind::wideNodes, put(child, 0x80000000)) == part + "node 0: leaf mask");
  }
}

}  // namespace model_file_wide_tests
