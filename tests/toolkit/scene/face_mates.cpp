// The laws of mating two chosen faces, over random poses of all kinds of faces.
#include <fitup/scene/face_mates.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/revolved_part.h"
#include "support/tiny_meshes.h"

namespace face_mates_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double pi = std::numbers::pi;

double angleOf(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

/// A random face of a kind, known exactly.
MatableFace randomFace(SurfaceKind kind, Random& random, double size) {
  MatableFace face;
  face.shape.kind = kind;
  face.shape.axis = Transform::rotation(randomRotation(random)).applyToVector({0, 0, 1});
  face.shape.point = random.inCube(size);
  face.shape.radius = random.between(0.1, 1) * size;
  face.middle = kind == SurfaceKind::sphere ? face.shape.point
                : kind == SurfaceKind::plane
                    ? face.shape.point +
                          random.between(-size, size) * normalized(cross(face.shape.axis, random.inCube(1)))
                    : face.shape.point + random.between(-size, size) * face.shape.axis;
  return face;
}

MatableFace moved(const Transform& motion, MatableFace face) {
  face.shape.point = motion.apply(face.shape.point);
  face.shape.axis = motion.applyToVector(face.shape.axis);
  face.middle = motion.apply(face.middle);
  return face;
}

bool hasAxis(SurfaceKind kind) { return kind != SurfaceKind::plane && kind != SurfaceKind::sphere; }

/// How far a mate is missed: in length, and as the sine of an angle.
struct Residual {
  double length = 0, angle = 0;
};
Residual residualOf(const FaceMate& mate, const MatableFace& mover, const MatableFace& fixed) {
  const MatableFace at = moved(mate.motion, mover);
  const Vec3 off = at.middle - fixed.shape.point;
  const auto across = [](const Vec3& v, const Vec3& axis) { return norm(cross(v, axis)); };
  switch (mate.kind) {
    case FaceMateKind::planes:
      return {std::abs(dot(off, fixed.shape.axis)),
              norm(at.shape.axis - (mate.opposed ? -fixed.shape.axis : fixed.shape.axis))};
    case FaceMateKind::axes:
      return {across(off, fixed.shape.axis),
              norm(at.shape.axis - (mate.opposed ? -fixed.shape.axis : fixed.shape.axis))};
    case FaceMateKind::centres:
      return {norm(at.middle - fixed.middle), 0};
    case FaceMateKind::centreOnAxis:
      break;
  }
  const bool axisMoves = hasAxis(mover.shape.kind);
  return {across(at.middle - fixed.middle, axisMoves ? at.shape.axis : fixed.shape.axis), 0};
}

/// The half of a part where x is positive, with open borders.
MeshPtr halved(const TriangleMesh& mesh) {
  TriangleMeshBuilder builder("half");
  for (const Surface& surface : mesh.surfaces()) {
    builder.beginSurface();
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
      const Triangle t = mesh.triangle(TriangleId{surface.firstTriangle + i});
      if (t.v[0].x + t.v[1].x + t.v[2].x < 0) continue;
      std::uint32_t corners[3];
      for (int k = 0; k < 3; ++k) corners[k] = builder.addPoint(mesh.origin() + t.v[k]);
      builder.addTriangle(corners[0], corners[1], corners[2]);
    }
  }
  return finished(builder);
}

double turnOf(const Transform& motion) {
  const Quaternion q = rotationOf(motion);
  return 2 * std::atan2(norm(Vec3{q.x, q.y, q.z}), std::abs(q.w));
}

