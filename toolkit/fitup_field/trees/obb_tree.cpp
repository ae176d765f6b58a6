#include <fitup_field/trees/obb_tree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fitup/geometry/symmetric_eigen.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup/hierarchy/detail/convex_hull.h>
#include <fitup_field/detail/binary_tree.h>
#include <fitup_field/detail/extreme_points.h>

namespace fitup {
namespace {

using Rows = std::array<Vec3, 3>;

Rows unitRows() { return {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}; }

/// Mean and covariance of the surface of triangles, in closed form (section 4).
class SurfaceMoments {
 public:
  void add(const Triangle& t) noexcept {
    const Vec3 &p = t.v[0], &q = t.v[1], &r = t.v[2];
    const double area = 0.5 * norm(cross(p - q, p - r));
    const Vec3 c = (p + q + r) * (1.0 / 3);
    area_ += area;
    mean_ = mean_ + c * area;
    std::size_t k = 0;
    for (const auto& [i, j] : entries)
      second_[k++] += area / 12 * (9 * c[i] * c[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
  }
  [[nodiscard]] double area() const noexcept { return area_; }
  /// Precondition: the area is not 0.
  [[nodiscard]] Symmetric3 covariance() const noexcept {
    Symmetric3 s{};
    const Vec3 mean = mean_ * (1 / area_);
    for (std::size_t k = 0; k < 6; ++k)
      s[k] = second_[k] / area_ - mean[entries[k].first] * mean[entries[k].second];
    return s;
  }

  static constexpr std::array<std::pair<int, int>, 6> entries{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

 private:
  double area_ = 0;
  Vec3 mean_;
  Symmetric3 second_{};
};

class ObbBuilder {
 public:
  ObbBuilder(const TriangleMesh& mesh, const ResearchOptions& options, const WorkMeter& meter)
      : mesh_(mesh), options_(options), meter_(meter) {
    triangleAt_.resize(mesh.triangleCount());
    std::iota(triangleAt_.begin(), triangleAt_.end(), 0U);
  }

  std::shared_ptr<const ObbTree> build() {
    const std::vector<detail::BinaryNode> shape =
        detail::buildBinary(static_cast<std::uint32_t>(triangleAt_.size()), meter_,
                            [&](std::uint32_t node, std::uint32_t depth, std::uint32_t begin,
                                std::uint32_t end) { return fitAndSplit(node, depth, begin, end); });
    polledLoop(shape.size(), meter_, [&](std::size_t i) {
      nodes_[i].first = shape[i].isLeaf() ? shape[i].begin : shape[i].firstChild;
      nodes_[i].count = shape[i].isLeaf() ? shape[i].end - shape[i].begin : 0;
    });
    return std::make_shared<const ObbTree>(SharedArray<ObbNode>(std::move(nodes_)),
                                           SharedArray<std::uint32_t>(std::move(triangleAt_)),
                                           options_.epsilon, options_.boxTest);
  }

 private:
  std::uint32_t fitAndSplit(std::uint32_t node, std::uint32_t depth, std::uint32_t begin, std::uint32_t end) {
    gather(begin, end);
    const Rows axes = roundedRows(axesOf());
    fit(node, axes);
    if (end - begin < 2) return begin;
    constexpr std::uint32_t deepestByMean = 64;
    if (depth >= deepestByMean) return splitAtMedian(axes[0], begin, end);
    const Vec3 mean = meanOfCorners();
    for (const Vec3& axis : axes) {
      auto isBelow =
          polled(meter_, [&](std::uint32_t t) { return dot(axis, centroid(t)) <= dot(axis, mean); });
      const auto middle =
          std::partition(triangleAt_.begin() + begin, triangleAt_.begin() + end, std::ref(isBelow));
      const auto position = static_cast<std::uint32_t>(middle - triangleAt_.begin());
      if (position != begin && position != end) return position;
    }
    return begin;
  }

  /// Gathers the corners of a group, relative to the middle of their box and scaled to about unit size, so
  /// that covariances of any mesh neither overflow nor cancel.
  void gather(std::uint32_t begin, std::uint32_t end) {
    Aabb box;
    polledLoop(end - begin, meter_,
               [&](std::size_t i) { box.extend(mesh_.triangleBounds(TriangleId{triangleAt_[begin + i]})); });
    origin_ = box.centre();
    const Vec3 half = box.halfExtent();
    const double size = std::max({half.x, half.y, half.z});
    scale_ = size > 0 ? std::ldexp(1.0, -std::ilogb(size)) : 1;
    corners_.clear();
    polledLoop(end - begin, meter_, [&](std::size_t i) {
      for (const Vec3& p : mesh_.triangle(TriangleId{triangleAt_[begin + i]}).v)
        corners_.push_back((p - origin_) * scale_);
    });
  }
  [[nodiscard]] Vec3 centroid(std::uint32_t triangle) const {
    const Triangle t = mesh_.triangle(TriangleId{triangle});
    return ((t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3) - origin_) * scale_;
  }

  [[nodiscard]] Rows axesOf() {
    if (options_.axes == ObbAxes::identity) return unitRows();
    SurfaceMoments all;
    polledLoop(corners_.size() / 3, meter_, [&](std::size_t i) {
      all.add({{corners_[3 * i], corners_[3 * i + 1], corners_[3 * i + 2]}});
    });
    if (all.area() == 0) return eigenvectors(covarianceOfCorners());
    const auto eigen = symmetricEigen(all.covariance());
    const auto [least, most] = std::minmax({eigen.values[0], eigen.values[1], eigen.values[2]});
    constexpr double flat = 1e-12;  // for a variance: 1e-6 of a length
    if (options_.axes == ObbAxes::convexHull && least > flat * most) {
      SurfaceMoments hull;
      // The paper's hull of all corners or, if there are many, of the extreme ones. The box contains all
      // corners whatever its axes are.
      const bool few = corners_.size() <= detail::ConvexHull::mostPoints;
      for (const Triangle& t : hull_.of(few ? std::span<const Vec3>(corners_) : extremeCorners()))
        hull.add(t);
      if (hull.area() > 0) return eigenvectors(hull.covariance());
    }
    return rowsOf(eigen);
  }
  std::span<const Vec3> extremeCorners() {
    extreme_ = detail::extremePoints(corners_, meter_);
    return extreme_;
  }
  [[nodiscard]] Vec3 meanOfCorners() const {
    Vec3 sum;
    forCorners([&](const Vec3& p) { sum = sum + p; });
    return sum * (1.0 / static_cast<double>(corners_.size()));
  }
  [[nodiscard]] Symmetric3 covarianceOfCorners() const {
    const Vec3 mean = meanOfCorners();
    Symmetric3 s{};
    forCorners([&](const Vec3& p) {
      const Vec3 d = p - mean;
      std::size_t k = 0;
      for (const auto& [i, j] : SurfaceMoments::entries) s[k++] += d[i] * d[j];
    });
    return s;
  }
  template <typename Task>
  void forCorners(const Task& task) const {
    polledLoop(corners_.size(), meter_, [&](std::size_t i) { task(corners_[i]); });
  }
  /// The extent of the corners along an axis.
  [[nodiscard]] std::pair<double, double> reachAlong(const Vec3& axis) const {
    double low = dot(axis, corners_[0]), high = low;
    forCorners([&](const Vec3& p) {
      low = std::min(low, dot(axis, p));
      high = std::max(high, dot(axis, p));
    });
    return {low, high};
  }
  static Rows eigenvectors(const Symmetric3& covariance) { return rowsOf(symmetricEigen(covariance)); }
  static Rows rowsOf(const Eigen3& eigen) {
    Rows rows;
    for (std::size_t i = 0; i < 3; ++i) rows[i] = {eigen.rows[i][0], eigen.rows[i][1], eigen.rows[i][2]};
    return rows;
  }
  /// The rows in stored precision. The longest side of the box comes first.
  [[nodiscard]] Rows roundedRows(Rows rows) const {
    std::array<double, 3> length{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) rows[i][k] = static_cast<float>(rows[i][k]);
      const auto [low, high] = reachAlong(rows[i]);
      length[i] = high - low;
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return length[i] > length[j]; });
    return {rows[order[0]], rows[order[1]], rows[order[2]]};
  }

  void fit(std::uint32_t node, const Rows& axes) {
    Vec3 centre;
    for (const Vec3& axis : axes) {
      const auto [low, high] = reachAlong(axis);
      centre = centre + axis * (0.5 * (low + high));
    }
    if (nodes_.size() <= node) nodes_.resize(node + 1);
    ObbNode& n = nodes_[node];
    centre = centre * (1 / scale_) + origin_;
    Vec3 stored;
    for (int k = 0; k < 3; ++k) {
      n.centre[k] = static_cast<float>(centre[k]);
      stored[k] = n.centre[k];
      for (std::size_t i = 0; i < 3; ++i) n.columns[k][i] = static_cast<float>(axes[i][k]);
    }
    const Vec3 shift = (stored - origin_) * scale_;
    std::array<double, 3> half{};
    double largest = 0, reach = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      forCorners([&](const Vec3& p) { half[i] = std::max(half[i], std::abs(dot(axes[i], p - shift))); });
      largest = std::max(largest, half[i]);
    }
    reach = std::max(norm(stored), norm(origin_)) * scale_ + largest;
    // Rounding of corners, differences and products stays below 2^-48 of the coordinates.
    for (std::size_t i = 0; i < 3; ++i)
      n.half[i] =
          largest == 0 ? 0 : floatAbove((half[i] + largest * 0x1p-20 + reach * 0x1p-46) / scale_ + 0x1p-148);
  }

