#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>

#include <fitup/base/tuning-inl.h>
#include <fitup/geometry/symmetric_eigen.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/detail/large_pages.h>
#include <fitup/hierarchy/detail/metered_loop.h>
#include <fitup/hierarchy/detail/wide_cylinders.h>
#include <fitup/hierarchy/detail/wide_enclosure.h>
#include <fitup/hierarchy/detail/wide_shape.h>

namespace fitup::detail {
namespace {

/// Count, sum and sum of products of points.
struct Moments {
  double count = 0;
  std::array<double, 3> sum{};
  Symmetric3 products{};

  void add(double x, double y, double z) noexcept {
    count += 1;
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    products[0] += x * x;
    products[1] += y * y;
    products[2] += z * z;
    products[3] += x * y;
    products[4] += x * z;
    products[5] += y * z;
  }
  void add(const Moments& o) noexcept {
    count += o.count;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += o.sum[i];
    for (std::size_t i = 0; i < 6; ++i) products[i] += o.products[i];
  }
  /// Adds count times the covariance.
  void addScatterTo(Symmetric3& scatter) const noexcept {
    if (count == 0) return;
    constexpr std::array<std::array<std::size_t, 2>, 6> index{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (std::size_t i = 0; i < 6; ++i)
      scatter[i] += products[i] - sum[index[i][0]] * sum[index[i][1]] / count;
  }
};

/// Data that fitting keeps for a node besides the result.
struct Measured {
  std::array<Box4, 8> box;  ///< boxes of the children, in the model's axes
  Moments moments;          ///< moments of all corners below
  Symmetric3 scatter{};     ///< sum of the scatters of the children about their own means
  std::uint32_t slot = 0;   ///< of the triangle below along which axes are most likely to fit
  float fit = -1;           ///< and how likely: the larger the better
};

struct Interval {
  float centre, half;
};
/// Returns the smallest interval of that form around [low, high], up to a rounding in double precision.
Interval intervalAround(double low, double high) {
  const auto centre = static_cast<float>(0.5 * (low + high));
  return {centre, floatAbove(std::max(high - centre, centre - low))};
}

class BoxFitter {
 public:
  BoxFitter(const TriangleMesh& mesh, TreeShape shape, const WideBvhOptions& options, FitHeight height,
            const WorkMeter& meter)
      : mesh_(mesh),
        meter_(meter),
        shape_(std::move(shape)),
        options_(options),
        height_(static_cast<std::uint32_t>(height)),
        heights_(shape_.nodes.size()),
        measured_(shape_.nodes.size()) {
    const Aabb& b = mesh.bounds();
    middle_ = mesh.bounds().centre();
    reach_ = std::max({std::abs(b.min.x), std::abs(b.max.x), std::abs(b.min.y), std::abs(b.max.y),
                       std::abs(b.min.z), std::abs(b.max.z)});
    unit_ = 1;
    if (reach_ > 0) unit_ = static_cast<float>(std::ldexp(1.0, -std::ilogb(double(reach_))));
  }

