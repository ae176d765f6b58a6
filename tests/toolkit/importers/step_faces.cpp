// Tests faces that Open CASCADE does not tessellate, and whether meshes of closed solids are watertight.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

#include "support/import_checks.h"
#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace step_faces_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.15E", value);
  return text.data();
}

std::string tuple(const Vec3& v) { return "(" + number(v.x) + "," + number(v.y) + "," + number(v.z) + ")"; }

constexpr double bottom = 1.4, top = 2.4;  // radii of the frustum below, which is 1 high

/// Returns a conical frustum whose smaller circle consists of two arcs, as a solid of three faces or as its
/// cone alone. The directions of its placements are off by `noise`, as from writers that compute them: Open
/// CASCADE then makes no triangles of the cone, because it finds the seam at another period than the circles.
std::string frustum(const Transform& place, double noise, Random& random, bool isSolid) {
  std::string data;
  const auto entity = [&](int id, const std::string& text) {
    data += "#" + std::to_string(id) + "=" + text + ";\n";
  };
  const auto point = [&](int id, const Vec3& p) {
    entity(id, "CARTESIAN_POINT(''," + tuple(place.apply(p)) + ")");
  };
  const auto direction = [&](int id, const Vec3& d) {
    entity(id, "DIRECTION(''," + tuple(place.apply(d) - place.apply({}) + random.inCube(noise)) + ")");
  };
  const auto axes = [&](int id, double z) {
    point(id + 1, {0, 0, z});
    direction(id + 2, {0, 0, 1});
    direction(id + 3, {1, 0, 0});
    entity(id, "AXIS2_PLACEMENT_3D('',#" + std::to_string(id + 1) + ",#" + std::to_string(id + 2) + ",#" +
                   std::to_string(id + 3) + ")");
  };
  const auto edge = [&](int id, int from, int to, int curve) {
    entity(id, "EDGE_CURVE('',#" + std::to_string(from) + ",#" + std::to_string(to) + ",#" +
                   std::to_string(curve) + ",.T.)");
  };
  int next = 300;
  const auto face = [&](int id, int surface, bool sense, std::initializer_list<int> edges) {
    std::string loop;
    for (const int signedEdge : edges) {
      entity(next, "ORIENTED_EDGE('',*,*,#" + std::to_string(std::abs(signedEdge)) +
                       (signedEdge > 0 ? ",.T.)" : ",.F.)"));
      loop += (loop.empty() ? "#" : ",#") + std::to_string(next++);
    }
    entity(next, "EDGE_LOOP('',(" + loop + "))");
    entity(next + 1, "FACE_BOUND('',#" + std::to_string(next) + ",.T.)");
    entity(id, "ADVANCED_FACE('',(#" + std::to_string(next + 1) + "),#" + std::to_string(surface) +
                   (sense ? ",.T.)" : ",.F.)"));
    next += 2;
  };
  axes(100, 0);
  axes(110, -0.5);
  axes(120, 0.5);
  entity(130, "CONICAL_SURFACE('',#100," + number((bottom + top) / 2) + "," +
                  number(std::atan2(top - bottom, 1)) + ")");
  entity(131, "PLANE('',#110)");
  entity(132, "PLANE('',#120)");
  entity(133, "CIRCLE('',#110," + number(bottom) + ")");
  entity(134, "CIRCLE('',#120," + number(top) + ")");
  point(140, {-bottom, 0, -0.5});
  point(141, {bottom, 0, -0.5});
  point(142, {-top, 0, 0.5});
  for (int i = 0; i < 3; ++i) entity(150 + i, "VERTEX_POINT('',#" + std::to_string(140 + i) + ")");
  direction(160, Vec3{bottom - top, 0, 1} * (1 / std::hypot(top - bottom, 1)));
  entity(161, "VECTOR('',#160,1.)");
  entity(162, "LINE('',#140,#161)");
  edge(200, 150, 151, 133);
  edge(201, 151, 150, 133);
  edge(202, 152, 152, 134);
  edge(203, 150, 152, 162);
  face(210, 130, true, {200, 201, 203, -202, -203});
  if (isSolid) {
    face(211, 131, false, {-201, -200});
    face(212, 132, true, {202});
    entity(220, "CLOSED_SHELL('',(#210,#211,#212))");
    entity(221, "MANIFOLD_SOLID_BREP('',#220)");
  } else {
    entity(220, "OPEN_SHELL('',(#210))");
    entity(221, "SHELL_BASED_SURFACE_MODEL('',(#220))");
  }
  return "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
         "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n"
         "#1=APPLICATION_CONTEXT('');\n#2=PRODUCT_CONTEXT('',#1,'');\n#3=PRODUCT('frustum','frustum','',(#2))"
         ";\n"
         "#4=PRODUCT_DEFINITION_FORMATION('','',#3);\n#5=PRODUCT_DEFINITION_CONTEXT('part "
         "definition',#1,'');\n"
         "#6=PRODUCT_DEFINITION('','',#4,#5);\n#7=PRODUCT_DEFINITION_SHAPE('','',#6);\n"
         "#8=SHAPE_DEFINITION_REPRESENTATION(#7,#9);\n#9=SHAPE_REPRESENTATION('',(#221),#10);\n"
         "#10=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#14))"
         "GLOBAL_UNIT_ASSIGNED_CONTEXT((#11,#12,#13))REPRESENTATION_CONTEXT('',''));\n"
         "#11=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n"
         "#12=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));\n"
         "#13=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());\n"
         "#14=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#11,'','');\n" +
         data + "ENDSEC;\nEND-ISO-10303-21;\n";
}

