// Tests files that an OpenSceneGraph file refers to: read with it, later, once, or missing.
#include <osg/PagedLOD>
#include <osg/Switch>

#include "import_osg.h"

namespace import_osg_references_tests {

#if defined(FITUP_OSG_IMPORTER)
using namespace import_osg_tests;

TEST_CASE("files that a scene refers to are read with it, or said to be missing") {
  const TemporaryFolder folder;
  write(*twoBoxes(), folder / "inner.osgb");
  const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
  proxy->setFileName(0, "inner.osgb");
  const osg::ref_ptr<osg::Group> outer = new osg::Group;
  outer->addChild(osgFitup::test::placed("c", {}, osgFitup::test::boxGeometry({9, 9, 9}, 1)));
  outer->addChild(proxy);
  write(*outer, folder / "outer.osgt");
  const Model whole = import(folder / "outer.osgt");
  CHECK(whole.assembly.instances().size() == 3);
  REQUIRE(whole.source.referencedFiles.size() == 1);
  CHECK(whole.source.referencedFiles[0].path == "inner.osgb");
  CHECK_FALSE(fitup::test::isIncomplete(whole));

  std::filesystem::remove(folder / "inner.osgb");
  const Model part = import(folder / "outer.osgt");
  CHECK(part.assembly.instances().size() == 1);
  REQUIRE(fitup::test::isIncomplete(part));
  CHECK(part.warnings[0].element == "external file inner.osgb");
}

TEST_CASE("what a model file lacks is missing from the scene that refers to it") {
  const TemporaryFolder folder;
  writeBox(folder / "near.osgb", "near", {0.3F, 1.1F, 0});
  fitup::Model model = import(folder / "near.osgb");
  for (const bool lacks : {false, true}) {
    if (lacks) model.warnings.push_back({"near", "lost a face", true});
    writeModelFile(folder / "near.fitup", model);
    writeBeside(folder / "outer.osgb", proxyOf({"near.fitup"}, osg::ProxyNode::LOAD_IMMEDIATELY));
    const Model whole = import(folder / "outer.osgb");
    CHECK(whole.assembly.instances().size() == 2);
    CHECK(fitup::test::isIncomplete(whole) == lacks);
  }
}

TEST_CASE("files that a proxy leaves to a viewer's pager are read with the scene") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER,
               osg::ProxyNode::NO_AUTOMATIC_LOADING);
  for (const std::string extension : {"osgb", "osgt", "osg", "ive"}) {
    INFO(extension << ", mode " << mode);
    const auto file = folder / ("outer." + extension);
    // .ive stores the names of its references like this.
    const std::string kind = extension == "ive" ? ".ive" : ".osgb", near = "near" + kind, far = "far" + kind;
    writeBox(folder / near, "near", {0.3F, 1.1F, 0});
    writeBox(folder / far, "far", {9, 9, 9});
    writeBeside(file, proxyOf({near, far}, mode));
    const Model whole = import(file);
    CHECK(pathsOf(whole) == Names{"b", "far", "near"});
    CHECK(referencedFilesOf(whole) == Names{far, near});
    CHECK_FALSE(fitup::test::isIncomplete(whole));
    CHECK(checkAllPairs(sceneOf(whole)).pairs.size() == 1);

    // The other one occurs once, in whatever place the reader has put it.
    std::filesystem::remove(folder / near);
    const Model part = import(file);
    CHECK(pathsOf(part) == Names{"b", "far"});
    REQUIRE(part.warnings.size() == 1);
    CHECK(part.warnings[0].incomplete);
    CHECK_THAT(part.warnings[0].element, Catch::StartsWith("external file ") && Catch::EndsWith(near));
    REQUIRE(part.source.referencedFiles.size() == 2);
    CHECK(part.source.referencedFiles[0].path == near);
    CHECK_FALSE(part.source.referencedFiles[0].digest.isKnown());
  }
}