  WideBvh fit(FitCounts& counts) {
    const std::size_t nodeCount = shape_.nodes.size();
    const bool fast = options_.layout == WideLayout::fast;
    LargeVector<float> packets(fast && nodeCount > 0 ? shape_.triangleAt.size() * 10 + 8 : 0);
    const std::uint64_t triangles = shape_.triangleAt.size();
    forAll(nodeCount, meter_, triangles, [&](std::size_t n) {
      measureLeaves(n);
      if (fast) writePackets(n, packets);
    });
    polledLoop(nodeCount, meter_, [&](std::size_t n) { gatherChildren(nodeCount - 1 - n); });
    heads_.resize(nodeCount);
    turned_.resize(options_.orientNodes ? nodeCount : 0);
    forAll(nodeCount, meter_, 3 * triangles, [&](std::size_t n) {
      if (looksAtCorners(n)) chooseAxes(n);
    });
    polledLoop(nodeCount, meter_, [&](std::size_t n) {
      if (!looksAtCorners(nodeCount - 1 - n)) chooseAxes(nodeCount - 1 - n);
    });

    WideBvh tree;
    tree.layout = options_.layout;
    std::vector<WideFrame> frames;
    if (nodeCount > 0) frames.emplace_back();
    for (std::size_t n = 0; n < turned_.size(); ++n)
      if (turned_[n].used && frames.size() < maxFrames) {
        heads_[n].frame = static_cast<std::uint32_t>(frames.size()) & (maxFrames - 1);
        frames.push_back(turned_[n].frame);
        measured_[n].box = turned_[n].box;
      }
    LargeVector<WideNode> nodes(fast ? nodeCount : 0);
    std::vector<CompactWideNode> compact(fast ? 0 : nodeCount);
    forAll(nodeCount, meter_, triangles, [&](std::size_t n) {
      fillHead(n);
      if (fast)
        fill(n, nodes[n]);
      else
        fill(n, compact[n]);
    });
    if (fast)
      tree.cylinders =
          shared(fitCylinders(nodes, frames, packets, reach_, heights_, FitHeight{height_}, counts, meter_));
    counts.corners += corners_ + 3 * shape_.triangleAt.size();
    counts.merges += merges_ + nodeCount;
    tree.nodes = shared(std::move(nodes));
    tree.compactNodes = SharedArray<CompactWideNode>(std::move(compact));
    tree.frames = SharedArray<WideFrame>(std::move(frames));
    tree.packets = shared(std::move(packets));
    if (!fast) tree.triangleAt = SharedArray<std::uint32_t>(std::move(shape_.triangleAt));
    return tree;
  }

 private:
  static constexpr std::size_t maxFrames = std::size_t{1} << 19;
  static constexpr std::size_t maxTrials = 3;  ///< axes tried for a node
  using Columns = std::array<Float4, 3>;

  struct Turned {
    bool fitted = false, used = false;
    WideFrame frame;
    std::array<Box4, 8> box;  ///< boxes of the children, in the frame; if fitted
  };

  [[nodiscard]] bool looksAtCorners(WideChild child) const {
    return child.isLeaf() || heights_[child.node()] <= height_;
  }
  /// Returns true if this holds for all children of the node. The boxes of other nodes are then not needed.
  [[nodiscard]] bool looksAtCorners(std::size_t n) const { return heights_[n] - 1 <= height_; }

  [[nodiscard]] std::array<Point3f, 3> corners(std::uint32_t slot) const {
    const TriangleIndices& t = mesh_.triangles()[shape_.triangleAt[slot]];
    return {mesh_.points()[t[0]], mesh_.points()[t[1]], mesh_.points()[t[2]]};
  }

  void measureLeaves(std::size_t n) {
    const WideShape& node = shape_.nodes[n];
    Measured& measured = measured_[n];
    for (std::uint32_t i = 0; i < node.childCount; ++i) {
      if (!node.child[i].isLeaf()) continue;
      Moments moments;
      for (std::uint32_t slot = node.firstSlot[i]; slot < node.firstSlot[i + 1]; ++slot) {
        const auto points = corners(slot);
        for (const Point3f& p : points) {
          const Float4 v{p.x, p.y, p.z, 0};
          measured.box[i].extend(v, v);
          if (options_.orientNodes) moments.add(p.x - middle_.x, p.y - middle_.y, p.z - middle_.z);
        }
        if (!options_.orientNodes) continue;
        std::array<float, 3> square;
        for (std::size_t k = 0; k < 3; ++k) {
          const Point3f &p = points[k], &q = points[(k + 1) % 3];
          const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
          square[k] = x * x + y * y + z * z;
        }
        // Right triangles are halves of rectangles more often than not.
        const float longest = std::max({square[0], square[1], square[2]});
        const bool isRight = std::abs(2 * longest - square[0] - square[1] - square[2]) < 0.02F * longest;
        const float fit = isRight ? longest : longest / 16;
        if (!(fit > measured.fit)) continue;
        measured.fit = fit;
        measured.slot = slot;
      }
      moments.addScatterTo(measured.scatter);
      measured.moments.add(moments);
    }
  }

