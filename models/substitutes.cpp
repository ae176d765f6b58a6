#include <models/substitutes.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <models/angle.h>
#include <models/random.h>
#include <models/torus.h>

namespace fitup::models {
namespace {

/// A ball about the origin mapped by `place`: 2 around (rows - 1) triangles.
void addBall(TriangleMeshBuilder& builder, int around, int rows,
             const std::function<Vec3(const Vec3&)>& place) {
  const std::uint32_t south = builder.addPoint(place({0, 0, -1}));
  for (int j = 1; j < rows; ++j)
    for (int i = 0; i < around; ++i) {
      const double u = static_cast<double>(i) / around, v = 0.5 * j / rows;
      builder.addPoint(place({sinTurns(v) * cosTurns(u), sinTurns(v) * sinTurns(u), -cosTurns(v)}));
    }
  const std::uint32_t north = builder.addPoint(place({0, 0, 1}));
  const auto at = [&](int j, int i) {
    return south + 1 + static_cast<std::uint32_t>((j - 1) * around + i % around);
  };
  for (int i = 0; i < around; ++i) {
    builder.addTriangle(south, at(1, i + 1), at(1, i));
    for (int j = 1; j < rows - 1; ++j) {
      builder.addTriangle(at(j, i), at(j, i + 1), at(j + 1, i + 1));
      builder.addTriangle(at(j, i), at(j + 1, i + 1), at(j + 1, i));
    }
    builder.addTriangle(at(rows - 1, i), at(rows - 1, i + 1), north);
  }
}

/// A closed tube: `around` sections of `across` points; 2 around across triangles.
void addRing(TriangleMeshBuilder& builder, int around, int across,
             const std::function<Vec3(double, double)>& point) {
  const auto first = static_cast<std::uint32_t>(builder.pointCount());
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      builder.addPoint(point(static_cast<double>(i) / around, static_cast<double>(j) / across));
  const auto at = [&](int i, int j) {
    return first + static_cast<std::uint32_t>((i % around) * across + j % across);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      builder.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      builder.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
}

/// The surface of the cells nx x ny x 1, mapped from the unit cube: 4 (nx ny + nx + ny) triangles.
void addPlate(TriangleMeshBuilder& builder, int nx, int ny, const std::function<Vec3(const Vec3&)>& place) {
  const auto sheet = [&](int n, int m, const std::function<Vec3(double, double)>& point) {
    const auto first = static_cast<std::uint32_t>(builder.pointCount());
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= m; ++j)
        builder.addPoint(place(point(static_cast<double>(i) / n, static_cast<double>(j) / m)));
    const auto at = [&](int i, int j) { return first + static_cast<std::uint32_t>(i * (m + 1) + j); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        builder.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
        builder.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
      }
  };
  sheet(nx, ny, [](double u, double v) { return Vec3{u, v, 1}; });
  sheet(ny, nx, [](double v, double u) { return Vec3{u, v, 0}; });
  sheet(nx, 1, [](double u, double w) { return Vec3{u, 0, w}; });
  sheet(1, nx, [](double w, double u) { return Vec3{u, 1, w}; });
  sheet(1, ny, [](double w, double v) { return Vec3{0, v, w}; });
  sheet(ny, 1, [](double v, double w) { return Vec3{1, v, w}; });
}

/// A smooth bump: 1 at the middle, 0 from `radius` on.
double bump(double distance, double radius) {
  const double t = distance / radius;
  return t < 1 ? (1 - t * t) * (1 - t * t) : 0;
}

}  // namespace

TriangleMesh makeCraft() {
  TriangleMeshBuilder builder("craft");
  builder.beginSurface("body");
  addBall(builder, 50, 26, [](const Vec3& p) { return Vec3{0.16 * p.x, 0.16 * p.y, 2 * p.z}; });
  for (int k = 0; k < 4; ++k) {
    builder.beginSurface("wing");
    const double side = k % 2 == 0 ? 1 : -1, rise = k < 2 ? 0.45 : -0.45;
    addPlate(builder, 24, 8, [&](const Vec3& p) {
      const double out = 0.1 + 1.1 * p.x;
      return Vec3{side * out, rise * out + 0.02 * (p.z - 0.5), -1.2 + 0.5 * p.y + 0.3 * out};
    });
  }
  return builder.build();
}

TriangleMesh makePot() {
  TriangleMeshBuilder builder("pot");
  builder.beginSurface("body");
  addBall(builder, 52, 26, [](const Vec3& p) { return Vec3{p.x, p.y, 0.7 * p.z}; });
  builder.beginSurface("spout");
  addBall(builder, 16, 13, [](const Vec3& p) {
    const double s = 0.5 * (p.z + 1);
    return Vec3{0.7 + 0.9 * s, (0.22 - 0.12 * s) * p.y, 0.5 * s * s + (0.22 - 0.12 * s) * p.x};
  });
  builder.beginSurface("handle");
  addRing(builder, 24, 16, [](double u, double v) {
    const double r = 0.4 + 0.07 * cosTurns(v);
    return Vec3{-1.15 + r * cosTurns(u), 0.07 * sinTurns(v), 0.9 * r * sinTurns(u)};
  });
  return builder.build();
}

TriangleMesh makeKnot(int around, int across) {
  TriangleMeshBuilder builder("knot");
  builder.beginSurface();
  const auto centre = [](double u) {
    const double r = 2 + cosTurns(3 * u);
    return Vec3{r * cosTurns(2 * u), r * sinTurns(2 * u), sinTurns(3 * u)};
  };
  addRing(builder, around, across, [&](double u, double v) {
    const Vec3 along = normalized(centre(u + 1e-4) - centre(u - 1e-4));
    const Vec3 side = normalized(cross(along, Vec3{0, 0, 1})), up = cross(side, along);
    return centre(u) + side * (0.35 * cosTurns(v)) + up * (0.35 * sinTurns(v));
  });
  return builder.build();
}

TriangleMesh makePipes(double size, std::uint64_t seed) {
  Random random(seed);
  TriangleMeshBuilder builder("pipes");
  builder.beginSurface();
  constexpr int tubes = 7184;
  for (int k = 0; k <= tubes; ++k) {
    const int sides = k < tubes ? 10 : 5;
    const auto axis = static_cast<int>(random.bits() % 3);
    const double length = random.between(0.05, 0.4), radius = random.between(0.001, 0.003);
    Vec3 begin{random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)};
    begin[axis] = random.between(-0.5, 0.5 - length);
    const auto first = static_cast<std::uint32_t>(builder.pointCount());
    for (int i = 0; i < sides; ++i)
      for (const double along : {0.0, length}) {
        Vec3 p = begin;
        p[axis] += along;
        p[(axis + 1) % 3] += radius * cosTurns(static_cast<double>(i) / sides);
        p[(axis + 2) % 3] += radius * sinTurns(static_cast<double>(i) / sides);
        builder.addPoint(p * size);
      }
    for (int i = 0; i < sides; ++i) {
      const std::uint32_t a = first + static_cast<std::uint32_t>(2 * i),
                          b = first + static_cast<std::uint32_t>(2 * ((i + 1) % sides));
      builder.addTriangle(a, b, b + 1);
      builder.addTriangle(a, b + 1, a + 1);
    }
  }
  return builder.build();
}

