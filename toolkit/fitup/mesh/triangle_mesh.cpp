#include <fitup/mesh/triangle_mesh.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/geometry/limits.h>
#include <fitup/mesh/detail/store_points.h>

namespace fitup {
namespace {

/// Calls `reduce` with the 32-bit words of an array, some thousand at a time. Copying to words turns elements
/// of three into loops that compilers vectorise.
template <typename T, typename Reduce>
void forEachWordBlock(std::span<const T> elements, const Reduce& reduce) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == 3 * sizeof(std::uint32_t));
  constexpr std::size_t most = 1024;
  std::array<std::uint32_t, 3 * most> words;
  while (!elements.empty()) {
    const auto block = elements.first(std::min(most, elements.size()));
    std::memcpy(words.data(), block.data(), block.size_bytes());
    reduce(std::span<const std::uint32_t>(words).first(3 * block.size()));
    elements = elements.subspan(block.size());
  }
}

/// True if every coordinate is zero or has a magnitude between `limits::smallest` and `limits::largest`. Bit
/// patterns of magnitudes are ordered as the numbers are; infinities and NaNs come after all others.
bool coordinatesInRange(std::span<const Point3f> points) {
  constexpr auto low = std::bit_cast<std::int32_t>(static_cast<float>(limits::smallest));
  constexpr auto high = std::bit_cast<std::int32_t>(static_cast<float>(limits::largest));
  std::int32_t bad = 0;
  forEachWordBlock(points, [&](std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      const auto magnitude = static_cast<std::int32_t>(word & 0x7fffffffU);
      bad |= static_cast<std::int32_t>(magnitude > high) |
             (static_cast<std::int32_t>(magnitude < low) & static_cast<std::int32_t>(magnitude != 0));
    }
  });
  return bad == 0;
}

std::uint32_t largestIndex(std::span<const TriangleIndices> triangles) {
  std::uint32_t largest = 0;
  forEachWordBlock(triangles, [&](std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) largest = std::max(largest, word);
  });
  return largest;
}

/// Visits each point once, however many triangles use it.
Aabb boundsOfUsed(std::span<const Point3f> points, std::span<const TriangleIndices> triangles) {
  std::vector<std::uint8_t> used(points.size());
  for (const TriangleIndices& t : triangles) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  Aabb box;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (used[i] != 0) box.extend(points[i]);
  return box;
}

/// `counts` holds the number of triangles of each surface.
std::uint64_t hashOf(const TriangleMesh::Data& data, std::span<const std::uint32_t> counts) {
  ContentHash hash;
  hash.addValue(data.origin);
  hash.addSpan(data.points.span());
  hash.addSpan(data.triangles.span());
  hash.addSpan(counts);
  return hash.value();
}

/// The ordinal of the first invalid edge, and its fault.
std::optional<std::pair<std::size_t, const char*>> firstWrongEdge(const TriangleMesh::Data& data) {
  const std::span<const FeatureEdge> edges = data.featureEdges.span();
  const std::span<const std::uint32_t> points = data.edgePoints.span();
  const std::size_t surfaces = data.surfaces.size();
  std::size_t covered = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const FeatureEdge& edge = edges[i];
    if (edge.pointCount < 2) return std::pair(i, "has fewer than two points");
    if (edge.firstPoint != covered || edge.pointCount > points.size() - covered)
      return std::pair(i, "its points do not follow those of the edge before");
    if (edge.first >= surfaces || (edge.second >= surfaces && edge.second != FeatureEdge::none))
      return std::pair(i, "refers to a surface that does not exist");
    if (edge.second < edge.first) return std::pair(i, "its surfaces are out of order");
    const auto own = points.subspan(edge.firstPoint, edge.pointCount);
    if (std::any_of(own.begin(), own.end(), [&](std::uint32_t p) { return p >= data.points.size(); }))
      return std::pair(i, "refers to a point that does not exist");
    covered += edge.pointCount;
  }
  if (covered != points.size()) return std::pair(edges.size(), "is missing: there are more edge points");
  return std::nullopt;
}

}  // namespace

