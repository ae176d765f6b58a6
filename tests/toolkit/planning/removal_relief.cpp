#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/planning/removal.h>

#include "support/placements.h"
#include "support/revolved_part.h"
#include "support/tiny_meshes.h"
#include "toolkit/planning/removal_stage.h"

namespace removal_relief_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RemovalOptions straight(double tolerance) {
  RemovalOptions options;
  options.tolerance = tolerance;
  options.maxPieces = 1;
  return options;
}

/// A prism along y over a polygon of x and z that runs counter-clockwise, seen against y. Surface k is the
/// side from corner k to the next one; the two ends follow. The ends are cut into the triangles of `cuts`.
MeshPtr prism(const std::vector<std::array<double, 2>>& corners,
              const std::vector<std::array<std::uint32_t, 3>>& cuts, double from, double to) {
  TriangleMeshBuilder builder("prism");
  const auto n = static_cast<std::uint32_t>(corners.size());
  for (const double y : {from, to})
    for (const auto& [x, z] : corners) builder.addPoint({x, y, z});
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    builder.beginSurface("side " + std::to_string(k));
    builder.addTriangle(k, next, n + next);
    builder.addTriangle(k, n + next, n + k);
  }
  builder.beginSurface("front");
  for (const auto& [a, b, c] : cuts) builder.addTriangle(a, c, b);
  builder.beginSurface("back");
  for (const auto& [a, b, c] : cuts) builder.addTriangle(n + a, n + b, n + c);
  return finished(builder);
}

/// The relief of faces of one side, for the direction nearest to this one.
const RemovalRelief* reliefOf(const RemovalReport& report, const Vec3& direction, NodeId instance) {
  for (const RemovalRelief& relief : report.reliefs)
    if (dot(report.directions[relief.direction].direction, direction) > 0.999 &&
        relief.faces.front().instance == instance)
      return &relief;
  return nullptr;
}

/// Certifies the way of a relief in a scene that the caller has made.
CertifyAnswer answerIn(const Scene& scene, const std::vector<NodeId>& moved, const RemovalReport& report,
                       const RemovalRelief& relief, const RemovalOptions& options) {
  const RemovalDirection& d = report.directions[relief.direction];
  Track track;
  track.unit = scene.assembly().unit();
  track.modelHash = scene.assembly().contentHash();
  for (const NodeId node : moved) track.moved.push_back(scene.assembly().path(node));
  track.steps.assign(2, std::vector<RigidMotion>(moved.size()));
  for (RigidMotion& end : track.steps.back()) end.translation = d.wanted * d.direction;
  CertifyOptions asked;
  asked.clearance = options.clearance;
  asked.tolerance = options.tolerance;
  return certify(scene, {}, track, asked).answer();
}

/// Every relief is certain in the scene that `withFacesSetBack` makes, and without its offsets the way is
/// stopped.
void requireReliefs(const RemovalStage& stage, const RemovalReport& report, const RemovalOptions& options) {
  const Scene scene(stage.assembly);
  for (const RemovalRelief& relief : report.reliefs) {
    REQUIRE_FALSE(relief.faces.empty());
    CHECK(relief.faces.size() <= 3);
    const auto changed = withFacesSetBack(scene, {}, relief.faces);
    REQUIRE(changed);
    CHECK(answerIn(*changed, stage.moved, report, relief, options) == CertifyAnswer::certain);
    CHECK(answerIn(scene, stage.moved, report, relief, options) == CertifyAnswer::violated);
    for (const ReliefFace& face : relief.faces) {
      CHECK(face.offset > 0);
      CHECK(face.offset > relief.accuracy);
      const bool isMoved = std::ranges::find(stage.moved, face.instance) != stage.moved.end();
      const bool firstIsMoved =
          std::ranges::find(stage.moved, relief.faces.front().instance) != stage.moved.end();
      CHECK(isMoved == firstIsMoved);
    }
  }
}