  void writePackets(std::size_t n, LargeVector<float>& packets) const {
    const WideShape& node = shape_.nodes[n];
    for (std::uint32_t i = 0; i < node.childCount; ++i) {
      if (!node.child[i].isLeaf()) continue;
      const std::uint32_t first = node.firstSlot[i], count = node.firstSlot[i + 1] - first;
      float* packet = packets.data() + std::size_t{first} * 10;
      for (std::uint32_t k = 0; k < count; ++k) {
        const auto points = corners(first + k);
        for (std::size_t c = 0; c < 3; ++c) {
          packet[(3 * c + 0) * count + k] = points[c].x;
          packet[(3 * c + 1) * count + k] = points[c].y;
          packet[(3 * c + 2) * count + k] = points[c].z;
        }
        packet[std::size_t{9} * count + k] = encodeTriangleId(TriangleId{shape_.triangleAt[first + k]});
      }
    }
  }

  void gatherChildren(std::size_t n) {
    const WideShape& node = shape_.nodes[n];
    heights_[n] = 1;
    for (std::uint32_t i = 0; i < node.childCount; ++i) {
      if (node.child[i].isLeaf()) continue;
      heights_[n] = std::max(heights_[n], 1 + heights_[node.child[i].node()]);
      const Measured& child = measured_[node.child[i].node()];
      for (std::uint32_t k = 0; k < shape_.nodes[node.child[i].node()].childCount; ++k)
        measured_[n].box[i].extend(child.box[k]);
      child.moments.addScatterTo(measured_[n].scatter);
      measured_[n].moments.add(child.moments);
      if (!(child.fit > measured_[n].fit)) continue;
      measured_[n].fit = child.fit;
      measured_[n].slot = child.slot;
    }
  }