TriangleMesh::TriangleMesh(Data data) : data_(std::move(data)) {
  const auto fail = [&](const std::string& element, const std::string& problem) {
    throw InputError("mesh '" + data_.name + "'", element, problem);
  };
  const std::size_t triangleCount = data_.triangles.size();
  if (triangleCount > std::numeric_limits<std::uint32_t>::max()) fail("triangles", "more than 2^32 - 1");
  if (data_.sourceTriangles.size() != triangleCount)
    fail("source indices", "there is not one for each triangle");
  if (!isFinite(data_.origin)) fail("origin", "not finite");
  const auto isLength = [](double x) { return std::isfinite(x) && x >= 0; };
  if (data_.deflection && !(isLength(data_.deflection->linear) && isLength(data_.deflection->angular)))
    fail("chord error", "not finite, or below zero");
  if (!isLength(data_.validation.largestRounding)) fail("rounding", "not finite, or below zero");
  if (data_.validation.degenerateTriangles > triangleCount)
    fail("degenerate triangles", "more than there are");
  // Most meshes are valid, so a fast test comes first; details are searched for only if it fails.
  if (!coordinatesInRange(data_.points.span()))
    for (std::size_t i = 0; i < data_.points.size(); ++i) {
      const Point3f& p = data_.points[i];
      for (float c : {p.x, p.y, p.z})
        if (!std::isfinite(c))
          fail("point " + std::to_string(i), "coordinate is not finite");
        else if (c != 0 && (std::abs(c) < limits::smallest || std::abs(c) > limits::largest))
          fail("point " + std::to_string(i), "coordinate outside 2^-100 to 2^100");
    }
  if (triangleCount > 0 && largestIndex(data_.triangles.span()) >= data_.points.size())
    for (std::size_t i = 0; i < triangleCount; ++i)
      for (std::uint32_t p : data_.triangles[i])
        if (p >= data_.points.size())
          fail("triangle " + std::to_string(i),
               "index " + std::to_string(p) + " of " + std::to_string(data_.points.size()) + " points");

  std::size_t covered = 0;
  std::vector<std::uint32_t> counts;
  counts.reserve(data_.surfaces.size());
  for (std::size_t s = 0; s < data_.surfaces.size(); ++s) {
    const Surface& surface = data_.surfaces[s];
    if (surface.description && !isFinite(*surface.description))
      fail("surface " + std::to_string(s), "its description is not finite");
    if (surface.chordError && !isLength(*surface.chordError))
      fail("surface " + std::to_string(s), "its chord error is not finite, or below zero");
    if (!isLength(surface.fingerprint.area) || !isFinite(surface.fingerprint.centroid))
      fail("surface " + std::to_string(s), "its area or centroid is not finite");
    if (surface.firstTriangle != covered || surface.triangleCount > triangleCount - covered)
      fail("surface " + std::to_string(s), "triangle range does not follow the surface before");
    covered += surface.triangleCount;
    counts.push_back(surface.triangleCount);
  }
  if (covered != triangleCount) fail("surfaces", "do not cover all triangles");
  if (const auto wrong = firstWrongEdge(data_))
    fail("feature edge " + std::to_string(wrong->first), wrong->second);
  lookup_ = SurfaceLookup(data_.surfaces);

  bounds_ = boundsOfUsed(data_.points.span(), data_.triangles.span());

  contentHash_ = hashOf(data_, counts);
}

std::uint64_t TriangleMesh::emptyMeshHash() noexcept {
  static const std::uint64_t hash = hashOf({}, {});
  return hash;
}

Box TriangleMesh::boundsInPart() const noexcept {
  Box box;
  if (bounds_.empty()) return box;
  box.extend(origin() + toVec3(bounds_.min));
  box.extend(origin() + toVec3(bounds_.max));
  return box;
}

std::uint32_t TriangleMeshBuilder::addPoint(const Vec3& p) {
  const auto element = [&] { return "point " + std::to_string(points_.size()); };
  if (!isFinite(p)) throw InputError("mesh '" + name_ + "'", element(), "coordinate is not finite");
  if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > limits::largest)
    throw RangeError("mesh '" + name_ + "': " + element() + ": coordinate above 2^100");
  if (points_.size() >= std::numeric_limits<std::uint32_t>::max())
    throw RangeError("mesh '" + name_ + "': more than 2^32 - 2 points");
  points_.push_back(p);
  return static_cast<std::uint32_t>(points_.size() - 1);
}