/// A block of 10 in a closed box whose roof is a ledge that reaches over it from one side by `overlap`.
RemovalStage underLedge(double overlap, const Transform& where = {}) {
  RemovalStage stage;
  const auto rest = [&](const std::string& name, const Vec3& low, const Vec3& high) {
    return stage.rest(name, boxBetween(low, high), where);
  };
  stage.move("block", boxBetween({-5, -5, -5}, {5, 5, 5}), where);
  rest("floor", {-30, -30, -20}, {30, 30, -5.5});
  rest("left", {-30, -30, -5}, {-5.5, 30, 15});
  rest("right", {5.5, -30, -5}, {30, 30, 15});
  rest("front", {-5.4, -30, -5}, {5.4, -5.5, 15});
  rest("back", {-5.4, 5.5, -5}, {5.4, 30, 15});
  rest("ledge", {5 - overlap, -30, 16}, {30, 30, 22});
  return stage;
}

}  // namespace

TEST_CASE("a block under a ledge comes out if the ledge yields by the overlap", "[planning][relief]") {
  const double overlap = GENERATE(0.3, 1.7);
  const RemovalOptions options = straight(0.01);
  const RemovalStage stage = underLedge(overlap);
  const RemovalReport report = stage.find(options);
  CHECK(report.answer == RemovalAnswer::notFound);
  requireReliefs(stage, report, options);
  const NodeId ledge = stage.assembly.at("ledge");
  const RemovalRelief* const relief = reliefOf(report, {0, 0, 1}, ledge);
  REQUIRE(relief != nullptr);
  REQUIRE(relief->faces.size() == 1);
  const ReliefFace& face = relief->faces.front();
  CHECK(face.surfaces == std::vector{SurfaceId{0}});  // towards -x
  const double size = 10 * std::sqrt(3.0);
  CHECK(relief->accuracy <= std::max(0.01 * face.offset, 1e-4 * size));
  CHECK(face.offset > overlap);
  CHECK(face.offset < overlap + 1e-3 * size + 0.01 * overlap);
  // By hand: the ledge is that much shorter.
  const auto withLedge = [&](double offset) {
    RemovalStage by = stage;
    by.assembly.replacePart(by.assembly.partOf(ledge),
                            boxBetween({5 - overlap + offset, -30, 16}, {30, 30, 22}));
    return answerIn(Scene(by.assembly), by.moved, report, *relief, options);
  };
  CHECK(withLedge(face.offset) == CertifyAnswer::certain);
  CHECK(withLedge(overlap - 1e-4) == CertifyAnswer::violated);

  // The block could yield as well: its side towards the ledge.
  const RemovalRelief* const ofBlock = reliefOf(report, {0, 0, 1}, stage.moved.front());
  REQUIRE(ofBlock != nullptr);
  REQUIRE(ofBlock->faces.size() == 1);
  CHECK(ofBlock->faces.front().surfaces == std::vector{SurfaceId{1}});
  CHECK(ofBlock->faces.front().offset == Approx(overlap).margin(1e-3 * size + 0.01 * overlap));
}

