// Tests osgText::Text3D: letters with depth, from font files beside the scene.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <catch2/catch.hpp>
#include <osgDB/FileUtils>
#include <osgDB/WriteFile>
#include <osgText/Font>
#include <osgText/Text3D>
#include <osgText/Text>

#include <fitup/mesh/watertightness.h>
#include <osgFitup/conversions.h>
#include <osgFitup/interference_visitor.h>
#include <support/run_program.h>

#include "hostile_folder.h"
#include "scene_checks.h"

namespace solid_text_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

constexpr const char* noLetters = "left out: the font of this solid text has no solid letters";

/// Returns a font of this machine; empty if there is none.
std::filesystem::path anyFont() {
  for (const char* file : {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                           "/usr/share/fonts/opentype/urw-base35/NimbusSans-Regular.otf"})
    if (std::filesystem::exists(file)) return file;
  std::cerr << "skipped: none of the fonts that solid text is tried with is installed\n";
  return {};
}

osg::ref_ptr<osgText::Text3D> letters(const std::string& words, osgText::Font* font) {
  osg::ref_ptr<osgText::Text3D> text = new osgText::Text3D;
  text->setName("letters");
  if (font != nullptr) text->setFont(font);
  text->setCharacterSize(10);
  text->setCharacterDepth(2);
  text->setText(words);
  return text;
}

bool isMissing(const CollisionModelVisitor& visitor, const std::string& message) {
  return std::any_of(visitor.getWarnings().begin(), visitor.getWarnings().end(), [&](const ImportWarning& w) {
    return w.incomplete && w.message == message && w.element == "Group/letters";
  });
}

}  // namespace

TEST_CASE(
    "solid text without solid letters, or that follows the view, is named, and without letters nothing is "
    "missing") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("part", {}, boxGeometry({}, 1)));
  const auto text = letters("label", nullptr);
  root->addChild(text);
  CHECK(isMissing(*visit(*root), noLetters));
  for (const std::string nothing : {"", "  \n "}) {
    text->setText(nothing);
    CHECK(visit(*root)->getWarnings().empty());
  }
  text->setText("label");
  text->setDrawMode(osgText::TextBase::BOUNDINGBOX);
  CHECK(visit(*root)->getWarnings().empty());
  text->setDrawMode(osgText::TextBase::TEXT | osgText::TextBase::BOUNDINGBOX);
  text->setAutoRotateToScreen(true);
  CHECK(isMissing(*visit(*root), "left out: the text follows the view"));
  text->setAutoRotateToScreen(false);
  text->setCharacterSizeMode(osgText::TextBase::SCREEN_COORDS);
  CHECK(isMissing(*visit(*root), "left out: the text follows the view"));
}

TEST_CASE("solid text is its letters, where they are drawn, closed") {
  const auto file = anyFont();
  if (file.empty()) return;
  osgDbOfThisBuild();
  const osg::ref_ptr<osgText::Font> font = osgText::readRefFontFile(file.string());
  if (!font.valid()) {
    std::cerr << "skipped: OpenSceneGraph's plugin for fonts is not there\n";
    return;
  }
  const auto text = letters("Oi8 %", font);
  for (const auto alignment :
       {osgText::TextBase::XY_PLANE, osgText::TextBase::XZ_PLANE, osgText::TextBase::YZ_PLANE}) {
    text->setAxisAlignment(alignment);
    text->setPosition({100, 20, -3});
    text->setAlignment(osgText::TextBase::CENTER_TOP);
    const auto part = placed("part", Transform::translation({1, 2, 3}), text);
    const auto visitor = visit(*part);
    CHECK(visitor->getWarnings().empty());
    REQUIRE(partModelOf(*part) != nullptr);
    const TriangleMesh& mesh = meshOf(*part);
    // OSG's bound for culling, which is 2 deep.
    const osg::BoundingBox box = text->computeBoundingBox();
    const Box bounds = mesh.boundsInPart();
    CHECK(norm(bounds.min - toVec3(osg::Vec3d(box._min))) < 1e-4);
    CHECK(norm(bounds.max - toVec3(osg::Vec3d(box._max))) < 1e-4);
    const Vec3 half = bounds.halfExtent();
    CHECK(std::min({half.x, half.y, half.z}) == Approx(1).margin(1e-4));
    const Watertightness watertightness(mesh, MeshTopology(mesh));
    INFO(fitup::text(watertightness));
    CHECK(watertightness.closed());
    CHECK(watertightness.components().size() >= 7);  // both outlines of an O, an i and its dot, 8, %
    CHECK(watertightness.volume() > 0);
  }
}