  /// Chooses the axes that make the children flattest: the eigenvectors of their pooled scatter or, where
  /// these are hardly determined, as for squares and for bars in several directions, or promise little, those
  /// of a large triangle. They are used if the boxes shrink enough; a first estimate of this comes from the
  /// deviations along the axes.
  void chooseAxes(std::size_t n) {
    if (!options_.orientNodes) return;
    const auto area = [](double x, double y, double z) {
      const double a = std::sqrt(std::max(x, 0.0)), b = std::sqrt(std::max(y, 0.0)),
                   c = std::sqrt(std::max(z, 0.0));
      return a * b + b * c + c * a;
    };
    std::array<WideFrame, maxTrials> frames;
    std::size_t count = 0;
    /// Adds the axes of a scatter, if they promise enough.
    const auto addAxesOf = [&](const Eigen3& of, const Symmetric3& s) {
      if (!(area(of.values[0], of.values[1], of.values[2]) <
            double(tuning::minGainOfRotation) * area(s[0], s[1], s[2])))
        return;
      WideFrame& frame = frames[count++];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) frame.columns[j][i] = static_cast<float>(of.rows[i][j]);
    };
    const auto areAlike = [](double p, double q) {
      return std::min(p, q) > tuning::alikeScatter * std::max(p, q);
    };
    const Symmetric3& s = measured_[n].scatter;
    const Eigen3 eigen = symmetricEigen(s);
    addAxesOf(eigen, s);
    const bool isDetermined =
        !areAlike(eigen.values[0], eigen.values[1]) && !areAlike(eigen.values[1], eigen.values[2]);
    if (count == 0 || !isDetermined)
      if (const auto frame = axesOfTriangle(measured_[n].slot)) frames[count++] = *frame;
    // Of children without directions of their own, such as blocks of parallel rods, all together may have
    // some.
    if (shape_.nodes[n].leafMask() == 0 && !isDetermined) {
      Symmetric3 whole{};
      measured_[n].moments.addScatterTo(whole);
      addAxesOf(symmetricEigen(whole), whole);
    }
    if (count > 0) tryAxes(n, std::span(frames).first(count));
  }
  /// Returns the axes along an edge of a triangle, across it in its plane, and along its normal. The edge is
  /// the longest one or, in a right triangle, such as half a rectangle, the longer leg. Nothing for a
  /// degenerate triangle, and for axes of the model.
  [[nodiscard]] std::optional<WideFrame> axesOfTriangle(std::uint32_t slot) const {
    const auto points = corners(slot);
    std::array<Vec3, 3> edge;
    for (std::size_t k = 0; k < 3; ++k) {
      const Point3f &p = points[k], &q = points[(k + 1) % 3];
      edge[k] = {double{q.x} - p.x, double{q.y} - p.y, double{q.z} - p.z};
    }
    std::ranges::sort(edge, [](const Vec3& p, const Vec3& q) { return dot(p, p) > dot(q, q); });
    const bool isRight = std::abs(dot(edge[1], edge[2])) < 0.02 * norm(edge[1]) * norm(edge[2]);
    const Vec3 along = edge[isRight ? 1 : 0], normal = cross(along, edge[2]);
    const double length = norm(along), size = norm(normal);
    if (!(size > 0x1p-20 * length * length)) return std::nullopt;
    const Vec3 e = along * (1 / length), n = normal * (1 / size), f = cross(n, e);
    WideFrame frame;
    bool isTurned = false;
    const std::array<Vec3, 3> rows{e, f, n};
    for (std::size_t i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double entry = rows[i][j];
        frame.columns[static_cast<std::size_t>(j)][i] = static_cast<float>(entry);
        isTurned = isTurned || (std::abs(entry) > 0.01 && std::abs(entry) < 0.99);
      }
    return isTurned ? std::optional(frame) : std::nullopt;
  }
  /// Computes the boxes of the children in each of these axes, and takes the smallest: by area or, where
  /// areas are about the same, by volume. That prefers axes of triangles, which are exact where those of
  /// scatters nearly are, for flat boxes, and the directions of a layer of rods to those of a rod.
  void tryAxes(std::size_t n, std::span<const WideFrame> frames) {
    const WideShape& node = shape_.nodes[n];
    std::array<Columns, maxTrials> columns;
    for (std::size_t k = 0; k < frames.size(); ++k) columns[k] = columnsOf(frames[k]);
    const std::span<const Columns> tried = std::span(columns).first(frames.size());
    std::array<std::array<Box4, 8>, maxTrials> boxes;
    float before = 0;
    std::array<float, maxTrials> after{}, volume{};
    std::uint64_t corners = 0, merges = 0;
    for (std::uint32_t i = 0; i < node.childCount; ++i) {
      std::array<Box4, maxTrials> box;
      if (looksAtCorners(node.child[i])) {
        box = boxesOfCorners(node.firstSlot[i], node.firstSlot[i + 1], tried);
        corners += 3 * (node.firstSlot[i + 1] - node.firstSlot[i]);
      } else {
        for (std::size_t k = 0; k < tried.size(); ++k) box[k] = boxOfBoxes(node.child[i].node(), tried[k]);
        merges += shape_.nodes[node.child[i].node()].childCount * tried.size();
      }
      before += measured_[n].box[i].halfArea(unit_);
      for (std::size_t k = 0; k < tried.size(); ++k) {
        boxes[k][i] = box[k];
        after[k] += box[k].halfArea(unit_);
        volume[k] += box[k].volume(unit_);
      }
    }
    corners_ += corners;
    merges_ += merges;
    std::size_t best = 0;
    for (std::size_t k = 1; k < tried.size(); ++k) {
      const bool areAlike = std::max(after[k], after[best]) < 1.05F * std::min(after[k], after[best]);
      if (areAlike ? volume[k] < volume[best] : after[k] < after[best]) best = k;
    }
    turned_[n] = {true, after[best] < tuning::minGainOfRotation * before, frames[best], boxes[best]};
  }