TEST_CASE("a peg in a slot that is too narrow needs both sides to yield", "[planning][relief]") {
  // A peg of width 10 in a chamber of one part; the neck above is too narrow by `narrow`, uneven.
  const double left = 0.15, right = 0.25;
  const std::vector<std::array<double, 2>> corners{
      {-20, -12}, {20, -12}, {20, 20}, {5 - right, 20}, {5 - right, 8},  {6, 8},
      {6, -6},    {-6, -6},  {-6, 8},  {-5 + left, 8},  {-5 + left, 20}, {-20, 20}};
  const std::vector<std::array<std::uint32_t, 3>> cuts{{0, 1, 7},  {1, 6, 7},  {1, 2, 6}, {2, 5, 6},
                                                       {2, 4, 5},  {2, 3, 4},  {0, 7, 8}, {0, 8, 11},
                                                       {8, 9, 11}, {9, 10, 11}};
  RemovalStage stage;
  stage.move("peg", boxBetween({-5, -5, -5}, {5, 5, 5}));
  const NodeId block = stage.rest("block", prism(corners, cuts, -20, 20));
  stage.rest("front", boxBetween({-20, -30, -12}, {20, -20.5, 20}));
  stage.rest("back", boxBetween({-20, 20.5, -12}, {20, 30, 20}));
  REQUIRE(bodyOf(stage.assembly.sharedPart(stage.assembly.partOf(block)))->watertightness().closed());
  const RemovalOptions options = straight(0.001);
  const RemovalReport report = stage.find(options);
  CHECK(report.answer == RemovalAnswer::notFound);
  requireReliefs(stage, report, options);
  const double most = 1e-3 * 10 * std::sqrt(3.0);
  for (const NodeId side : {block, stage.moved.front()}) {
    const RemovalRelief* const relief = reliefOf(report, {0, 0, 1}, side);
    REQUIRE(relief != nullptr);
    REQUIRE(relief->faces.size() == 2);
    for (const ReliefFace& face : relief->faces) {
      REQUIRE(face.surfaces.size() == 1);
      const bool isRight = face.surfaces.front() == (side == block ? SurfaceId{3} : SurfaceId{1});
      if (!isRight) CHECK(face.surfaces.front() == (side == block ? SurfaceId{9} : SurfaceId{0}));
      CHECK(face.offset == Approx(isRight ? right : left).margin(most));
      CHECK(face.offset > (isRight ? right : left));
    }
  }
  // By hand: the neck as wide as the offsets make it.
  const RemovalRelief& relief = *reliefOf(report, {0, 0, 1}, block);
  const auto withNeck = [&](double wider) {
    auto changed = corners;
    for (const ReliefFace& face : relief.faces) {
      const std::size_t k = index(face.surfaces.front());
      for (const std::size_t i : {k, k + 1}) changed[i][0] += (k == 3 ? 1 : -1) * (face.offset + wider);
    }
    RemovalStage by = stage;
    by.assembly.replacePart(by.assembly.partOf(block), prism(changed, cuts, -20, 20));
    return answerIn(Scene(by.assembly), by.moved, report, relief, options);
  };
  CHECK(withNeck(0) == CertifyAnswer::certain);
  CHECK(withNeck(-2 * most) == CertifyAnswer::violated);
}

namespace {

/// A pin with a head-less shaft of radius 5 in a chamber below a bush of radius `hole`; everything is round.
RemovalStage throughBush(double hole, double error, double scale, const Transform& where) {
  const auto profile = [&](std::vector<ProfilePoint> points) {
    std::vector<ProfilePiece> pieces;
    for (std::size_t k = 1; k < points.size(); ++k)
      pieces.push_back({{scale * points[k].r, scale * points[k].z}});
    return RevolvedPart({scale * points[0].r, scale * points[0].z}, pieces);
  };
  RemovalStage stage;
  const auto mesh = [&](const RevolvedPart& part) {
    return std::make_shared<const TriangleMesh>(part.mesh(scale * error));
  };
  stage.move("pin", mesh(profile({{0, 0}, {5, 0}, {5, 12}, {0, 12}})), where);
  // The profile runs with the outside on its right: a can with a bush as its lid.
  stage.rest("can",
             mesh(profile({{0, -5}, {20, -5}, {20, 30}, {hole, 30}, {hole, 20}, {7, 20}, {7, -1}, {0, -1}})),
             where);
  return stage;
}

}  // namespace

