#include <fitup/motion/detail/contact_part.h>

#include <algorithm>
#include <cmath>
#include <utility>


namespace fitup::detail {
namespace {

/// Sine of the angle between two triangles up to which their edge counts as flat: rounding of coordinates to
/// storage tilts triangles of CAD parts by less.
constexpr double flatWithin = 1e-4;

Vec3 unitOrZero(const Vec3& v) noexcept {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vec3{};
}
/// A factor by which the map lengthens a vector at most: the root of the sum of squares, for rigid maps that
/// of 3. Only tolerances depend on it.
double stretchOf(const Transform& map) noexcept {
  double squares = 0;
  for (const auto& row : map.m)
    for (const double v : row) squares += v * v;
  return std::sqrt(squares);
}
Vec3 normalOf(const Triangle& t) noexcept { return unitOrZero(cross(t.v[1] - t.v[0], t.v[2] - t.v[0])); }

}  // namespace

ContactPart::ContactPart(std::shared_ptr<const SolidModel> solid) : solid_(std::move(solid)) {
  const MeshTopology& topology = solid_->topology();
  const TriangleMesh& mesh = solid_->mesh();
  hasRoundFaces_ = std::ranges::any_of(mesh.surfaces(), [](const Surface& surface) {
    const auto exact =
        surface.description ? AnalyticSurface::of(*surface.description) : std::optional<AnalyticSurface>{};
    return exact && exact->kind() != SurfaceKind::plane;
  });
  kinds_.reserve(topology.edges().size());
  isCorner_.assign(topology.pointCount(), 0);
  for (const MeshTopology::Edge& edge : topology.edges()) {
    kinds_.push_back(kindOf(edge));
    if (kinds_.back() != EdgeKind::flat) isCorner_[edge.low] = isCorner_[edge.high] = 1;
  }
  firstAt_.assign(topology.pointCount() + 1, 0);
  for (const TriangleIndices& t : mesh.triangles())
    for (const std::uint32_t p : t) ++firstAt_[topology.welded(p) + 1];
  for (std::size_t i = 0; i + 1 < firstAt_.size(); ++i) firstAt_[i + 1] += firstAt_[i];
  atCorner_.resize(firstAt_.back());
  std::vector<std::uint32_t> next(firstAt_.begin(), firstAt_.end() - 1);
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    for (const std::uint32_t p : mesh.triangles()[i]) atCorner_[next[topology.welded(p)]++] = TriangleId{i};
}

ContactPart::EdgeKind ContactPart::kindOf(const MeshTopology::Edge& edge) const {
  const auto uses = solid_->topology().uses(edge);
  if (uses.size() != 2) return EdgeKind::open;
  const TriangleMesh& mesh = solid_->mesh();
  const Watertightness& sides = solid_->watertightness();
  std::array<Triangle, 2> t;
  std::array<Vec3, 2> n;
  for (std::size_t i = 0; i < 2; ++i) {
    const TriangleId id{uses[i].triangle};
    t[i] = mesh.triangle(id);
    n[i] = sides.outward(id) * normalOf(t[i]);
  }
  if (norm(cross(n[0], n[1])) <= flatWithin && dot(n[0], n[1]) > 0) return EdgeKind::flat;
  // Convex: the corner of the second triangle that is off the edge lies behind the first.
  double farthest = 0;
  const Vec3 on = toVec3(mesh.points()[edge.low]);
  for (const Vec3& v : t[1].v) {
    const double height = dot(n[0], v - on);
    if (std::abs(height) > std::abs(farthest)) farthest = height;
  }
  // An open part has no material on one side; what touches may come from both.
  return farthest < 0 || !isClosed() ? EdgeKind::convex : EdgeKind::flat;
}

PlacedContactPart::PlacedContactPart(const ContactPart& part, const Transform& worldFromPart, Faces faces)
    : part_(&part),
      mesh_(&part.solid().mesh()),
      tree_(PlacedTree::inWorld(part.solid().sharedModel(), worldFromPart)),
      worldFromPart_(worldFromPart),
      asked_(mesh_->surfaces().size(), faces == Faces::exact ? Asked::no : Asked::yes),
      faces_(mesh_->surfaces().size()) {
  mirrored_ = worldFromPart.determinant() < 0 ? -1 : 1;
  const double stretch = stretchOf(worldFromPart);
  rounding_ = 2 * mesh_->validation().largestRounding * stretch +
              0x1p-48 * (norm(worldFromPart.t) + norm(mesh_->origin()) * stretch);
}

Vec3 PlacedContactPart::corner(std::uint32_t point) const noexcept {
  return tree_.placement().aFromB.apply(toVec3(mesh_->points()[point]));
}

Vec3 PlacedContactPart::normal(TriangleId id) const noexcept {
  return (mirrored_ * part_->solid().watertightness().outward(id)) * normalOf(triangle(id));
}

const PlacedContactPart::ExactFace* PlacedContactPart::exactFace(SurfaceId surface) const {
  const std::size_t i = index(surface);
  std::optional<ExactFace>& face = faces_[i];
  if (std::exchange(asked_[i], Asked::yes) == Asked::yes) return face ? &*face : nullptr;
  const Surface& given = mesh_->surfaces()[i];
  if (!given.description || given.triangleCount == 0) return nullptr;
  const std::optional<SurfaceDescription> inWorld = placed(*given.description, worldFromPart_);
  const std::optional<AnalyticSurface> exact =
      inWorld ? AnalyticSurface::of(*inWorld) : std::optional<AnalyticSurface>{};
  if (!exact) return nullptr;
  // A description is believed only if the corners are on it. One triangle is enough to find a wrong one.
  const double within =
      8 * rounding_ + 0.05 * mesh_->chordErrorOf(surface).value_or(0) * stretchOf(worldFromPart_);
  for (const Vec3& v : triangle(TriangleId{given.firstTriangle}).v)
    if (!(std::abs(exact->distance(v)) <= within)) return nullptr;
  face = ExactFace{*exact, *inWorld, inWorld->kind != SurfaceKind::plane};
  return &*face;
}

bool PlacedContactPart::holds(const Vec3& point, double within) const {
  const SolidModel& solid = part_->solid();
  if (!points_) points_ = std::make_unique<PointQuery>(solid.model());
  const Vec3 local = tree_.placement().bFromA.apply(point);
  const PointSide side = points_->side(local, solid.watertightness());
  return side == PointSide::inside || side == PointSide::boundary ||
         points_->closest(local, within / stretchOf(worldFromPart_)).has_value();
}

double PlacedContactPart::deviation(SurfaceId surface, const Vec3& point) const {
  const ExactFace* face = exactFace(surface);
  return face != nullptr && face->isRound ? std::abs(face->surface.distance(point)) : 0;
}

}  // namespace fitup::detail
