// Burr puzzles: which sticks have a first move, found by going through all of them cube by cube.

#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <fitup/motion/certify.h>
#include <fitup/query/distance.h>
#include <models/ways_out.h>
#include <catch2/catch.hpp>

namespace burrs_tests {

using namespace fitup;
using namespace fitup::models;

namespace {

using Cube = std::array<int, 3>;
using Cubes = std::set<Cube>;

constexpr std::array<Cube, 6> directions{
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

Cube moved(const Cube& cube, const Cube& by) { return {cube[0] + by[0], cube[1] + by[1], cube[2] + by[2]}; }

/// True if the point is inside of the mesh: the solid angles of its triangles (Van Oosterom and Strackee,
/// 1983) add up to a full turn.
bool isInside(const TriangleMesh& mesh, const Vec3& point) {
  double angle = 0;
  for (const TriangleIndices& t : mesh.triangles()) {
    const Vec3 x = mesh.pointInPart(t[0]) - point, y = mesh.pointInPart(t[1]) - point,
               z = mesh.pointInPart(t[2]) - point;
    const double l = norm(x), m = norm(y), n = norm(z);
    angle += 2 * std::atan2(dot(x, cross(y, z)), l * m * n + dot(x, y) * n + dot(y, z) * l + dot(z, x) * m);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

/// The cubes of 10 mm whose middle is inside of each stick, from the triangles alone.
std::vector<Cubes> cubesOf(const Assembly& assembly) {
  std::vector<Cubes> sticks;
  for (const NodeId node : assembly.instances()) {
    Cubes& cubes = sticks.emplace_back();
    for (int x = -4; x < 4; ++x)
      for (int y = -4; y < 4; ++y)
        for (int z = -4; z < 4; ++z)
          if (isInside(assembly.meshOf(node), {10 * (x + 0.5), 10 * (y + 0.5), 10 * (z + 0.5)}))
            cubes.insert({x, y, z});
  }
  return sticks;
}

/// True if the sticks of a set move by one cube without meeting another stick.
bool canMove(const std::vector<Cubes>& sticks, unsigned set, const Cube& by) {
  Cubes rest;
  for (std::size_t i = 0; i < sticks.size(); ++i)
    if ((set >> i & 1) == 0) rest.insert(sticks[i].begin(), sticks[i].end());
  for (std::size_t i = 0; i < sticks.size(); ++i)
    if ((set >> i & 1) != 0)
      for (const Cube& cube : sticks[i])
        if (rest.count(moved(cube, by)) != 0) return false;
  return true;
}

CertifyAnswer shifted(const Assembly& assembly, NodeId node, const Vec3& by) {
  Track track;
  track.moved = {assembly.path(node)};
  track.steps = {{RigidMotion{}}, {RigidMotion{{}, by}}};
  CertifyOptions options;
  options.tolerance = 1e-4;
  return certify(Scene(assembly), {}, track, options).answer();
}

}  // namespace

TEST_CASE("sticks of the burr of six are connected cubes, of which none is of two sticks", "[models]") {
  for (const bool locked : {false, true}) {
    const std::vector<Cubes> sticks = cubesOf(makeBurr6(0.2, locked).assembly);
    REQUIRE(sticks.size() == 6);
    Cubes all;
    for (const Cubes& stick : sticks) {
      Cubes reached{*stick.begin()};
      std::vector<Cube> next{*stick.begin()};
      while (!next.empty()) {
        const Cube cube = next.back();
        next.pop_back();
        for (const Cube& by : directions)
          if (stick.count(moved(cube, by)) != 0 && reached.insert(moved(cube, by)).second)
            next.push_back(moved(cube, by));
      }
      CHECK(reached == stick);
      for (const Cube& cube : stick) CHECK(all.insert(cube).second);
    }
    // Six sticks of 24 cubes would fill 104 places, all of which are taken.
    CHECK(all.size() == 104);
    CHECK((sticks[5].size() == 24) == !locked);
  }
}

TEST_CASE("only the key of the burr of six has a first move, and none of the locked one", "[models]") {
  for (const bool locked : {false, true}) {
    const std::vector<Cubes> sticks = cubesOf(makeBurr6(0.2, locked).assembly);
    for (unsigned set = 1; set < 63; ++set)
      for (const Cube& by : directions) {
        CAPTURE(locked, set, by);
        const bool isKey = !locked && (set == 32 || set == 31) && by[2] != 0;
        CHECK(canMove(sticks, set, by) == isKey);
      }
  }
}

TEST_CASE("sticks of the burr of six move by their play and no more", "[models]") {
  for (const bool locked : {false, true}) {
    const double play = 0.2;
    const Assembly assembly = makeBurr6(play, locked).assembly;
    const std::vector<NodeId> sticks = assembly.instances();
    for (std::size_t i = 0; i < sticks.size(); ++i)
      for (const Cube& by : directions) {
        CAPTURE(locked, i, by);
        const Vec3 direction{static_cast<double>(by[0]), static_cast<double>(by[1]),
                             static_cast<double>(by[2])};
        CHECK(shifted(assembly, sticks[i], direction * (0.95 * play)) == CertifyAnswer::certain);
        const bool isKey = !locked && i == 5 && by[2] != 0;
        CHECK(shifted(assembly, sticks[i], direction * (1.05 * play)) ==
              (isKey ? CertifyAnswer::certain : CertifyAnswer::violated));
        if (isKey) CHECK(shifted(assembly, sticks[i], direction * 200) == CertifyAnswer::certain);
      }
  }
}

TEST_CASE("no stick of the burr of three comes out straight before the key is turned", "[models]") {
  const WayOutScene scene = makeBurr3();
  for (const NodeId node : scene.assembly.instances())
    for (const Cube& by : directions) {
      CAPTURE(scene.assembly.path(node), by);
      const Vec3 direction{static_cast<double>(by[0]), static_cast<double>(by[1]),
                           static_cast<double>(by[2])};
      CHECK(shifted(scene.assembly, node, direction * 100) == CertifyAnswer::violated);
    }
  // A quarter of a turn is not enough.
  Track track = *scene.way;
  const AxisTurn quarter{{}, {1, 0, 0}, 90, 0};
  for (std::size_t step = 1; step < 3; ++step) track.steps[step][0] = quarter.at(1);
  track.steps.resize(3);
  track.ways.resize(3);
  track.ways[1][0].turn = quarter;
  CertifyOptions options;
  options.tolerance = 1e-4;
  const CertifyReport report = certify(Scene(scene.assembly), {}, track, options);
  REQUIRE(report.answer() == CertifyAnswer::violated);
  CHECK(report.violation->time > 1);
}

}  // namespace burrs_tests
