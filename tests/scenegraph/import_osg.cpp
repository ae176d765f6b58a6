// Tests files of OpenSceneGraph through the importer process, as the command line reads them.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>
#include <osg/AutoTransform>
#include <osg/Camera>
#include <osg/LOD>
#include <osg/Sequence>
#include <osgDB/ObjectWrapper>
#include <osgDB/Registry>
#include <osgDB/WriteFile>
#include <osgText/Text3D>
#include <osgText/Text>

#include <fitup/base/error.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/scene_assembly.h>
#include <support/import_checks.h>
#include <support/random_assembly.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>
#include <support/test_data.h>

#include "import_osg.h"

namespace import_osg_tests {

#if defined(FITUP_OSG_IMPORTER)
TEST_CASE("an assembly that went through .osgb is the same for the command line") {
  const TemporaryFolder folder;
  const fitup::Assembly assembly = fitup::test::randomAssembly(7, 12);
  const osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
  write(*scene, folder / "crowd.osgb");
  const Model model = import(folder / "crowd.osgb");
  CHECK(model.assembly.contentHash() == createAssembly(*scene).assembly().contentHash());
  CHECK(model.assembly.unit() == assembly.unit());
  CHECK(model.collisionModels.size() == model.assembly.partCount());
}

TEST_CASE("a model that is stored with a part is used only if it is of what is drawn") {
  const TemporaryFolder folder;
  const fitup::Assembly assembly = fitup::test::randomAssembly(7, 12);
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    const auto file = folder / ("scene." + extension);
    const auto forged = [&](const std::string& how, const auto& change) {
      INFO(extension << ", " << how);
      const osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
      PartNode* const part = partNodesBelow(*scene).front();
      change(*part, *partModelOf(*part));
      const auto drawn = osgFitup::test::trianglesByOsg(*scene).size();
      write(*scene, file);
      const Model model = import(file);
      CHECK(fitup::test::countsOf(model).triangles == drawn);
      const bool isSaid = std::any_of(model.warnings.begin(), model.warnings.end(), [](const auto& w) {
        return w.message.find("its stored model is replaced") != std::string::npos;
      });
      CHECK(isSaid == (how != "honest"));
      CHECK_FALSE(fitup::test::isIncomplete(model));
      if (how == "honest") CHECK(model.assembly.partCount() == createAssembly(*scene).assembly().partCount());
    };
    // Its first point shifted, its last triangles left out.
    const auto changed = [](const PartModel& model, double shift, std::uint32_t left) {
      const fitup::TriangleMesh& mesh = model.getCollisionModel()->mesh();
      fitup::TriangleMeshBuilder builder("forged");
      for (std::uint32_t p = 0; p < mesh.points().size(); ++p)
        builder.addPoint(mesh.pointInPart(p) + fitup::Vec3{p == 0 ? shift : 0, 0, 0});
      for (const fitup::Surface& surface : mesh.surfaces()) {
        builder.beginSurface(surface.name);
        for (std::uint32_t t = 0; t + left < surface.triangleCount; ++t) {
          const auto corners = mesh.triangles()[surface.firstTriangle + t];
          builder.addTriangle(corners[0], corners[1], corners[2], surface.firstTriangle + t);
        }
      }
      return fitup::CollisionModel::build(std::make_shared<const fitup::TriangleMesh>(builder.build()));
    };
    const auto give = [](PartNode& part, const PartModel& old,
                         const std::shared_ptr<const fitup::CollisionModel>& model) {
      setPartModel(part, new PartModel(model, old.getSurfacePaths(), old.getPrimitiveNumbering()));
    };
    forged("honest", [](PartNode&, PartModel&) {});
    forged("a point moved by a thousandth of the part", [&](PartNode& part, PartModel& model) {
      const fitup::Box box = model.getCollisionModel()->mesh().boundsInPart();
      give(part, model, changed(model, norm(box.max - box.min) / 1000, 0));
    });
    forged("a triangle left out",
           [&](PartNode& part, PartModel& model) { give(part, model, changed(model, 0, 1)); });
    forged("a surface left out", [&](PartNode& part, PartModel& model) {
      part.addChild(osgFitup::test::boxGeometry({}, 1));
      (void)model;
    });
    forged("drawn elsewhere", [&](PartNode& part, PartModel&) {
      const osg::ref_ptr<osg::MatrixTransform> shift =
          new osg::MatrixTransform(osg::Matrix::translate(0, 0, 1));
      shift->addChild(part.getChild(0));
      part.setChild(0, shift);
    });
  }
}

TEST_CASE("scenes without parts are cut into parts, in the unit that is given") {
  const TemporaryFolder folder;
  for (const std::string extension : {"osgb", "osgt", "osgx", "osg", "ive"}) {
    INFO(extension);
    const auto file = folder / ("boxes." + extension);
    write(*twoBoxes(), file);
    fitup::ReadOptions options;
    options.unit = "m";
    const Model model = import(file, options);
    CHECK(model.assembly.name() == "boxes");
    CHECK(model.assembly.unit() == "m");
    CHECK(model.assembly.instances().size() == 2);
    CHECK(model.assembly.partCount() == 1);
    CHECK(norm(model.assembly.worldFromNode(model.assembly.at("b")).t - fitup::Vec3{0.3, 1.1, 0}) < 1e-6);
    CHECK(checkAllPairs(sceneOf(model)).intersects());
  }
}