TriangleMesh makeLandscape(std::uint64_t seed) {
  constexpr int nx = 245, ny = 200;
  Random random(seed);
  struct Feature {
    double x, y, radius, height;
  };
  std::vector<Feature> features;
  for (int k = 0; k < 220; ++k) {
    const double radius = random.between(0.3, 0.9);
    const double height = k % 2 == 0 ? random.between(0.3, 1.2) : -random.between(0.1, 0.4);
    features.push_back({random.between(-10, 10), random.between(-10, 10), radius, height});
  }
  TriangleMeshBuilder builder("landscape");
  builder.beginSurface();
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j) {
      const double x = 20.0 * i / nx - 10, y = 20.0 * j / ny - 10;
      const double squared = x * x + y * y;
      double z = 6 / ((1 + squared) * (1 + squared));
      for (const Feature& f : features)
        z += f.height * bump(std::sqrt((x - f.x) * (x - f.x) + (y - f.y) * (y - f.y)), f.radius);
      builder.addPoint({x, y, z});
    }
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (ny + 1) + j); };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      builder.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      builder.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  return builder.build();
}

TriangleMesh makeRing() {
  TorusOptions options;
  options.around = options.across = 100;
  options.ringRadius = 2;
  options.tubeRadius = 0.5;
  options.wrinkleDepth = 0.12;
  options.wavesAround = 16;
  options.wavesAcross = 5;
  return makeTorus(options);
}

std::vector<Transform> pipesTrack(std::size_t steps, std::uint64_t seed) {
  Random random(seed);
  const Vec3 axis = normalized(Vec3{random.between(-1, 1), random.between(-1, 1), 1});
  const Vec3 from{random.between(-0.6, 0.6), random.between(-0.6, 0.6), 0.6};
  std::vector<Transform> track;
  for (std::size_t k = 0; k < steps; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(steps), left = (1 - t) * (1 - t);
    const Vec3 swing{0.04 * sinTurns(3 * t), 0.04 * cosTurns(5 * t), 0.03 * sinTurns(7 * t)};
    track.push_back(Transform::translation(from * left + swing * (1 - t)) *
                    Transform::rotation(axisAngle(axis, 40 * t)));
  }
  return track;
}

std::vector<Transform> ringTrack(std::size_t steps, std::uint64_t seed) {
  Random random(seed);
  const double phase = random.unit();
  std::vector<Transform> track;
  for (std::size_t k = 0; k < steps; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(steps), calm = (1 - t) * (1 - t);
    const double bounce = std::abs(cosTurns(3.25 * t)) * calm;
    const double tilt = 0.35 * calm * sinTurns(4 * t + phase);
    track.push_back(Transform::translation({0.8 * calm * cosTurns(2 * t + phase),
                                            0.8 * calm * sinTurns(2 * t + phase), 1.15 + 3.5 * bounce}) *
                    Transform::rotation(axisAngle({cosTurns(phase), sinTurns(phase), 0}, tilt)) *
                    Transform::rotation(axisAngle({0, 0, 1}, 4 * t)));
  }
  return track;
}

}  // namespace fitup::models