TEST_CASE("solid text interferes, and a model of other letters is out of date") {
  const auto file = anyFont();
  if (file.empty()) return;
  osgDbOfThisBuild();
  const osg::ref_ptr<osgText::Font> font = osgText::readRefFontFile(file.string());
  if (!font.valid()) return;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const auto text = letters("I", font);
  root->addChild(placed("text", {}, text));
  root->addChild(placed("box", Transform::translation({60, 4, 0}), boxGeometry({}, 1)));
  const auto isHit = [&] {
    const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    root->accept(*visitor);
    CHECK(visitor->getWarnings().empty());
    return visitor->containsInterferences();
  };
  CHECK_FALSE(isHit());
  text->setText("IIIIIIIIIIIIIIIIIIIIIIIIIIIII");
  CHECK(isHit());
  const auto model = partModelOf(*root->getChild(0))->getCollisionModel();
  CHECK(isHit());
  CHECK(partModelOf(*root->getChild(0))->getCollisionModel() == model);
  text->setPosition({0, 0, 30});
  CHECK_FALSE(isHit());
}

#if defined(FITUP_OSG_IMPORTER)
using fitup::test::ProgramResult;
using fitup::test::readText;
using fitup::test::writeText;

TEST_CASE("fonts of solid text are read in the scene's folder, and nowhere else") {
  const auto font = anyFont();
  if (font.empty()) return;
  HostileFolder folder;
  const std::string file = font.filename().string();
  std::filesystem::create_directory(folder / "fonts");
  std::filesystem::copy_file(font, folder / ("fonts/" + file));
  std::filesystem::copy_file(font, folder.outside("outside" + font.extension().string()));
  std::filesystem::create_symlink("../outside" + font.extension().string(), folder / "link.ttf");
  writeText(folder / "damaged.ttf", readText(folder / ("fonts/" + file)).substr(0, 3000));
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(namedBox("own", {}));
  root->addChild(namedBox("apart", {50, 0, 0}));
  root->addChild(placed("letters", Transform::translation({0, 0, 5}), letters("I", nullptr)));
  const auto look = [&](const std::string& scene, const std::string& problem) {
    const ProgramResult check = folder.run(FITUP_PROGRAM, {"check", scene, "--no-cache", "-q"});
    INFO(check.text());
    CHECK(check.exitCode == (problem.empty() ? 0 : 3));
    const ProgramResult info = folder.run(FITUP_PROGRAM, {"info", scene, "--no-cache", "-q"});
    CHECK((info.out.find("instances      3") != std::string::npos) == problem.empty());
    std::string said = check.err;  // wrapped to a terminal's width
    std::replace(said.begin(), said.end(), '\n', ' ');
    for (std::size_t at; (at = said.find("  ")) != std::string::npos;) said.erase(at, 1);
    CHECK((said.find(noLetters) != std::string::npos) == !problem.empty());
    CHECK(said.find(problem) != std::string::npos);
    CHECK((said.find("missing:") != std::string::npos) == !problem.empty());
  };
  for (const auto& [name, problem] :
       {std::pair<std::string, std::string>("fonts/" + file, ""),
        {"", noLetters},
        {"../outside" + font.extension().string(), "not read: it is outside the source's folder"},
        {"link.ttf", "not read: it is outside the source's folder"},
        {"gone.ttf", "font gone.ttf: is missing"},
        {font.string(), "not read: it is outside the source's folder"},
        {"damaged.ttf", "font damaged.ttf: could not be read"},
        {"http://" + folder.address() + "/a.ttf", "not read: it is a network address"},
        {"DejaVu Sans", "font DejaVu Sans: not read: a font must be a file"}}) {
    INFO(name);
    writeScene(*root, folder / "text.osgt");
    std::string scene = readText(folder / "text.osgt");
    const std::size_t at = scene.find("FontSize ");
    REQUIRE(at != std::string::npos);
    if (!name.empty()) scene.insert(at, "Font \"" + name + "\"\n");
    writeText(folder / "text.osgt", scene);
    look("text.osgt", problem);
  }
  // As OSG writes it: by the path from which the font was read.
  osgDbOfThisBuild();
  for (const auto& [place, problem] : {std::pair(folder / ("fonts/" + file), std::string()),
                                       std::pair(font, std::string("it is outside"))}) {
    const osg::ref_ptr<osgText::Font> named = osgText::readRefFontFile(place.string());
    if (!named.valid()) continue;
    root->getChild(2)->asGroup()->setChild(0, letters("I", named));
    writeScene(*root, folder / "text.osgb");
    INFO(place.string());
    look("text.osgb", problem);
  }
  CHECK(folder.damage() == "");
}
#endif

}  // namespace solid_text_tests
