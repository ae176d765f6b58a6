#include <fitup/query/detail/column_face.h>

#include <utility>

#include <fitup/geometry/predicates.h>

namespace fitup::detail {
namespace {

/// Columns are cut along vertical triangles, since what is inside may change there. Returns false if the
/// triangle projects to a point.
bool makeWall(ColumnFace& face) noexcept {
  int from = 0, to = 1;
  double longest = -1;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double length = std::hypot(face.v[j].x - face.v[i].x, face.v[j].y - face.v[i].y);
    if (!(length > longest)) continue;
    longest = length;
    from = i;
    to = j;
  }
  if (!(longest > 0)) return false;
  face.edge[0] = face.edge[2] = HalfPlane::leftOf(face.v[from], face.v[to]);
  face.edge[1] = HalfPlane::leftOf(face.v[to], face.v[from]);
  face.at0 = 0.5 * (face.low + face.high);
  face.error = face.high - face.low;
  return true;
}

/// `area` is twice that of the projection, negative for a triangle that is clockwise from above.
void makePlane(ColumnFace& face, double area, double reach) noexcept {
  if (area < 0) std::swap(face.v[1], face.v[2]);
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &from = face.v[k], &to = face.v[(k + 1) % 3];
    face.edge[k] = HalfPlane::leftOf(from, to);
    longest = std::max(longest, norm(to - from));
  }
  const Vec3 n = cross(face.v[1] - face.v[0], face.v[2] - face.v[0]);
  face.gx = -n.x / std::abs(area);
  face.gy = -n.y / std::abs(area);
  face.at0 = face.v[0].z - face.gx * face.v[0].x - face.gy * face.v[0].y;
  // Products of edges are off by 2^-51 of their size, and the plane runs through a corner.
  const double slope = 1 + std::abs(face.gx) + std::abs(face.gy);
  face.error = slope * (0x1p-48 * reach + 0x1p-48 * longest * longest * longest / std::abs(area));
  if (!(face.error < face.high - face.low)) {
    face.gx = face.gy = 0;
    face.at0 = 0.5 * (face.low + face.high);
    face.error = std::min(face.error, 0.5 * (face.high - face.low)) + 0x1p-50 * reach;
  }
}

}  // namespace

std::optional<ColumnFace> ColumnFace::of(const Triangle& t, int up, double reach) noexcept {
  ColumnFace face;
  for (int k = 0; k < 3; ++k) face.v[k] = turnedUp(t.v[k], up);
  face.low = std::min({face.v[0].z, face.v[1].z, face.v[2].z});
  face.high = std::max({face.v[0].z, face.v[1].z, face.v[2].z});
  const double area = orient2dValue(face.v[0], face.v[1], face.v[2], 2);
  if (area == 0) return makeWall(face) ? std::optional(face) : std::nullopt;
  makePlane(face, area, reach);
  face.winding = area > 0 ? 1 : -1;
  return face;
}

}  // namespace fitup::detail