void requireLaws(const MatableFace& mover, const MatableFace& fixed, double size) {
  const std::vector<FaceMate> mates = faceMates(mover, fixed);
  REQUIRE_FALSE(mates.empty());
  for (std::size_t i = 0; i < mates.size(); ++i) {
    const FaceMate& mate = mates[i];
    if (i > 0) CHECK(mates[i - 1].angle <= mate.angle);
    REQUIRE(mate.motion.kind() == TransformKind::rigid);
    const Residual left = residualOf(mate, mover, fixed);
    CHECK(left.length <= 1e-12 * size);
    CHECK(left.angle <= 1e-12);
    // The least turn, about the middle of the face, and the shortest way.
    const Vec3 wanted = mate.opposed ? -fixed.shape.axis : fixed.shape.axis;
    if (mate.kind == FaceMateKind::planes || mate.kind == FaceMateKind::axes) {
      CHECK(turnOf(mate.motion) == Approx(angleOf(mover.shape.axis, wanted)).margin(1e-12));
      CHECK(mate.angle == Approx(turnOf(mate.motion)).margin(1e-12));
    } else {
      CHECK(turnOf(mate.motion) == 0);
    }
    const Vec3 way = mate.motion.apply(mover.middle) - mover.middle;
    CHECK(norm(way) == Approx(mate.distance).margin(1e-12 * size));
    if (mate.kind == FaceMateKind::planes) CHECK(norm(cross(way, fixed.shape.axis)) <= 1e-12 * size);
    if (mate.kind == FaceMateKind::axes) CHECK(std::abs(dot(way, fixed.shape.axis)) <= 1e-12 * size);
    // Mating what is mated moves nothing.
    const FaceMate again = faceMates(moved(mate.motion, mover), fixed).front();
    CHECK(again.opposed == mate.opposed);
    CHECK(again.angle <= 1e-12);
    CHECK(again.distance <= 1e-12 * size);
    CHECK(norm(again.motion.t) <= 1e-11 * size);
  }
  if (mates.size() == 2) CHECK(mates[0].opposed != mates[1].opposed);
}

}  // namespace

TEST_CASE("a mate of two faces leaves only rounding, by the least motion", "[scene][mates]") {
  using enum SurfaceKind;
  Random random(23);
  for (const double size : {1e-3, 1.0, 1e4})
    for (int k = 0; k < 60; ++k) {
      INFO("size " << size << ", case " << k);
      requireLaws(randomFace(plane, random, size), randomFace(plane, random, size), 10 * size);
      for (const SurfaceKind a : {cylinder, cone, torus, sphere})
        for (const SurfaceKind b : {cylinder, cone, torus, sphere})
          requireLaws(randomFace(a, random, size), randomFace(b, random, size), 10 * size);
    }
}

TEST_CASE("directions that are nearly parallel or nearly opposite mate as well", "[scene][mates]") {
  Random random(29);
  for (const SurfaceKind kind : {SurfaceKind::plane, SurfaceKind::cylinder})
    for (const double tilt : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, pi / 2})
      for (const double sense : {1.0, -1.0})
        for (int k = 0; k < 10; ++k) {
          INFO("tilt " << tilt << ", sense " << sense);
          const MatableFace fixed = randomFace(kind, random, 1);
          MatableFace mover = randomFace(kind, random, 1);
          const Vec3 about = normalized(cross(fixed.shape.axis, random.inCube(1)));
          mover.shape.axis = sense * Transform::rotation(about, tilt).applyToVector(fixed.shape.axis);
          if (kind == SurfaceKind::cylinder) mover.middle = mover.shape.point;
          requireLaws(mover, fixed, 10);
        }
  // Half a turn is about an axis of the coordinates, without residue.
  MatableFace up;
  up.shape = {.kind = SurfaceKind::plane, .point = {}, .axis = {0, 0, 1}};
  const auto mates = faceMates(up, up);
  REQUIRE(mates.size() == 2);
  CHECK_FALSE(mates[0].opposed);
  CHECK(mates[0].motion == Transform{});
  CHECK(rotationOf(mates[1].motion) == Quaternion{0, 1, 0, 0});
}

TEST_CASE("a plane mates with no axis and no centre", "[scene][mates]") {
  Random random(31);
  const MatableFace plane = randomFace(SurfaceKind::plane, random, 1);
  for (const SurfaceKind kind : {SurfaceKind::cylinder, SurfaceKind::cone, SurfaceKind::sphere}) {
    CHECK(faceMates(plane, randomFace(kind, random, 1)).empty());
    CHECK(faceMates(randomFace(kind, random, 1), plane).empty());
  }
}

TEST_CASE("a tilt below what is known of the faces is not turned away", "[scene][mates]") {
  MatableFace fixed, mover;
  fixed.shape = {.kind = SurfaceKind::cylinder, .point = {1, 2, 3}, .axis = {0, 0, 1}, .radius = 2};
  fixed.middle = fixed.shape.point;
  mover = fixed;
  mover.shape.axis = normalized(Vec3{1e-6, 0, 1});
  mover.middle = mover.shape.point = {4, 6, 30};
  const auto turned = faceMates(mover, fixed);
  CHECK(turned[0].angle == Approx(1e-6));
  mover.accuracy.angle = fixed.accuracy.angle = 1e-6;
  const auto shifted = faceMates(mover, fixed);
  CHECK(shifted[0].angle == 0);
  CHECK(shifted[0].motion == Transform::translation({-3, -4, 0}));
  CHECK(shifted[1].angle == pi);
  CHECK(rotationOf(shifted[1].motion).w == 0);
  // A tilt that is seen is turned away, however small the face.
  mover.shape.axis = normalized(Vec3{0.05, 0, 1});
  mover.accuracy.angle = 1;
  CHECK(faceMates(mover, fixed)[0].angle == Approx(0.05).epsilon(0.01));
}