TEST_CASE("a part that cannot be built makes the answer on a file incomplete") {
  const TemporaryFolder folder;
  for (const auto& [problem, geometry] : osgFitup::test::unusableGeometries()) {
    INFO(problem);
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(osgFitup::test::placed("good", {}, osgFitup::test::boxGeometry({}, 2)));
    scene->addChild(osgFitup::test::placed("apart", {}, osgFitup::test::boxGeometry({50, 0, 0}, 2)));
    scene->addChild(osgFitup::test::placed("bad", {}, geometry));
    write(*scene, folder / "scene.osgb");
    const Model model = import(folder / "scene.osgb");
    CHECK(model.assembly.instances().size() == 2);
    REQUIRE(model.warnings.size() == 1);
    CHECK(model.warnings[0].incomplete);
    CHECK(model.warnings[0].element == "scene/bad/Geometry");
    const auto check = checkedIn(folder, "scene.osgb");
    INFO(check.text());
    CHECK(check.exitCode == 3);
  }
}

TEST_CASE("what is drawn later, elsewhere or more than once makes the answer on a file incomplete") {
  const TemporaryFolder folder;
  const auto exitCodeWith = [&](osg::Node* node) {
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(osgFitup::test::placed("good", {}, osgFitup::test::boxGeometry({}, 2)));
    scene->addChild(osgFitup::test::placed("apart", {}, osgFitup::test::boxGeometry({50, 0, 0}, 2)));
    scene->addChild(node);
    write(*scene, folder / "scene.osgb");
    return checkedIn(folder, "scene.osgb").exitCode;
  };
  const osg::Vec3 away(9, 9, 9);
  const osg::ref_ptr<osg::Geometry> copies = osgFitup::test::boxGeometry(away, 1),
                                    box = osgFitup::test::boxGeometry(away, 1);
  CHECK(exitCodeWith(box) == 0);
  copies->getPrimitiveSet(0)->setNumInstances(2);
  CHECK(exitCodeWith(copies) == 3);
  const osg::ref_ptr<osg::Camera> view = new osg::Camera;
  CHECK(exitCodeWith(view) == 0);
  view->addChild(box);
  CHECK(exitCodeWith(view) == 3);
  const osg::ref_ptr<osg::Sequence> sequence = new osg::Sequence;
  sequence->addChild(box, 1);
  CHECK(exitCodeWith(sequence) == 3);
  osgDB::ObjectWrapper* const morph =
      osgDbOfThisBuild().getObjectWrapperManager()->findWrapper("osgAnimation::MorphGeometry");
  REQUIRE(morph != nullptr);
  const osg::ref_ptr<osg::Object> deformed = morph->createInstance();
  deformed->asNode()->asDrawable()->asGeometry()->setVertexArray(box->getVertexArray());
  deformed->asNode()->asDrawable()->asGeometry()->addPrimitiveSet(box->getPrimitiveSet(0));
  CHECK(exitCodeWith(deformed->asNode()) == 3);
  // A rig before its first update; OSG cannot write it without bones.
  const osg::ref_ptr<osg::Geometry> rig = osgFitup::test::boxGeometry(away, 1);
  const osg::ref_ptr<osg::Group> rigged = twoBoxes();
  rigged->addChild(rig);
  rigged->removeChild(1);
  write(*rigged, folder / "rig.osgt");
  std::string text = fitup::test::readText(folder / "rig.osgt");
  const std::size_t last = text.rfind("osg::Geometry {");
  REQUIRE(last != std::string::npos);
  fitup::test::writeText(folder / "rig.osgt", text.replace(last, std::string("osg::Geometry").size(),
                                                           "osgAnimation::RigGeometry"));
  const auto rigChecked = checkedIn(folder, "rig.osgt");
  INFO(rigChecked.text());
  CHECK(rigChecked.exitCode == 3);
  CHECK(rigChecked.err.find("RigGeometry") != std::string::npos);
  // With or without a mode.
  const osg::ref_ptr<osg::AutoTransform> automatic = new osg::AutoTransform;
  CHECK(exitCodeWith(automatic) == 0);
  automatic->addChild(box);
  CHECK(exitCodeWith(automatic) == 3);
  automatic->setAutoRotateMode(osg::AutoTransform::ROTATE_TO_SCREEN);
  CHECK(exitCodeWith(automatic) == 3);
  const osg::ref_ptr<osgText::Text> label = new osgText::Text;
  label->setText("label");
  CHECK(exitCodeWith(label) == 0);
  const osg::ref_ptr<osgText::Text3D> solid = new osgText::Text3D;
  CHECK(exitCodeWith(solid) == 0);
  solid->setText("label");
  CHECK(exitCodeWith(solid) == 3);
}