TEST_CASE("files of a proxy are read once, whatever children of its own it has beside them") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER);
  INFO("mode " << mode);
  writeBox(folder / "far.osgb", "far", {9, 9, 9});
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry({0.3F, 1.1F, 0}, 2));

  // After reading, the child without a file name is in the place of the one with the first name.
  const osg::ref_ptr<osg::ProxyNode> mixed = proxyOf({"far.osgb", ""}, mode);
  mixed->addChild(new osg::Group);
  mixed->addChild(osgFitup::test::placed("own", {}, box));
  writeBeside(folder / "mixed.osgb", mixed);
  CHECK(pathsOf(import(folder / "mixed.osgb")) == Names{"b", "far", "own"});

  // Children may be written along with the names of their files.
  const osg::ref_ptr<osg::ProxyNode> whole = proxyOf({"far.osgb"}, mode);
  whole->addChild(osgFitup::test::placed("copy of far", {}, box));
  const osg::ref_ptr<osgDB::Options> inlined = new osgDB::Options("includeExternalReferences");
  REQUIRE(osgDB::Registry::instance()
              ->writeNode(*whole, (folder / "whole.osg").string(), inlined.get())
              .success());
  CHECK(pathsOf(import(folder / "whole.osg")) == Names{"copy of far"});
}

TEST_CASE("a deferred file that was missing and turns up makes the cache out of date") {
  const TemporaryFolder folder;
  writeBeside(folder / "outer.osgb",
              proxyOf({"tiles/near.osgb"}, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER));
  fitup::ReadOptions options;
  options.importerFolder = std::filesystem::path(FITUP_OSG_IMPORTER).parent_path();
  options.useCache = true;
  CHECK(pathsOf(readAssembly(folder / "outer.osgb", options)) == Names{"b"});
  CHECK_FALSE(readAssembly(folder / "outer.osgb", options).fromCache.empty());
  std::filesystem::create_directories(folder / "tiles");
  writeBox(folder / "tiles/near.osgb", "near", {0.3F, 1.1F, 0});
  CHECK(pathsOf(readAssembly(folder / "outer.osgb", options)) == Names{"b", "near"});
}

TEST_CASE("of a paged level of detail the finest is read, and no other") {
  const TemporaryFolder folder;
  writeBox(folder / "middle.osgb", "middle", {});
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const bool byPixels = GENERATE(false, true);
  for (const std::string extension : {"osgb", "osgt", "osg", "ive"}) {
    if (byPixels && extension == "ive") continue;  // .ive knows only distances
    INFO(extension << (byPixels ? " by pixels" : " by distance"));
    const osg::ref_ptr<osg::PagedLOD> levels = new osg::PagedLOD;
    const osg::ref_ptr<osg::Geode> coarse = new osg::Geode;
    coarse->addDrawable(osgFitup::test::boxGeometry({9, 9, 9}, 2));
    coarse->setName("coarse");
    levels->setName("levels");
    const float farthest = 1e9F;
    if (byPixels) levels->setRangeMode(osg::LOD::PIXEL_SIZE_ON_SCREEN);
    levels->addChild(coarse, byPixels ? 0 : 100, byPixels ? 10 : farthest);
    levels->setFileName(1, "middle.osgb");
    levels->setRange(1, 10, 100);
    levels->setFileName(2, "fine.osgb");
    levels->setRange(2, byPixels ? 100 : 0, byPixels ? farthest : 10);
    const auto file = folder / ("outer." + extension);
    writeBeside(file, levels);
    const Model model = import(file);
    CHECK(pathsOf(model) == Names{"b", "levels/fine"});
    CHECK(referencedFilesOf(model) == Names{"fine.osgb"});
    CHECK_FALSE(fitup::test::isIncomplete(model));
    CHECK(checkAllPairs(sceneOf(model)).pairs.size() == 1);
  }

  std::filesystem::remove(folder / "fine.osgb");
  const Model part = import(folder / "outer.osgb");
  CHECK(pathsOf(part) == Names{"b", "levels"});
  REQUIRE(part.warnings.size() == 1);
  CHECK(part.warnings[0].incomplete);
  CHECK(part.warnings[0].element == "external file fine.osgb");
}