TriangleMesh TriangleMesh::from(std::span<const Vec3> points, std::span<const TriangleIndices> triangles,
                                std::span<const std::uint64_t> surfaceOfTriangle, std::string name) {
  if (!surfaceOfTriangle.empty() && surfaceOfTriangle.size() != triangles.size())
    throw InputError("mesh '" + name + "'", "surfaces",
                     std::to_string(surfaceOfTriangle.size()) + " numbers of surfaces for " +
                         std::to_string(triangles.size()) + " triangles");
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  if (!surfaceOfTriangle.empty())
    std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return surfaceOfTriangle[t]; });
  TriangleMeshBuilder builder(std::move(name));
  for (const Vec3& point : points) builder.addPoint(point);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t t = order[k];
    if (!surfaceOfTriangle.empty() && (k == 0 || surfaceOfTriangle[t] != surfaceOfTriangle[order[k - 1]]))
      builder.beginSurface({}, {}, {}, surfaceOfTriangle[t]);
    const TriangleIndices& corners = triangles[t];
    builder.addTriangle(corners[0], corners[1], corners[2], t);
  }
  return builder.build();
}

SurfaceId TriangleMeshBuilder::beginSurface(std::string name, std::optional<Colour> colour,
                                            std::optional<SurfaceDescription> description,
                                            std::uint64_t tag) {
  Surface surface;
  surface.tag = tag;
  surface.name = std::move(name);
  surface.colour = colour;
  surface.description = description;
  surface.firstTriangle = static_cast<std::uint32_t>(triangles_.size());
  surfaces_.push_back(std::move(surface));
  return SurfaceId(static_cast<std::uint32_t>(surfaces_.size() - 1));
}

void TriangleMeshBuilder::setChordError(double error) {
  if (surfaces_.empty()) throw InputError("mesh '" + name_ + "'", "chord error", "there is no surface");
  surfaces_.back().chordError = error;
}

void TriangleMeshBuilder::addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                      std::optional<std::uint32_t> sourceIndex) {
  for (std::uint32_t p : {a, b, c})
    if (p >= points_.size())
      throw InputError("mesh '" + name_ + "'", "triangle " + std::to_string(triangles_.size()),
                       "index " + std::to_string(p) + " of " + std::to_string(points_.size()) + " points");
  if (surfaces_.empty()) beginSurface();
  sourceTriangles_.push_back(sourceIndex.value_or(static_cast<std::uint32_t>(triangles_.size())));
  triangles_.push_back({a, b, c});
  ++surfaces_.back().triangleCount;
}

void TriangleMeshBuilder::addFeatureEdge(std::span<const std::uint32_t> points, SurfaceId face,
                                         std::optional<SurfaceId> other) {
  const auto first = static_cast<std::uint32_t>(face);
  const std::uint32_t second = other ? static_cast<std::uint32_t>(*other) : FeatureEdge::none;
  const auto isKnown = [&](std::uint32_t p) { return p < points_.size(); };
  if (points.size() < 2 || !std::all_of(points.begin(), points.end(), isKnown) || first >= surfaces_.size() ||
      (other && second >= surfaces_.size()))
    throw InputError("mesh '" + name_ + "'", "feature edge " + std::to_string(featureEdges_.size()),
                     "has fewer than two points, or refers to a point or surface that does not exist");
  featureEdges_.push_back({static_cast<std::uint32_t>(edgePoints_.size()),
                           static_cast<std::uint32_t>(points.size()), std::min(first, second),
                           std::max(first, second)});
  edgePoints_.insert(edgePoints_.end(), points.begin(), points.end());
}

std::vector<std::uint32_t> TriangleMeshBuilder::keptPoints() const {
  std::vector<std::uint8_t> used(points_.size());
  for (const TriangleIndices& t : triangles_) used[t[0]] = used[t[1]] = used[t[2]] = 1;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < points_.size(); ++i)
    if (used[i] != 0) kept.push_back(i);
  return kept;
}

