#include <models/solids/tessellate.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include <models/angle.h>
#include <models/solids/triangulate_polygon.h>

namespace fitup::models {
namespace {

class SolidTessellator {
 public:
  SolidTessellator(TriangleMeshBuilder& builder) : builder_(builder) {}

  void add(const CurvedFace& face) {
    // Four quads share a corner; it is computed and looked up once.
    constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
    const std::size_t row = static_cast<std::size_t>(face.vSteps) + 1;
    std::vector<std::uint32_t> corners((static_cast<std::size_t>(face.uSteps) + 1) * row, unknown);
    const auto at = [&](int i, int j) {
      std::uint32_t& corner = corners[static_cast<std::size_t>(i) * row + static_cast<std::size_t>(j)];
      if (corner != unknown) return corner;
      const double u = face.u0 + (face.u1 - face.u0) * i / face.uSteps;
      const double v = face.v0 + (face.v1 - face.v0) * j / face.vSteps;
      return corner = point(face.at(u, v));
    };
    for (int i = 0; i < face.uSteps; ++i)
      for (int j = 0; j < face.vSteps; ++j) {
        const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
        triangle(a, b, c, face.inward);
        triangle(a, c, d, face.inward);
      }
  }

  void add(const PlaneFace& face) {
    std::vector<Point2> flat;
    std::vector<std::uint32_t> meshPoints;
    std::vector<std::vector<std::uint32_t>> loops;
    for (const Loop& loop : face.loops) {
      std::vector<std::uint32_t> ring;
      for (const LoopEdge& edge : loop)
        for (int i = 0; i < std::max(edge.steps, 1); ++i) {
          const double a = edge.a0 + (edge.a1 - edge.a0) * i / std::max(edge.steps, 1);
          const std::uint32_t p =
              point(edge.steps == 0 ? edge.start
                                    : edge.frame.at(edge.radius * cosTurns(a), edge.radius * sinTurns(a), 0));
          const Vec3 offset = stored_[p - first_] - face.frame.origin;
          ring.push_back(static_cast<std::uint32_t>(flat.size()));
          meshPoints.push_back(p);
          flat.push_back({dot(offset, face.frame.x), dot(offset, face.frame.y)});
        }
      loops.push_back(std::move(ring));
    }
    for (const auto& t : triangulatePolygon(flat, loops))
      triangle(meshPoints[t[0]], meshPoints[t[1]], meshPoints[t[2]], false);
  }

 private:
  struct Cell {
    long x, y, z;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct CellHash {
    std::size_t operator()(const Cell& c) const noexcept {
      const auto h = static_cast<std::uint64_t>(c.x) * 0x9e3779b97f4a7c15ULL ^
                     static_cast<std::uint64_t>(c.y) * 0xc2b2ae3d27d4eb4fULL ^
                     static_cast<std::uint64_t>(c.z) * 0x165667b19e3779f9ULL;
      return h ^ h >> 32;
    }
  };

  std::uint32_t point(const Vec3& p) {
    const long cx = std::lround(p.x / coordinateGrid), cy = std::lround(p.y / coordinateGrid),
               cz = std::lround(p.z / coordinateGrid);
    // A seam's point computed from its two faces may round to neighbouring cells.
    for (long x = cx - 1; x <= cx + 1; ++x)
      for (long y = cy - 1; y <= cy + 1; ++y)
        for (long z = cz - 1; z <= cz + 1; ++z)
          if (const auto found = cells_.find({x, y, z}); found != cells_.end()) return found->second;
    const Vec3 rounded{cx * coordinateGrid, cy * coordinateGrid, cz * coordinateGrid};
    const std::uint32_t id = builder_.addPoint(rounded);
    stored_.push_back(rounded);
    cells_[{cx, cy, cz}] = id;
    return id;
  }

  /// At a pole the two corners on it are one point and the triangle between them is none.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool reversed) {
    if (a == b || b == c || c == a) return;
    if (reversed) std::swap(b, c);
    builder_.addTriangle(a, b, c);
  }

  TriangleMeshBuilder& builder_;
  std::uint32_t first_ = static_cast<std::uint32_t>(builder_.pointCount());
  std::vector<Vec3> stored_;
  std::unordered_map<Cell, std::uint32_t, CellHash> cells_;
};

}  // namespace

TriangleMesh tessellate(const PartDescription& part) {
  TriangleMeshBuilder builder(part.name);
  for (const Solid& solid : part.solids) {
    SolidTessellator tessellator(builder);
    for (const Face& face : solid.faces) {
      builder.beginSurface({}, part.colour, describe(face));
      std::visit([&](const auto& f) { tessellator.add(f); }, face);
    }
  }
  return builder.build();
}

}  // namespace fitup::models