TEST_CASE("a level whose place another one takes in the file is reported as missing") {
  const TemporaryFolder folder;
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const osg::ref_ptr<osg::PagedLOD> levels = new osg::PagedLOD;
  const osg::ref_ptr<osg::Geode> coarse = new osg::Geode;
  coarse->addDrawable(osgFitup::test::boxGeometry({9, 9, 9}, 2));
  levels->addChild(new osg::Group, 0, 100, "fine.osgb");  // the name is written, not the group
  levels->addChild(coarse, 100, 1e9F);
  writeBeside(folder / "outer.osgb", levels);
  const Model model = import(folder / "outer.osgb");
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].incomplete);
  CHECK(model.warnings[0].element == "external file fine.osgb");
}

TEST_CASE("deferred files are looked for beside the file that names them, and read where they are active") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "tiles/deep");
  const auto deferred = osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER;
  writeBox(folder / "tiles/deep/inner.osgb", "inner", {0.3F, 1.1F, 0});
  writeBox(folder / "inner.osgb", "wrong", {});
  writeBeside(folder / "tiles/middle.osgb", proxyOf({"deep/inner.osgb"}, deferred));
  for (const ProxyMode mode : {deferred, osg::ProxyNode::LOAD_IMMEDIATELY}) {
    writeBeside(folder / "outer.osgb", proxyOf({"tiles/middle.osgb"}, mode));
    const Model model = import(folder / "outer.osgb");
    CHECK(pathsOf(model) == Names{"b#1", "b#2", "inner"});
    CHECK(referencedFilesOf(model) == Names{"tiles/deep/inner.osgb", "tiles/middle.osgb"});
    CHECK_FALSE(fitup::test::isIncomplete(model));
  }

  const osg::ref_ptr<osg::Switch> off = new osg::Switch;
  off->addChild(proxyOf({"absent.osgb"}, deferred), false);
  writeBeside(folder / "outer.osgb", off);
  const Model model = import(folder / "outer.osgb");
  CHECK(pathsOf(model) == Names{"b"});
  CHECK_FALSE(fitup::test::isIncomplete(model));
}

TEST_CASE("files that refer to each other are read once and said to be incomplete") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER);
  writeBeside(folder / "first.osgb", new osg::Group);
  writeBeside(folder / "second.osgb", proxyOf({"first.osgb"}, osg::ProxyNode::NO_AUTOMATIC_LOADING));
  writeBeside(folder / "first.osgb", proxyOf({"second.osgb"}, mode));
  const Model model = import(folder / "first.osgb");
  CHECK(pathsOf(model) == Names{"b#1", "b#2"});
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].incomplete);
  CHECK_THAT(model.warnings[0].message, Catch::Contains("refers to itself"));
}

TEST_CASE("the command line finds what lies in paged and deferred files") {
  const TemporaryFolder folder;
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const osg::ref_ptr<osg::PagedLOD> paged = new osg::PagedLOD;
  paged->setFileName(0, "fine.osgb");
  paged->setRange(0, 0, 100);
  writeBeside(folder / "paged.osgb", paged);
  writeBeside(folder / "deferred.osgb",
              proxyOf({"fine.osgb"}, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER));
  const auto exitCodeOf = [&](const std::string& file) { return checkedIn(folder, file).exitCode; };
  CHECK(exitCodeOf("paged.osgb") == 1);
  CHECK(exitCodeOf("deferred.osgb") == 1);
  std::filesystem::remove(folder / "fine.osgb");
  CHECK(exitCodeOf("paged.osgb") == 3);
  CHECK(exitCodeOf("deferred.osgb") == 3);
}
#endif

}  // namespace import_osg_references_tests