TEST_CASE("a COLLADA file is in its own unit, and z is up as its plugin turns it") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& asset) {
    fitup::test::writeText(folder / "a.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
                                                 asset + R"(<up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="9">0 0 0 1 0 0 0 2 0</float_array>
<technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION"
source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n" name="n">
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
    fitup::ReadOptions options;
    options.unit = "ft";
    options.upAxis = fitup::UpAxis::y;
    return import(folder / "a.dae", options);
  };
  if (osgDB::Registry::instance()->getReaderWriterForExtension("dae") == nullptr) {
    WARN("skipped: OpenSceneGraph has no plugin for COLLADA");
    return;
  }
  for (const auto& [asset, unit] : {std::pair{R"(<unit name="meter" meter="1"/>)", "m"},
                                    {R"(<unit meter='0.0254' name='inch'/>)", "in"},
                                    {R"(<unit meter="1.0e-3"/>)", "mm"},
                                    {R"(<!-- <unit meter="0.001"/> --><unit meter="1"/>)", "m"},
                                    {"", "m"}}) {
    const Model model = read(asset);
    CHECK(model.assembly.unit() == unit);
    CHECK(model.assembly.upAxis() == fitup::UpAxis::z);
    REQUIRE(model.assembly.instances().size() == 1);
    const fitup::Box box = model.assembly.worldBounds(model.assembly.instances().front());
    CHECK(box.max.x == Approx(1));
    CHECK(box.max.z == Approx(2));
  }
  for (const char* asset : {R"(<unit meter="2.5"/>)", R"(<unit meter="one"/>)"})
    CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)read(asset); }),
               Catch::Contains("is not one of mm, cm, m, in, ft"));
}

TEST_CASE("what OpenSceneGraph cannot read is refused with a reason") {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& name, std::string_view text) {
    fitup::test::writeText(folder / name, text);
    return fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / name); });
  };
  CHECK_THAT(problem("empty.osgb", ""), Catch::Contains("empty.osgb: refused: "));
  CHECK_THAT(problem("other.osgt", "solid cube"), Catch::Contains("other.osgt: refused: "));
  write(*twoBoxes(), folder / "good.osgb");
  const std::string good = fitup::test::readText(folder / "good.osgb");
  CHECK_THAT(problem("cut.osgb", std::string_view(good).substr(0, good.size() / 2)),
             Catch::Contains("cut.osgb: "));
  const osg::ref_ptr<osg::Group> nothing = new osg::Group;
  write(*nothing, folder / "nothing.osgt");
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / "nothing.osgt"); }),
             Catch::EndsWith("refused: holds no triangles"));
  const osg::ref_ptr<osg::LOD> far = new osg::LOD;
  far->addChild(osgFitup::test::boxGeometry({}, 2), 10, 100);
  write(*far, folder / "far.osgb");
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / "far.osgb"); }),
             Catch::Contains("refused: holds no triangles; far: left out: no level of detail"));
  fitup::ReadOptions elsewhere;
  elsewhere.useCache = false;
  elsewhere.importerFolder = folder.path();
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>(
                 [&] { (void)readAssembly(folder / "good.osgb", elsewhere); }),
             Catch::Contains("fitup-import-osg is not installed in "));
}

TEST_CASE("the command line checks files of OpenSceneGraph") {
  const TemporaryFolder folder;
  write(*twoBoxes(), folder / "boxes.osgb");
  const auto check = checkedIn(folder, "boxes.osgb");
  INFO(check.text());
  CHECK(check.exitCode == 1);
  CHECK_THAT(check.out, Catch::Contains("1 pair of parts intersect") && Catch::Contains("a  x  b"));
}

TEST_CASE("each OSG file of the test data opens with the triangles that its origin lists, or is refused") {
  const auto folder = fitup::test::sharedData("osg");
  if (!folder) {
    WARN("skipped: OSG files do not exist");
    return;
  }
  const std::map<std::string, std::size_t> triangles{
      {"box.osgt", 192},        {"block.osg", 12},   {"com.osg", 456},        {"compound.osg", 36},
      {"concave.osg", 32},      {"dice.osg", 524},   {"hand.osg", 8694},      {"offcube.osg", 12},
      {"tetra.osg", 4},         {"cube.osg", 12},    {"dectest20.ive", 8936}, {"dectest21.osg", 4456},
      {"pliers-big.osg", 4141}, {"slider.osg", 190}, {"testuniqifier.osg", 0}};
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const auto expected = triangles.find(entry.path().filename().string());
    if (expected == triangles.end()) continue;
    INFO(entry.path().string());
    ++seen;
    if (expected->second > 0)
      CHECK(fitup::test::countsOf(import(entry.path())).triangles == expected->second);
    else
      CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(entry.path()); }),
                 Catch::Contains("refused: holds no triangles"));
  }
  CHECK(seen == triangles.size());
}
#endif

}  // namespace import_osg_tests
