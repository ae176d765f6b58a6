// Verdicts on exact shapes, with round parts whose finer meshes this file makes itself.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fitup/base/error.h>
#include <fitup/query/nearness.h>
#include <fitup/query/resolved_verdict.h>

namespace resolved_verdict_tests {

using namespace fitup;

namespace {

/// The number of segments of a circle whose chords are at most `error` inside of it.
std::uint32_t segmentsFor(double radius, double error) {
  return static_cast<std::uint32_t>(
      std::max(3.0, std::ceil(std::numbers::pi / std::acos(1 - std::min(error, radius) / radius))));
}

/// A shaft about z from z = 0 to 40, of radius `outer` or, if `inner` is above 0, a prism of 24 sides and a
/// height of 30 with a bore of radius `inner`. Its surfaces: the mantle, the ends, the bore. The round ones
/// have a chord error of `error`; the prism is exact, but its mantle says `claimed`.
std::shared_ptr<const SolidModel> turned(double outer, double inner, double error, double turn = 0,
                                         double claimed = 0) {
  const double height = inner > 0 ? 30 : 40;
  TriangleMeshBuilder builder("tube");
  const auto circle = [&](double radius, double z, std::uint32_t segments) {
    std::vector<std::uint32_t> points;
    for (std::uint32_t i = 0; i < segments; ++i) {
      const double at = turn + 2 * std::numbers::pi * i / segments;
      points.push_back(builder.addPoint({radius * std::cos(at), radius * std::sin(at), z}));
    }
    return points;
  };
  const auto deviation = [](double radius, std::uint32_t n) {
    return radius * (1 - std::cos(std::numbers::pi / n));
  };
  const std::uint32_t n = inner > 0 ? 24 : segmentsFor(outer, error),
                      m = inner > 0 ? segmentsFor(inner, error) : 1;
  const auto low = circle(outer, 0, n), high = circle(outer, height, n);
  const auto mantle = [&](const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::size_t j = (i + 1) % a.size();
      builder.addTriangle(a[i], a[j], b[j]);
      builder.addTriangle(a[i], b[j], b[i]);
    }
  };
  const double errorOfOuter = inner > 0 ? 0 : deviation(outer, n),
               errorOfInner = inner > 0 ? deviation(inner, m) : 0;
  builder.beginSurface("outside");
  builder.setChordError(std::max(errorOfOuter, claimed));
  mantle(low, high);
  const auto innerLow = inner > 0 ? circle(inner, 0, m) : std::vector{builder.addPoint({0, 0, 0})},
             innerHigh = inner > 0 ? circle(inner, height, m) : std::vector{builder.addPoint({0, 0, height})};
  // A ring between polygons of other numbers of corners: always the side whose next corner comes first.
  const auto ring = [&](const std::vector<std::uint32_t>& p, const std::vector<std::uint32_t>& q, bool isUp) {
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      isUp ? builder.addTriangle(a, b, c) : builder.addTriangle(a, c, b);
    };
    std::size_t i = 0, j = 0;
    while (i < p.size() || (j < q.size() && q.size() > 1)) {
      const double nextP = static_cast<double>(i + 1) / static_cast<double>(p.size()),
                   nextQ = static_cast<double>(j + 1) / static_cast<double>(q.size());
      if (q.size() == 1 || j == q.size() || (i < p.size() && nextP <= nextQ)) {
        add(p[i % p.size()], p[(i + 1) % p.size()], q[j % q.size()]);
        ++i;
      } else {
        add(p[i % p.size()], q[(j + 1) % q.size()], q[j % q.size()]);
        ++j;
      }
    }
  };
  builder.beginSurface("bottom");
  builder.setChordError(std::max(errorOfOuter, errorOfInner));
  ring(low, innerLow, false);
  builder.beginSurface("top");
  builder.setChordError(std::max(errorOfOuter, errorOfInner));
  ring(high, innerHigh, true);
  if (inner > 0) {
    builder.beginSurface("inside");
    builder.setChordError(errorOfInner);
    mantle(innerHigh, innerLow);
  }
  builder.setDeflection({error, 0.5});
  return SolidModel::build(CollisionModel::build(std::make_shared<const TriangleMesh>(builder.build())));
}