  static Columns columnsOf(const WideFrame& frame) {
    Columns columns;
    for (std::size_t j = 0; j < 3; ++j) {
      const auto& c = frame.columns[j];
      columns[j] = Float4{c[0], c[1], c[2], 0};
    }
    return columns;
  }

  /// Returns the box of the corners of these triangles in each of the axes.
  [[nodiscard]] std::array<Box4, maxTrials> boxesOfCorners(std::uint32_t firstSlot, std::uint32_t endSlot,
                                                           std::span<const Columns> axes) const {
    // Relative to the first corner, so that roundings are those of the box's size, not of the part's. Let R
    // be the largest magnitude of such a coordinate. The differences are rounded: 3 u R in the other axes.
    // Three products and two sums of terms that |row||p| <= sqrt(3) sqrt(3) R bounds, 3 roundings each: 9.1 u
    // R. 16 u of the reach cover that for any R up to it. Small boxes are grown by 128 u R, which is less,
    // and leaves room for those who check it (wide_enclosure.cpp).
    const Point3f first = corners(firstSlot)[0];
    const Float4 origin{first.x, first.y, first.z, 0};
    Float4 most{0, 0, 0, 0};
    std::array<Box4, maxTrials> boxes;
    for (std::uint32_t slot = firstSlot; slot < endSlot; ++slot)
      for (const Point3f& p : corners(slot)) {
        const Float4 d = Float4{p.x, p.y, p.z, 0} - origin;
        most = larger(most, magnitude(d));
        for (std::size_t k = 0; k < axes.size(); ++k) {
          const Float4 q = axes[k][0] * d[0] + axes[k][1] * d[1] + axes[k][2] * d[2];
          boxes[k].extend(q, q);
        }
      }
    const double size = std::max({most[0], most[1], most[2]});
    const double rounding = size < localBoxShare * reach_ ? 0x1p-17 * size : 0x1p-20 * double{reach_};
    for (std::size_t k = 0; k < axes.size(); ++k)
      for (int i = 0; i < 3; ++i) {
        const double at = double{axes[k][0][i]} * first.x + double{axes[k][1][i]} * first.y +
                          double{axes[k][2][i]} * first.z;
        boxes[k].min[i] = floatBelow(at + boxes[k].min[i] - rounding);
        boxes[k].max[i] = floatAbove(at + boxes[k].max[i] + rounding);
      }
    return boxes;
  }

  /// Returns a box of a node in other axes: the intersection of its children's boxes mapped from the model's
  /// axes and, if there are any, from the node's own axes.
  ///
  /// *Rounding*, with u = 2^-24 and lengths up to sqrt(3) reach: centre and half extent of a box 12 u reach,
  /// three products and two sums for each 11 u reach, the product of two frames (3 u for each entry) 32 u
  /// reach, and 21 u reach because a frame times its transpose is the identity only up to 4 u for each entry:
  /// less than 2^-17 reach = 128 u reach.
  [[nodiscard]] Box4 boxOfBoxes(std::uint32_t below, const Columns& columns) const {
    const std::uint32_t count = shape_.nodes[below].childCount;
    Box4 box = carried(std::span(measured_[below].box).first(count), columns);
    if (turned_[below].fitted) {
      const WideFrame& f = turned_[below].frame;
      Columns relative;
      for (std::size_t j = 0; j < 3; ++j)  // column j of F times the transposed other frame
        relative[j] =
            columns[0] * f.columns[0][j] + columns[1] * f.columns[1][j] + columns[2] * f.columns[2][j];
      const Box4 other = carried(std::span(turned_[below].box).first(count), relative);
      box.min = larger(box.min, other.min);
      box.max = smaller(box.max, other.max);
    }
    const Float4 rounding = Float4{1, 1, 1, 1} * (reach_ * 0x1p-17F);
    box.min -= rounding;
    box.max += rounding;
    return box;
  }
  static Box4 carried(std::span<const Box4> boxes, const Columns& columns) {
    Box4 result;
    for (const Box4& b : boxes) {
      const Float4 centre = 0.5F * (b.min + b.max), half = 0.5F * (b.max - b.min);
      const Float4 c = columns[0] * centre[0] + columns[1] * centre[1] + columns[2] * centre[2];
      const Float4 h =
          magnitude(columns[0]) * half[0] + magnitude(columns[1]) * half[1] + magnitude(columns[2]) * half[2];
      result.extend(c - h, c + h);
    }
    return result;
  }