TEST_CASE("a shaft needs a hole wider by the difference of the radii, or to be thinner by it",
          "[planning][relief]") {
  const double scale = GENERATE(1.0, 40.0);
  const Transform where =
      scale == 1 ? Transform{} : shift(300, -500, 120) * Transform::rotation({1, 2, 0}, 0.3);
  CAPTURE(scale);
  const double hole = 4.7, error = 0.02;
  const RemovalStage stage = throughBush(hole, error, scale, where);
  RemovalOptions options = straight(0.001 * scale);
  const RemovalReport report = stage.find(options);
  CHECK(report.answer == RemovalAnswer::notFound);
  requireReliefs(stage, report, options);
  const Vec3 up = where.applyToVector({0, 0, 1});
  const NodeId pin = stage.moved.front(), can = stage.assembly.at("can");
  // All circles of a part have the number of segments of its largest one; the triangles of a hole reach in by
  // its chord error, those of the pin do not reach its radius in the middle of its segments.
  const double chord = error, size = std::hypot(12, 10 * std::sqrt(2.0));
  for (const NodeId side : {can, pin}) {
    const RemovalRelief* const relief = reliefOf(report, up, side);
    REQUIRE(relief != nullptr);
    REQUIRE(relief->faces.size() == 1);
    const ReliefFace& face = relief->faces.front();
    CHECK(face.surfaces == std::vector{side == can ? SurfaceId{3} : SurfaceId{1}});
    CHECK(face.offset / scale >= 5 - hole - chord);
    CHECK(face.offset / scale <= 5 - hole + chord + 1e-3 * size);
    const auto changed = withFacesSetBack(Scene(stage.assembly), {}, relief->faces);
    REQUIRE(changed);
    const Surface& surface = changed->assembly().meshOf(side).surfaces()[index(face.surfaces.front())];
    REQUIRE(surface.description);
    CHECK(surface.description->kind == SurfaceKind::cylinder);
    CHECK(surface.description->radius ==
          Approx(side == can ? hole * scale + face.offset : 5 * scale - face.offset));
    REQUIRE(surface.chordError);
  }
  // By hand: a can with that hole.
  const RemovalRelief& relief = *reliefOf(report, up, can);
  const auto withHole = [&](double radius) {
    const RemovalStage by = throughBush(radius, error, scale, where);
    return answerIn(Scene(by.assembly), by.moved, report, relief, options);
  };
  const double offset = relief.faces.front().offset / scale;
  CHECK(withHole(hole + offset) == CertifyAnswer::certain);
  CHECK(withHole(5 - chord - 0.02) == CertifyAnswer::violated);
}

TEST_CASE("a scene that is scaled and moved needs offsets scaled as much", "[planning][relief]") {
  const double scale = 25, overlap = 0.8;
  const RemovalReport report = underLedge(overlap).find(straight(0.01));
  const Transform where =
      shift(1000, 70, -300) * Transform::rotation({1, 1, 3}, 0.7) * Transform::scaling(scale, scale, scale);
  RemovalStage stage = underLedge(overlap, where);
  const NodeId block = stage.moved.front();
  // Moved parts have rigid poses: this one is scaled in its mesh.
  RemovalStage rigid;
  for (const NodeId node : stage.assembly.instances()) {
    const MeshPtr& mesh = stage.assembly.sharedPart(stage.assembly.partOf(node));
    const NodeId added = node == block
                             ? rigid.move("block", transformed(mesh, Transform::scaling(scale, scale, scale)),
                                          shift(1000, 70, -300) * Transform::rotation({1, 1, 3}, 0.7))
                             : rigid.rest(stage.assembly.path(node), mesh, where);
    CHECK(added == node);
  }
  const RemovalOptions options = straight(0.01 * scale);
  const RemovalReport scaled = rigid.find(options);
  requireReliefs(rigid, scaled, options);
  const Vec3 up = Transform::rotation({1, 1, 3}, 0.7).applyToVector({0, 0, 1});
  for (const NodeId side : {stage.assembly.at("ledge"), block}) {
    const RemovalRelief* const a = reliefOf(report, {0, 0, 1}, side);
    const RemovalRelief* const b = reliefOf(scaled, up, side);
    REQUIRE(a != nullptr);
    REQUIRE(b != nullptr);
    REQUIRE(b->faces.size() == 1);
    CHECK(b->faces.front().surfaces == a->faces.front().surfaces);
    CHECK(b->faces.front().offset ==
          Approx(scale * a->faces.front().offset).margin(a->accuracy * scale + b->accuracy));
  }
}