/// A shaft in a tube.
struct Fit {
  double clearance, error, turn;
  [[nodiscard]] PosedSolid shaft(double by) const {
    return {turned(10, 0, by, turn), Transform::translation({0, 0, -5})};
  }
  [[nodiscard]] PosedSolid bore(double by, double claimed = 0) const {
    return {turned(20, 10 + clearance, by, 0, claimed), {}};
  }
  [[nodiscard]] RefineSolid refine(bool isShaftFirst) const {
    return [this, isShaftFirst](bool isFirst, std::span<const SurfaceId> faces, double by) {
      CHECK_FALSE(faces.empty());
      return isFirst == isShaftFirst ? shaft(by).solid : bore(by).solid;
    };
  }
};

VerdictReport judged(const Fit& fit, double tolerance, bool isShaftFirst = true) {
  QueryContext context;
  const PosedSolid shaft = fit.shaft(fit.error), bore = fit.bore(fit.error);
  return resolvedVerdict(isShaftFirst ? shaft : bore, isShaftFirst ? bore : shaft, {.tolerance = tolerance},
                         {.exactShapes = fit.refine(isShaftFirst)}, context);
}

}  // namespace

TEST_CASE("laws: a fit has one verdict at every tessellation, phase and order", "[query][laws]") {
  std::mt19937 random(7);
  for (int i = 0; i < 12; ++i) {
    const double clearance = (static_cast<double>(random() % 401) - 200) / 1000;
    const double tolerance = std::array{0.003, 0.01, 0.1}[random() % 3];
    const Verdict expected = clearance > tolerance    ? Verdict::clear
                             : clearance < -tolerance ? Verdict::clash
                                                      : Verdict::contact;
    const bool isNear = std::abs(std::abs(clearance) - tolerance) <= tolerance / 16;
    for (const double error : {0.01, 0.1, 0.5}) {
      const Fit fit{clearance, error, static_cast<double>(random() % 100) / 100};
      const VerdictReport found = judged(fit, tolerance), exchanged = judged(fit, tolerance, false);
      CAPTURE(clearance, tolerance, error, fit.turn, name(found.verdict), found.undecidedBecause);
      CHECK(found.verdict == exchanged.verdict);
      if (found.verdict == Verdict::undecided)
        CHECK(isNear);
      else
        CHECK((found.verdict == expected || isNear));
      if (found.verdict == Verdict::clash) {
        CHECK(*found.depth <= -clearance + found.chordError + 1e-5);
        CHECK(*found.depth + found.depthErrorBound >= -clearance - found.chordError - 1e-5);
      }
      if (found.verdict == Verdict::clear && found.distance)
        CHECK(std::abs(*found.distance - clearance) <= found.chordError + 1e-5);
    }
  }
}

namespace {

/// A tube about x or z, from -15 to 15, with a mean radius of 10. Where the corners of the inner circle lie
/// between those of the outer one, a wall thinner than the chord error is crossed by its own triangles.
PosedSolid thinTube(double wall, double error, bool aboutX) {
  TriangleMeshBuilder builder("thin");
  const std::uint32_t n = segmentsFor(10, error);
  std::array<std::vector<std::uint32_t>, 4> circles;  // outside and inside, each low and high
  for (std::size_t c = 0; c < circles.size(); ++c)
    for (std::uint32_t i = 0; i < n; ++i) {
      const double at = 2 * std::numbers::pi * (i + (c < 2 ? 0 : 0.5)) / n, z = c % 2 == 0 ? -15 : 15,
                   radius = 10 + (c < 2 ? 0.5 : -0.5) * wall;
      const double x = radius * std::cos(at), y = radius * std::sin(at);
      circles[c].push_back(builder.addPoint(aboutX ? Vec3{z, x, y} : Vec3{x, y, z}));
    }
  const auto strip = [&](std::size_t p, std::size_t q) {
    builder.beginSurface();
    builder.setChordError(error);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      builder.addTriangle(circles[p][i], circles[p][j], circles[q][j]);
      builder.addTriangle(circles[p][i], circles[q][j], circles[q][i]);
    }
  };
  strip(0, 1);
  strip(1, 3);
  strip(3, 2);
  strip(2, 0);
  builder.setDeflection({error, 0.5});
  return {SolidModel::build(CollisionModel::build(std::make_shared<const TriangleMesh>(builder.build()))),
          {}};
}

}  // namespace