TEST_CASE("faces of parts are known by their shapes, in any placement", "[scene][mates]") {
  // A bolt: head with an underside, shank, chamfer; a round end.
  const RevolvedPart bolt({0, 0}, {{{3, 0}}, {{4, 1}}, {{4, 20}}, {{8, 20}}, {{8, 26}}, {{0, 26}}});
  const TriangleMesh mesh = bolt.mesh(0.01);
  const SurfaceKind kinds[] = {SurfaceKind::plane, SurfaceKind::cone,     SurfaceKind::cylinder,
                               SurfaceKind::plane, SurfaceKind::cylinder, SurfaceKind::plane};
  const Vec3 middles[] = {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 10.5}, {0, 0, 20}, {0, 0, 23}, {0, 0, 26}};
  const double side[] = {-1, 0, 0, -1, 0, 1};
  Random random(37);
  for (const PlacementClass placement : {PlacementClass::identity, PlacementClass::quarterTurn,
                                         PlacementClass::rigid, PlacementClass::mirrored})
    for (const double scale : {1.0, 0.5, 3.0}) {
      const Transform at = randomPlacement(placement, random, 100) * Transform::scaling(scale, scale, scale);
      const Vec3 up = normalized(at.applyToVector({0, 0, 1}));
      for (std::uint32_t s = 0; s < 6; ++s) {
        INFO("face " << s << ", scale " << scale);
        const auto face = matableFace(mesh, SurfaceId{s}, at);
        REQUIRE(face);
        CHECK(face->shape.kind == kinds[s]);
        CHECK(norm(cross(face->shape.axis, up)) < 1e-12);
        if (side[s] != 0) CHECK(dot(face->shape.axis, up) == Approx(side[s]));
        CHECK(norm(face->middle - at.apply(middles[s])) < 1e-4 * scale);  // corners are rounded to storage
      }
    }
  CHECK_FALSE(matableFace(mesh, SurfaceId{2}, Transform::scaling(1, 2, 1)));  // oval
  CHECK(matableFace(mesh, SurfaceId{3}, Transform::scaling(1, 2, 1)));
  CHECK_FALSE(matableFace(*box(1, 2, 3), SurfaceId{0}, {}));  // six sides in one
  CHECK_THROWS_AS(matableFace(mesh, SurfaceId{6}, {}), InputError);
}

TEST_CASE("a bolt goes onto the axis of a hole, whole or halved, from any pose", "[scene][mates]") {
  const RevolvedPart bolt({0, 0}, {{{4, 0}}, {{4, 20}}, {{8, 20}}, {{8, 26}}, {{0, 26}}});
  const TriangleMesh described = bolt.mesh(0.01);
  const MeshPtr ring = tube(10, 4.5, 8, 96), halfRing = halved(*ring);
  Random random(41);
  for (int k = 0; k < 20; ++k) {
    const Transform ringAt = Transform::rigid(randomRotation(random), random.inCube(80));
    const Transform boltAt = Transform::rigid(randomRotation(random), random.inCube(80));
    for (const MeshPtr& hole : {ring, halfRing}) {
      const auto shank = matableFace(described, SurfaceId{1}, boltAt);
      const auto bore = matableFace(*hole, SurfaceId{1}, ringAt);
      REQUIRE(shank);
      REQUIRE(bore);
      CHECK(bore->shape.radius == Approx(4.5).epsilon(1e-5));
      for (const FaceMate& mate : faceMates(*shank, *bore)) {
        const auto after = matableFace(described, SurfaceId{1}, mate.motion * boltAt);
        REQUIRE(after);
        const Vec3 off = after->middle - bore->shape.point;
        CHECK(norm(cross(after->shape.axis, bore->shape.axis)) < 1e-12);
        CHECK(norm(cross(off, bore->shape.axis)) < 1e-10);
        // As good as the triangles of the hole say.
        const Vec3 axis = ringAt.applyToVector({0, 0, 1});
        CHECK(norm(cross(after->shape.axis, axis)) <= bore->accuracy.angle);
        CHECK(norm(cross(after->middle - ringAt.t, axis)) < 1e-3);
      }
    }
  }
}

}  // namespace face_mates_tests