TEST_CASE("no relief is given where three faces are not enough", "[planning][relief]") {
  // In a closed box of thick walls.
  RemovalStage closed = underLedge(0.5);
  closed.rest("lid", boxBetween({-30, -30, 23}, {30, 30, 40}));
  const RemovalReport none = closed.find(straight(0.01));
  CHECK(none.answer == RemovalAnswer::notFound);
  CHECK(none.reliefs.empty());
  CHECK_FALSE(none.hints.empty());

  // Four ledges, of which each reaches over the block.
  RemovalStage four = underLedge(0.5);
  four.rest("ledge-left", boxBetween({-30, -30, 16}, {-4.6, 30, 22}));
  four.rest("ledge-front", boxBetween({-4.5, -30, 16}, {4.4, -4.6, 22}));
  const RemovalOptions options = straight(0.01);
  RemovalReport report = four.find(options);
  requireReliefs(four, report, options);
  for (const NodeId side : {four.assembly.at("ledge"), four.moved.front()}) {
    const RemovalRelief* const relief = reliefOf(report, {0, 0, 1}, side);
    if (side == four.moved.front()) {
      REQUIRE(relief != nullptr);
      CHECK(relief->faces.size() == 3);
    }
  }
  four.rest("ledge-back", boxBetween({-4.5, 4.6, 16}, {4.4, 30, 22}));
  report = four.find(options);
  CHECK(report.answer == RemovalAnswer::notFound);
  CHECK(report.reliefs.empty());
}

TEST_CASE("walls, open parts and shared parts limit what may yield", "[planning][relief]") {
  // The ledge is thinner than the overlap along x: it cannot yield that far.
  const auto thin = [](const MeshPtr& ledge) {
    RemovalStage stage = underLedge(0.3);
    stage.assembly.replacePart(stage.assembly.partOf(stage.assembly.at("ledge")), ledge);
    return stage;
  };
  const RemovalOptions options = straight(0.01);
  const RemovalStage bar = thin(boxBetween({4.7, -30, 16}, {4.9, 30, 22}));
  const RemovalReport ofBar = bar.find(options);
  requireReliefs(bar, ofBar, options);
  CHECK(reliefOf(ofBar, {0, 0, 1}, bar.assembly.at("ledge")) == nullptr);
  CHECK(reliefOf(ofBar, {0, 0, 1}, bar.moved.front()) != nullptr);

  // A ledge without a back: nobody knows where its material is.
  std::vector<Triangle> triangles = trianglesOf(boxBetween({4.7, -30, 16}, {30, 30, 22}));
  triangles.resize(triangles.size() - 2);
  const RemovalStage open = thin(fromTriangles("open", triangles, 1));
  const RemovalReport ofOpen = open.find(options);
  CHECK(reliefOf(ofOpen, {0, 0, 1}, open.assembly.at("ledge")) == nullptr);

  // Another instance of the ledge's part stays as it is.
  RemovalStage shared = underLedge(0.3);
  const NodeId ledge = shared.assembly.at("ledge");
  const NodeId copy = shared.assembly.addNode("copy", shift(200, 0, 0), {}, shared.assembly.partOf(ledge));
  const RemovalReport ofShared = shared.find(options);
  requireReliefs(shared, ofShared, options);
  const RemovalRelief* const relief = reliefOf(ofShared, {0, 0, 1}, ledge);
  REQUIRE(relief != nullptr);
  const Scene scene(shared.assembly);
  const auto changed = withFacesSetBack(scene, {}, relief->faces);
  REQUIRE(changed);
  CHECK(changed->assembly().sharedPart(changed->assembly().partOf(copy)) ==
        shared.assembly.sharedPart(shared.assembly.partOf(copy)));
  CHECK(changed->worldBounds(ledge, {}).min.x == Approx(4.7 + relief->faces.front().offset));
  CHECK(scene.worldBounds(ledge, {}).min.x == Approx(4.7));
}