bool hasImporter() {
  if (!cadImporter()) WARN("skipped: the importer is absent");
  return cadImporter().has_value();
}

void checkClosed(const Model& model, const std::string& what) {
  for (std::uint32_t i = 0; i < model.assembly.partCount(); ++i) {
    const TriangleMesh& mesh = model.assembly.part(PartId{i});
    if (mesh.triangleCount() == 0) continue;
    const Watertightness watertightness(mesh, MeshTopology(mesh));
    INFO(what << ": " << mesh.name() << ": " << text(watertightness));
    CHECK(watertightness.closed());
  }
}

}  // namespace

TEST_CASE("cones whose directions are not exact are tessellated, and close their solids", "[importers]") {
  if (!hasImporter()) return;
  const TemporaryFolder folder;
  Random random(7);
  const double volume = std::numbers::pi / 3 * (bottom * bottom + bottom * top + top * top);
  for (const double noise : {0.0, 1e-14, 1e-13, 1e-12})
    for (int k = 0; k < 3; ++k) {
      INFO("noise " << noise << ", placement " << k);
      Transform place = Transform::translation(random.inCube(k * 100));
      if (k > 0) place = place * Transform::rotation(randomRotation(random));
      writeText(folder / "solid.step", frustum(place, noise, random, true));
      const Model solid = import(folder / "solid.step");
      CHECK_FALSE(isIncomplete(solid));
      REQUIRE(solid.assembly.partCount() == 1);
      const TriangleMesh& mesh = solid.assembly.part(PartId{0});
      CHECK(countsOf(solid).faces == 3);
      CHECK(countsOf(solid).untessellated == 0);
      checkClosed(solid, "frustum");
      CHECK(signedVolume(mesh) == Approx(volume).epsilon(0.03));
      CHECK(signedVolume(mesh) < volume);

      writeText(folder / "cone.step", frustum(place, noise, random, false));
      const Model cone = import(folder / "cone.step");
      CHECK_FALSE(isIncomplete(cone));
      CHECK(countsOf(cone).triangles >= 50);
    }
}

TEST_CASE("closed solids of public files are closed, and no face is lost", "[importers][data]") {
  if (!hasImporter()) return;
  for (const char* const name : {"reports/import/closed_solid_called_open.stp", "step/13_5_hinge_R_assy.stp",
                                 "step/stp_multiple_shp_at_root.stp", "step/screw.step"}) {
    const auto file = sharedData(name);
    if (!file) {
      WARN("skipped: " << name << " is absent");
      continue;
    }
    const Model model = import(*file);
    CHECK(countsOf(model).untessellated == 0);
    checkClosed(model, name);
  }
  if (const auto face = sharedData("reports/import/untess_face.stp"))
    CHECK(countsOf(import(*face)).untessellated == 0);
}

TEST_CASE("closed solids of large public files are closed, and no face is lost",
          "[.][importers][data][large]") {
  if (!hasImporter()) return;
  for (const char* const name : {"step/morphV1.stp", "step/snakeBike02.stp", "step/AeroAssembly.step",
                                 "step/nist_ctc_02_asme1_ap242-1.stp"})
    if (const auto file = sharedData(name)) {
      const Model model = import(*file);
      CHECK(countsOf(model).untessellated == 0);
      CHECK_FALSE(isIncomplete(model));
      checkClosed(model, name);
    }
}

}  // namespace step_faces_tests