TEST_CASE("laws: round walls thinner than their chord errors that pierce each other are no contact",
          "[query][laws]") {
  QueryContext context;
  for (const double wall : {0.01, 0.03, 0.1})
    for (const double error : {0.02, 0.1})
      for (const double tolerance : {0.05, 0.2, 0.6}) {
        CAPTURE(wall, error, tolerance);
        const PosedSolid a = thinTube(wall, error, false), b = thinTube(wall, error, true);
        const Verdict open = resolvedVerdict(a, b, {.tolerance = tolerance}, {}, context).verdict;
        CHECK((open == Verdict::clash || open == Verdict::undecided));
        const RefineSolid refine = [&](bool isFirst, std::span<const SurfaceId>, double by) {
          return thinTube(wall, by, !isFirst).solid;
        };
        const Verdict refined =
            resolvedVerdict(a, b, {.tolerance = tolerance}, {.exactShapes = refine}, context).verdict;
        CHECK((refined == Verdict::clash || refined == Verdict::undecided));
      }
}

TEST_CASE("without finer meshes, what chord errors may change is undecided", "[query]") {
  QueryContext context;
  const auto plain = [&](double clearance, double tolerance, double error) {
    const Fit fit{clearance, error, 0.1};
    return resolvedVerdict(fit.shaft(error), fit.bore(error), {.tolerance = tolerance}, {}, context);
  };
  CHECK(plain(0.05, 0.01, 0.1).verdict == Verdict::undecided);
  CHECK(plain(-0.05, 0.01, 0.1).verdict == Verdict::undecided);
  CHECK_FALSE(plain(-0.05, 0.01, 0.1).depth);
  CHECK(plain(0.05, 0.01, 0.1).undecidedBecause.find("at this tessellation") != std::string::npos);
  CHECK(plain(0.5, 0.01, 0.1).verdict == Verdict::clear);
  CHECK(plain(-0.5, 0.01, 0.1).verdict == Verdict::clash);
  CHECK(plain(0.05, 0.5, 0.1).verdict == Verdict::contact);
  CHECK(plain(0.05, 0.01, 0.001).verdict == Verdict::clear);
  CHECK_THROWS_AS(resolvedVerdict(Fit{1, 1, 0}.shaft(1), Fit{1, 1, 0}.bore(1), {}, {}, context), InputError);
}

TEST_CASE("only the surfaces near the other part are refined, and count", "[query]") {
  QueryContext context;
  const Fit fit{0.05, 0.1, 0.1};
  ReportStatus status{};
  // The tube's outside is 10 away from the shaft.
  const NearSurfaces near =
      nearSurfaces(fit.shaft(0.001).posedPart(), fit.bore(0.001, 5).posedPart(), 0.01, {}, context, status);
  CHECK(near.error() < 0.01);
  std::size_t asked = 0;
  const RefineSolid refine = [&](bool isFirst, std::span<const SurfaceId> faces, double by) {
    ++asked;
    for (const SurfaceId face : faces) CHECK((isFirst || index(face) != 0));  // not the outside of the tube
    return isFirst ? fit.shaft(by).solid : fit.bore(by).solid;
  };
  CHECK(resolvedVerdict(fit.shaft(0.1), fit.bore(0.1), {.tolerance = 0.01}, {.exactShapes = refine}, context)
            .verdict == Verdict::clear);
  CHECK(asked == 2);
  asked = 0;
  CHECK(resolvedVerdict(Fit{0.9, 0.1, 0}.shaft(0.1), Fit{0.9, 0.1, 0}.bore(0.1), {.tolerance = 0.01},
                        {.exactShapes = refine}, context)
            .verdict == Verdict::clear);
  CHECK(asked == 0);
}

TEST_CASE("a part that cannot be refined leaves the pair undecided, with the reason", "[query]") {
  QueryContext context;
  const Fit fit{0.05, 0.1, 0.1};
  const auto asked = [&](const RefineSolid& refine) {
    return resolvedVerdict(fit.shaft(0.1), fit.bore(0.1), {.tolerance = 0.01}, {.exactShapes = refine},
                           context);
  };
  const VerdictReport failed =
      asked([](bool, std::span<const SurfaceId>, double) -> std::shared_ptr<const SolidModel> {
        throw InputError("no such shape");
      });
  CHECK(failed.verdict == Verdict::undecided);
  CHECK(failed.undecidedBecause == "it could not be refined: no such shape");
  CHECK(asked([](bool, std::span<const SurfaceId>, double) { return nullptr; }).verdict ==
        Verdict::undecided);
  CHECK_THROWS_AS(asked([](bool, std::span<const SurfaceId>, double) -> std::shared_ptr<const SolidModel> {
                    throw CancelledError();
                  }),
                  CancelledError);
}

}  // namespace resolved_verdict_tests