  /// Fills everything except the frame, which is already set.
  void fillHead(std::size_t n) {
    const WideShape& node = shape_.nodes[n];
    WideNodeHead& head = heads_[n];
    head.childCount = node.childCount & 15U;
    head.flat = 0;
    head.leafMask = node.leafMask() & 255U;
    head.surface = node.surface;
    Box4 own;
    for (std::uint32_t i = 0; i < node.childCount; ++i) own.extend(measured_[n].box[i]);
    for (int axis = 0; axis < 3; ++axis) {
      // Around the children's intervals as stored, which may be wider than the boxes by a rounding.
      double low = own.min[axis], high = own.max[axis];
      for (std::uint32_t i = 0; i < node.childCount; ++i) {
        const Interval child = intervalAround(measured_[n].box[i].min[axis], measured_[n].box[i].max[axis]);
        low = std::min(low, double(child.centre) - child.half);
        high = std::max(high, double(child.centre) + child.half);
      }
      const Interval whole = intervalAround(low, high);
      head.centre[static_cast<std::size_t>(axis)] = whole.centre;
      head.half[static_cast<std::size_t>(axis)] = whole.half;
    }
  }

  void fill(std::size_t n, WideNode& out) const {
    const WideShape& node = shape_.nodes[n];
    out.child = node.child;
    out.head = heads_[n];
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::uint32_t i = 0; i < 8; ++i) {
        Interval v{0, 0};
        const int lane = static_cast<int>(axis);
        if (i < node.childCount)
          v = intervalAround(measured_[n].box[i].min[lane], measured_[n].box[i].max[lane]);
        out.centre[axis][i] = v.centre;
        out.half[axis][i] = v.half;
      }
  }

  void fill(std::size_t n, CompactWideNode& out) const {
    const WideShape& node = shape_.nodes[n];
    out.child = node.child;
    out.head = heads_[n];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double base = double(out.head.centre[axis]) - out.head.half[axis];
      const double scale = compactScale(out.head.half[axis]);
      const int lane = static_cast<int>(axis);
      for (std::uint32_t i = 0; i < 8; ++i) {
        double low = 0, high = 0;
        if (i < node.childCount && scale > 0) {
          low = std::floor((measured_[n].box[i].min[lane] - base) / scale);
          high = std::ceil((measured_[n].box[i].max[lane] - base) / scale);
        }
        out.low[axis][i] = static_cast<std::uint8_t>(std::clamp(low, 0.0, 255.0));
        out.high[axis][i] = static_cast<std::uint8_t>(std::clamp(high, 0.0, 255.0));
      }
    }
  }

  const TriangleMesh& mesh_;
  const WorkMeter& meter_;
  TreeShape shape_;
  WideBvhOptions options_;
  std::uint32_t height_;
  std::vector<std::uint32_t> heights_;
  std::atomic<std::uint64_t> corners_ = 0, merges_ = 0;
  Vec3 middle_;
  float reach_ = 0, unit_ = 1;
  std::vector<Measured> measured_;
  std::vector<WideNodeHead> heads_;
  std::vector<Turned> turned_;
};

}  // namespace

WideBvh fitBoxes(const TriangleMesh& mesh, TreeShape shape, const WideBvhOptions& options, FitHeight height,
                 FitCounts* counts, const WorkMeter& meter) {
  FitCounts own;
  return BoxFitter(mesh, std::move(shape), options, height, meter).fit(counts != nullptr ? *counts : own);
}

}  // namespace fitup::detail