TEST_CASE("a face that is set back moves by its offset, and its neighbours remain in place",
          "[planning][relief]") {
  // A prism with a slanted side: the offset top cuts it where its plane is.
  const auto slanted = [](double top) {
    return prism({{0, 0}, {10, 0}, {10 - top / 2, top}, {0, top}}, {{0, 1, 2}, {0, 2, 3}}, 0, 6);
  };
  Assembly assembly;
  const NodeId node = assembly.addNode("prism", {}, {}, assembly.addPart(slanted(8)));
  const Scene scene(assembly);
  const auto setBack = [&](std::vector<SurfaceId> surfaces, double offset) {
    return withFacesSetBack(scene, {}, std::vector{ReliefFace{node, std::move(surfaces), offset}});
  };
  const auto changed = setBack({SurfaceId{2}}, 2.5);
  REQUIRE(changed);
  const MeshPtr expected = slanted(5.5);
  const TriangleMesh& mesh = changed->assembly().meshOf(node);
  REQUIRE(mesh.points().size() == expected->points().size());
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    CHECK(norm(mesh.pointInPart(i) - expected->pointInPart(i)) < 1e-5);
  // Through the bottom, and as far as that.
  CHECK_FALSE(setBack({SurfaceId{2}}, 8));
  CHECK_FALSE(setBack({SurfaceId{2}}, 9));
  CHECK_THROWS_AS(setBack({SurfaceId{2}}, 0), InputError);
  CHECK_THROWS_AS(setBack({SurfaceId{99}}, 1), InputError);

  // The floor of a channel, whose bottom is not a neighbour of it.
  Assembly channel;
  const NodeId u = channel.addNode(
      "channel", {}, {},
      channel.addPart(prism({{0, 0}, {12, 0}, {12, 10}, {9, 10}, {9, 2}, {3, 2}, {3, 10}, {0, 10}},
                            {{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 6}, {0, 6, 7}}, 0, 6)));
  const Scene ofChannel(channel);
  CHECK(withFacesSetBack(ofChannel, {}, std::vector{ReliefFace{u, {SurfaceId{4}}, 1.9}}));
  CHECK_FALSE(withFacesSetBack(ofChannel, {}, std::vector{ReliefFace{u, {SurfaceId{4}}, 2.1}}));

  // A face that passes a void leaves it outside.
  TriangleMeshBuilder hollow("hollow");
  for (const auto& [box, isVoid] : {std::pair{boxBetween({0, 0, 0}, {20, 20, 20}), false},
                                    std::pair{boxBetween({5, 5, 14}, {15, 15, 16}), true}}) {
    const auto first = static_cast<std::uint32_t>(hollow.pointCount());
    for (std::uint32_t i = 0; i < box->points().size(); ++i) hollow.addPoint(box->pointInPart(i));
    for (const Surface& s : box->surfaces()) {
      hollow.beginSurface();
      for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
        const TriangleIndices& t = box->triangles()[i];
        hollow.addTriangle(first + t[0], first + t[isVoid ? 2 : 1], first + t[isVoid ? 1 : 2]);
      }
    }
  }
  Assembly ofHollow;
  const NodeId shell = ofHollow.addNode("hollow", {}, {}, ofHollow.addPart(finished(hollow)));
  const auto withTop = [&](double offset) {
    return withFacesSetBack(Scene(ofHollow), {}, std::vector{ReliefFace{shell, {SurfaceId{5}}, offset}});
  };
  CHECK(withTop(3.9));
  CHECK_FALSE(withTop(5));
  CHECK_FALSE(withTop(7));
}

TEST_CASE("limits and options end the search for reliefs", "[planning][relief]") {
  const RemovalStage stage = underLedge(0.3);
  RemovalOptions options = straight(0.01);
  const RemovalReport once = stage.find(options), again = stage.find(options);
  REQUIRE(once.reliefs.size() == again.reliefs.size());
  REQUIRE_FALSE(once.reliefs.empty());
  CHECK(once.queries == again.queries);
  for (std::size_t k = 0; k < once.reliefs.size(); ++k)
    CHECK(once.reliefs[k].faces.front().offset == again.reliefs[k].faces.front().offset);
  options.reliefDirections = 0;
  CHECK(stage.find(options).reliefs.empty());
  options.reliefDirections = 4;
  options.limits.timeBudget = std::chrono::nanoseconds(0);
  CHECK(stage.find(options).reliefs.empty());
  // The clearance that the way shall keep is part of the offset.
  RemovalOptions wide = straight(0.01);
  wide.clearance = 0.2;
  const RemovalReport report = stage.find(wide);
  requireReliefs(stage, report, wide);
  const RemovalRelief* const relief = reliefOf(report, {0, 0, 1}, stage.assembly.at("ledge"));
  REQUIRE(relief != nullptr);
  CHECK(relief->faces.front().offset == Approx(0.5).margin(1e-3 * 10 * std::sqrt(3.0) + 0.005));
}

}  // namespace removal_relief_tests
