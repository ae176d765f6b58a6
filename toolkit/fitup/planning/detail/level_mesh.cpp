#include <fitup/planning/detail/level_mesh.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

/// `openvdb::initialize` is left out: it registers types for files, which are not used.
openvdb::FloatGrid::Ptr makeGrid(const SweptField& field, const FieldGrid& grid) {
  const auto outside = static_cast<float>(grid.level + grid.band);
  const auto inside = static_cast<float>(grid.level - grid.band);
  auto made = openvdb::FloatGrid::create(outside);
  openvdb::FloatTree& tree = made->tree();
  for (const InnerCube& cube : field.inside) {
    const openvdb::Coord low(cube.first[0], cube.first[1], cube.first[2]);
    tree.fill(openvdb::CoordBBox(low, low.offsetBy(cube.size - 1)), inside, true);
  }
  for (const FieldBlock& block : field.blocks) {
    auto* const leaf = tree.touchLeaf({block.first[0], block.first[1], block.first[2]});
    std::ranges::copy(block.values, leaf->buffer().data());
    leaf->setValuesOn();
  }
  return made;
}

/// True if the points lie in the four cells around an edge of the lattice, each in one of its own.
bool liesAroundAnEdge(const LevelMesh& mesh, const std::array<std::uint32_t, 4>& quad, double rounding) {
  int wide = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = mesh.points[quad[0]][axis], high = low;
    for (const std::uint32_t p : quad) {
      low = std::min(low, mesh.points[p][axis]);
      high = std::max(high, mesh.points[p][axis]);
    }
    low += rounding;
    high -= rounding;
    // Within one layer of cells, or within the two beside a plane of the lattice.
    if (std::ceil(high) - std::floor(low) <= 1) continue;
    if (++wide > 2 || std::ceil(high) - std::floor(low) > 2) return false;
  }
  return true;
}

double signedVolume(const LevelMesh& mesh) {
  if (mesh.points.empty()) return 0;
  const Vec3 o = mesh.points[0];
  double sum = 0;
  for (const auto& q : mesh.quads) {
    const Vec3 a = mesh.points[q[0]] - o, b = mesh.points[q[1]] - o, c = mesh.points[q[2]] - o,
               d = mesh.points[q[3]] - o;
    sum += dot(a, cross(b, c)) + dot(a, cross(c, d));
  }
  return sum;
}

}  // namespace

std::vector<Corners> trianglesOf(const LevelMesh& mesh) {
  std::vector<Corners> triangles;
  triangles.reserve(2 * mesh.quads.size());
  for (const auto& q : mesh.quads) {
    const bool isFirst =
        norm(mesh.points[q[0]] - mesh.points[q[2]]) <= norm(mesh.points[q[1]] - mesh.points[q[3]]);
    if (isFirst) {
      triangles.push_back({q[0], q[1], q[2]});
      triangles.push_back({q[0], q[2], q[3]});
    } else {
      triangles.push_back({q[0], q[1], q[3]});
      triangles.push_back({q[1], q[2], q[3]});
    }
  }
  return triangles;
}

double volumeOf(const TriangleMesh& mesh) {
  const Vec3 o = mesh.bounds().centre();
  double sum = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    sum += dot(t.v[0] - o, cross(t.v[1] - o, t.v[2] - o));
  }
  return sum / 6;
}

double latticeRounding(const SweptField& field) {
  double largest = 1;
  for (const FieldBlock& block : field.blocks)
    for (const std::int32_t i : block.first) largest = std::max(largest, std::abs(double(i)) + 16);
  return largest * 0x1p-22;
}

LevelMesh meshLevel(const SweptField& field, const FieldGrid& grid) {
  LevelMesh mesh;
  if (field.blocks.empty()) return mesh;
  // Disoriented triangles are not relaxed, because that would move points out of their cells.
  openvdb::tools::VolumeToMesh mesher(static_cast<float>(grid.level), 0, false);
  mesher(*makeGrid(field, grid));
  mesh.points.reserve(mesher.pointListSize());
  for (std::size_t i = 0; i < mesher.pointListSize(); ++i) {
    const openvdb::Vec3s& p = mesher.pointList()[i];
    mesh.points.push_back({p.x(), p.y(), p.z()});
  }
  const double rounding = latticeRounding(field);
  for (std::size_t i = 0; i < mesher.polygonPoolListSize(); ++i) {
    const openvdb::tools::PolygonPool& pool = mesher.polygonPoolList()[i];
    if (pool.numTriangles() != 0) throw Error("swept volume: the surface has triangles beside quads");
    for (std::size_t k = 0; k < pool.numQuads(); ++k) {
      const openvdb::Vec4I& q = pool.quad(k);
      const std::array<std::uint32_t, 4> quad{q[0], q[1], q[2], q[3]};
      if (!liesAroundAnEdge(mesh, quad, rounding))
        throw Error("swept volume: a quad of the surface does not lie around an edge of the lattice");
      mesh.quads.push_back(quad);
    }
  }
  if (signedVolume(mesh) < 0)
    for (auto& quad : mesh.quads) std::swap(quad[1], quad[3]);
  return mesh;
}

}  // namespace fitup::detail