  std::uint32_t splitAtMedian(const Vec3& axis, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    auto less = polled(meter_, [&](std::uint32_t s, std::uint32_t t) {
      const double p = dot(axis, centroid(s)), q = dot(axis, centroid(t));
      return p != q ? p < q : s < t;
    });
    std::nth_element(triangleAt_.begin() + begin, triangleAt_.begin() + middle, triangleAt_.begin() + end,
                     std::ref(less));
    return middle;
  }

  const TriangleMesh& mesh_;
  const ResearchOptions& options_;
  const WorkMeter& meter_;
  std::vector<std::uint32_t> triangleAt_;
  std::vector<ObbNode> nodes_;
  std::vector<Vec3> corners_, extreme_;
  Vec3 origin_;
  double scale_ = 1;
  detail::ConvexHull hull_;
};

}  // namespace

std::shared_ptr<const ObbTree> ObbTree::build(const TriangleMesh& mesh, const ResearchOptions& options,
                                              const WorkMeter& meter) {
  return ObbBuilder(mesh, options, meter).build();
}

std::optional<std::string> ObbTree::problemFor(const TriangleMesh& mesh) const {
  if (triangleAt_.size() != mesh.triangleCount()) return "not one slot for each triangle";
  for (const ObbNode& n : nodes_)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (const auto& column : n.columns) sum += double(column[i]) * column[j];
        if (!(std::abs(sum - (i == j)) <= 0x1p-21)) return "axes are not orthonormal";
      }
  return detail::binaryProblem(
      mesh, nodes_.size(),
      [&](std::uint32_t i, auto onNode, auto onTriangle) {
        const ObbNode& n = nodes_[i];
        if (n.count == 0) {
          onNode(n.first);
          onNode(n.first + 1);
        }
        for (std::uint32_t k = 0; k < n.count; ++k)
          onTriangle(n.first + k < triangleAt_.size() ? triangleAt_[n.first + k] : ~0U);
      },
      [&](std::uint32_t node, const Vec3& p) {
        const ObbNode& n = nodes_[node];
        for (int i = 0; i < 3; ++i) {
          double along = 0;
          for (int k = 0; k < 3; ++k) along += double(n.columns[k][i]) * (p[k] - n.centre[k]);
          if (!(std::abs(along) <= n.half[i])) return false;
        }
        return true;
      });
}

void ObbTree::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  if (nodes_.empty()) return;
  detail::descend(std::uint32_t{0}, deepest, [&](std::uint32_t i, std::size_t level, const auto& below) {
    const ObbNode& n = nodes_[i];
    const bool isLeaf = n.count > 0;
    visit(level, isLeaf, detail::turnedBox(n.columns, n.centre, n.half));
    if (isLeaf) return;
    below(n.first);
    below(n.first + 1);
  });
}

}  // namespace fitup