TriangleMesh TriangleMeshBuilder::build() const {
  TriangleMesh::Data data;
  data.name = name_;
  data.deflection = deflection_;
  data.surfaces = surfaces_;

  // Unused points would affect the origin and the rounding, so they are left out.
  const std::vector<std::uint32_t> kept = keptPoints();
  constexpr std::uint32_t leftOut = 0xffffffffU;
  std::vector<std::uint32_t> newIndex(points_.size(), leftOut);
  std::vector<Vec3> points(kept.size());
  for (std::uint32_t i = 0; i < kept.size(); ++i) {
    newIndex[kept[i]] = i;
    points[i] = points_[kept[i]];
  }
  std::vector<TriangleIndices> triangles = triangles_;
  for (TriangleIndices& t : triangles)
    for (std::uint32_t& p : t) p = newIndex[p];
  data.triangles = SharedArray<TriangleIndices>(std::move(triangles));
  data.sourceTriangles = SharedArray<std::uint32_t>(sourceTriangles_);

  std::vector<FeatureEdge> edges;
  std::vector<std::uint32_t> edgePoints;
  for (FeatureEdge edge : featureEdges_) {
    const auto own = std::span(edgePoints_).subspan(edge.firstPoint, edge.pointCount);
    if (std::any_of(own.begin(), own.end(), [&](std::uint32_t p) { return newIndex[p] == leftOut; }))
      continue;
    edge.firstPoint = static_cast<std::uint32_t>(edgePoints.size());
    for (const std::uint32_t p : own) edgePoints.push_back(newIndex[p]);
    edges.push_back(edge);
  }
  data.featureEdges = SharedArray<FeatureEdge>(std::move(edges));
  data.edgePoints = SharedArray<std::uint32_t>(std::move(edgePoints));
  detail::storePoints(data, points);
  return TriangleMesh(std::move(data));
}

TriangleMesh withSurfaces(const TriangleMesh& mesh, std::span<const std::uint32_t> surfaceOfTriangle) {
  const auto fail = [&](const std::string& problem) {
    throw InputError("mesh '" + mesh.name() + "'", "segmentation", problem);
  };
  if (surfaceOfTriangle.size() != mesh.triangleCount()) fail("there is not one label for each triangle");
  // Everything except the grouping is kept bit by bit: origin, points, and the findings of validation.
  TriangleMesh::Data data = mesh.data();
  data.surfaces.clear();
  data.featureEdges = {};
  data.edgePoints = {};
  for (std::uint32_t label : surfaceOfTriangle) {
    if (label >= surfaceOfTriangle.size()) fail("label " + std::to_string(label) + " leaves gaps");
    if (label >= data.surfaces.size()) data.surfaces.resize(label + 1);
    ++data.surfaces[label].triangleCount;
  }
  std::vector<std::uint32_t> next(data.surfaces.size());
  for (std::size_t s = 0, first = 0; s < data.surfaces.size(); ++s) {
    if (data.surfaces[s].triangleCount == 0) fail("no triangle has label " + std::to_string(s));
    data.surfaces[s].firstTriangle = next[s] = static_cast<std::uint32_t>(first);
    first += data.surfaces[s].triangleCount;
  }
  std::vector<TriangleIndices> triangles(mesh.triangleCount());
  std::vector<std::uint32_t> sources(mesh.triangleCount());
  std::vector<detail::FingerprintSum> sums(data.surfaces.size());
  for (std::uint32_t i = 0; i < surfaceOfTriangle.size(); ++i) {
    const std::uint32_t label = surfaceOfTriangle[i];
    const TriangleIndices& t = mesh.triangles()[i];
    sums[label].add(mesh.pointInPart(t[0]), mesh.pointInPart(t[1]), mesh.pointInPart(t[2]));
    triangles[next[label]] = t;
    sources[next[label]++] = mesh.sourceTriangle(TriangleId(i));
  }
  for (std::size_t s = 0; s < data.surfaces.size(); ++s)
    data.surfaces[s].fingerprint = sums[s].of(data.surfaces[s]);
  data.triangles = SharedArray<TriangleIndices>(std::move(triangles));
  data.sourceTriangles = SharedArray<std::uint32_t>(std::move(sources));
  return TriangleMesh(std::move(data));
}

}  // namespace fitup
