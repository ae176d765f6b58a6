#include <fitup/hierarchy/detail/wide_cylinders.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include <fitup/base/tuning-inl.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/detail/metered_loop.h>
#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup::detail {
namespace {

class CylinderFitter {
 public:
  CylinderFitter(std::span<WideNode> nodes, std::span<const WideFrame> frames, std::span<const float> packets,
                 float reach, std::span<const std::uint32_t> heights, FitHeight height,
                 const WorkMeter& meter)
      : nodes_(nodes),
        frames_(frames),
        packets_(packets),
        reach_(reach),
        meter_(meter),
        heights_(heights),
        height_(static_cast<std::uint32_t>(height)),
        normals_(nodes.size()),
        cylinders_(nodes.size()) {
    if (reach > 0) unit_ = static_cast<float>(std::ldexp(1.0, -std::ilogb(double(reach))));
  }

  LargeVector<WideCylinders> fit(FitCounts& counts) {
    const std::size_t count = nodes_.size();
    const std::uint64_t triangles = packets_.size() / 10;
    forAll(count, meter_, triangles, [&](std::size_t n) {
      const WideNode& node = nodes_[n];
      for (std::uint32_t i = 0; i < node.head.childCount; ++i)
        if (node.child[i].isLeaf()) normals_[n][i] = normalOf(node.child[i]);
    });
    polledLoop(count, meter_, [&](std::size_t position) {
      const std::size_t n = count - 1 - position;
      const WideNode& node = nodes_[n];
      for (std::uint32_t i = 0; i < node.head.childCount; ++i)
        if (!node.child[i].isLeaf())
          for (const Float4& normal : normals_[node.child[i].node()]) normals_[n][i] += normal;
    });
    std::atomic<std::uint64_t> corners = 0;
    forAll(count, meter_, 2 * triangles, [&](std::size_t n) {
      std::uint64_t ofNode = 0;
      for (std::uint32_t i = 0; i < nodes_[n].head.childCount; ++i)
        if (looksAtCorners(nodes_[n].child[i])) ofNode += fitChild(n, i);
      corners += ofNode;
    });
    polledLoop(count, meter_, [&](std::size_t position) {
      const std::size_t n = count - 1 - position;
      for (std::uint32_t i = 0; i < nodes_[n].head.childCount; ++i)
        if (!looksAtCorners(nodes_[n].child[i])) counts.merges += mergeChild(n, i);
      nodes_[n].head.flat = isFlat(nodes_[n], cylinders_[n]) ? 1 : 0;
    });
    counts.corners += corners;
    return std::move(cylinders_);
  }

 private:
  [[nodiscard]] bool looksAtCorners(WideChild child) const {
    return child.isLeaf() || heights_[child.node()] <= height_;
  }

  /// Half of a leaf's lanes: corner c of four triangles, scaled by `unit_`.
  struct Lanes {
    Float4 x, y, z;
  };
  [[nodiscard]] Lanes corner(WideChild leaf, std::uint32_t c, std::uint32_t from) const {
    const float* row =
        packets_.data() + std::size_t{leaf.firstSlot()} * 10 + std::size_t{3} * c * leaf.count() + from;
    const auto load = [&](std::uint32_t axis) {
      return load4(row + std::size_t{axis} * leaf.count()) * unit_;
    };
    return {load(0), load(1), load(2)};
  }
  /// Lanes beyond the leaf's triangles hold whatever follows in memory and do not count.
  static Int4 used(WideChild leaf, std::uint32_t from) {
    const Int4 lane{0, 1, 2, 3};
    return lane < static_cast<std::int32_t>(leaf.count() - from);
  }

  /// Returns the sum of the triangles' area vectors and, in the fourth lane, of their lengths.
  [[nodiscard]] Float4 normalOf(WideChild leaf) const {
    Float4 sum{};
    for (std::uint32_t from = 0; from < leaf.count(); from += 4) {
      const Lanes a = corner(leaf, 0, from), b = corner(leaf, 1, from), c = corner(leaf, 2, from);
      const Float4 px = b.x - a.x, py = b.y - a.y, pz = b.z - a.z;
      const Float4 qx = c.x - a.x, qy = c.y - a.y, qz = c.z - a.z;
      const Float4 x = py * qz - pz * qy, y = pz * qx - px * qz, z = px * qy - py * qx;
      for (std::uint32_t k = 0; k < 4 && from + k < leaf.count(); ++k) {
        const int lane = static_cast<int>(k);
        sum += Float4{x[lane], y[lane], z[lane],
                      std::sqrt(x[lane] * x[lane] + y[lane] * y[lane] + z[lane] * z[lane])};
      }
    }
    return sum;
  }

  /// Extent along the axis and, squared, perpendicular to it.
  struct Extent {
    Float4 low{3e38F, 3e38F, 3e38F, 3e38F}, high{-3e38F, -3e38F, -3e38F, -3e38F}, across{};
  };
  /// Returns the number of corners.
  std::uint64_t extend(Extent& extent, WideChild child, Float4 centre, Float4 axis) const {
    if (!child.isLeaf()) {
      const WideNode& node = nodes_[child.node()];
      std::uint64_t corners = 0;
      for (std::uint32_t i = 0; i < node.head.childCount; ++i)
        corners += extend(extent, node.child[i], centre, axis);
      return corners;
    }
    for (std::uint32_t from = 0; from < child.count(); from += 4) {
      const Int4 mask = used(child, from);
      for (std::uint32_t c = 0; c < 3; ++c) {
        const Lanes p = corner(child, c, from);
        const Float4 x = p.x - centre[0], y = p.y - centre[1], z = p.z - centre[2];
        const Float4 along = x * axis[0] + y * axis[1] + z * axis[2];
        const Float4 u = x - along * axis[0], v = y - along * axis[1], w = z - along * axis[2];
        extent.low = mask ? smaller(extent.low, along) : extent.low;
        extent.high = mask ? larger(extent.high, along) : extent.high;
        extent.across = mask ? larger(extent.across, u * u + v * v + w * w) : extent.across;
      }
    }
    return std::uint64_t{3} * child.count();
  }

  /// Returns the axis of a child's cylinder, in the axes of the node.
  [[nodiscard]] std::array<float, 3> axisOf(std::size_t n, std::uint32_t i) const {
    const WideNode& node = nodes_[n];
    const WideFrame& f = frames_[node.head.frame];
    const Float4 normal = normals_[n][i];
    const float length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    std::array<float, 3> axis{};
    // Below 2^-50 the squares underflow.
    if (length > tuning::minNormalLength * normal[3] && length > 0x1p-50F) {
      for (std::size_t k = 0; k < 3; ++k)
        axis[k] = (f.columns[0][k] * normal[0] + f.columns[1][k] * normal[1] + f.columns[2][k] * normal[2]) /
                  length;
    } else {
      std::size_t least = 0;
      for (std::size_t k = 1; k < 3; ++k)
        if (node.half[k][i] < node.half[least][i]) least = k;
      axis[least] = 1;
    }
    return axis;
  }

  /// *Rounding.* Let F be the node's frame as stored (F F^T is 1 up to 2^-22 for each entry), c the centre of
  /// the box and a the axis in it (of unit length up to 2^-21). A corner p lies at a . (F p - c) along the
  /// axis. The code computes m . (p - g) instead, with m = F^T a and g = F^T c rounded: off by 12 u sqrt(3) R
  /// for the frame, 10 u R for m and g and 8 u R for the products and sums, where R = sqrt(3) reach is the
  /// largest |p|; the same holds perpendicular to the axis. 2^-17 reach is 128 u reach, more than twice that.
  ///
  /// Returns the number of corners.
  std::uint64_t fitChild(std::size_t n, std::uint32_t i) {
    const WideNode& node = nodes_[n];
    const WideFrame& f = frames_[node.head.frame];
    const std::array<float, 3> axis = axisOf(n, i);
    const std::array<float, 3> c{node.centre[0][i] * unit_, node.centre[1][i] * unit_,
                                 node.centre[2][i] * unit_};
    const auto inModel = [&](const std::array<float, 3>& v) {
      Float4 r{};
      for (std::size_t k = 0; k < 3; ++k)
        r[static_cast<int>(k)] = f.columns[k][0] * v[0] + f.columns[k][1] * v[1] + f.columns[k][2] * v[2];
      return r;
    };
    Extent extent;
    const std::uint64_t corners = extend(extent, node.child[i], inModel(c), inModel(axis));
    float low = extent.low[0], high = extent.high[0], across = extent.across[0];
    for (int k = 1; k < 4; ++k) {
      low = std::min(low, extent.low[k]);
      high = std::max(high, extent.high[k]);
      across = std::max(across, extent.across[k]);
    }
    const float rounding = reach_ * 0x1p-17F;
    WideCylinders& out = cylinders_[n];
    for (std::size_t k = 0; k < 3; ++k) out.axis[k][i] = axis[k];
    out.shift[i] = 0.5F * (low + high) / unit_;
    out.half[i] = 0.5F * (high - low) / unit_ + rounding;
    out.radius[i] = std::sqrt(across) / unit_ + rounding;
    return corners;
  }

  /// Fits the cylinder of a child around those of its own children.
  ///
  /// A corner p of a cylinder with centre c', axis a', half height h and radius r lies at p = c' + t a' + w,
  /// where |t| <= h, |w| <= r and w is perpendicular to a'. Relative to c it lies at a.(c' - c) + t a.a' +
  /// a.w along a, where |a.w| <= |a - (a.a') a'| r. Perpendicular to a its distance is at most that of c' - c
  /// plus |a' - (a.a') a| h + r.
  ///
  /// *Rounding*, with u = 2^-24. The axes of nodes are orthonormal up to 4 u for each entry, stored axes have
  /// unit length up to 8 u, and no length here exceeds 2 sqrt(3) reach. Mapping from the axes of one node to
  /// the model's and into the other's is therefore off by less than 60 u reach, w is perpendicular to a' up
  /// to 130 u reach, and the rest is in double precision and negligible: together less than 2^-16 reach = 256
  /// u reach along the axis and, with lengths that frames stretch by 12 u, 2^-15 reach perpendicular to it.
  ///
  /// Returns the number of combined cylinders.
  std::uint64_t mergeChild(std::size_t n, std::uint32_t i) {
    const WideNode& node = nodes_[n];
    const WideFrame& f = frames_[node.head.frame];
    const std::array<float, 3> stored = axisOf(n, i);
    const Vec3 axis = outOfAxes(f, {stored[0], stored[1], stored[2]});
    const Vec3 centre = outOfAxes(f, {node.centre[0][i], node.centre[1][i], node.centre[2][i]});
    const std::uint32_t below = node.child[i].node();
    const WideNode& child = nodes_[below];
    const WideCylinders& parts = cylinders_[below];
    const WideFrame& ofChild = frames_[child.head.frame];
    double low = std::numeric_limits<double>::infinity(), high = -low, radius = 0;
    for (std::uint32_t k = 0; k < child.head.childCount; ++k) {
      const Vec3 axisThere{parts.axis[0][k], parts.axis[1][k], parts.axis[2][k]};
      const Vec3 centreThere{child.centre[0][k], child.centre[1][k], child.centre[2][k]};
      const Vec3 own = outOfAxes(ofChild, axisThere);
      const Vec3 offset = outOfAxes(ofChild, centreThere + axisThere * double(parts.shift[k])) - centre;
      const double cosine = dot(axis, own), along = dot(axis, offset);
      const double halfAlong =
          double(parts.half[k]) * std::abs(cosine) + double(parts.radius[k]) * norm(axis - own * cosine);
      low = std::min(low, along - halfAlong);
      high = std::max(high, along + halfAlong);
      radius =
          std::max(radius, norm(offset - axis * along) + norm(own - axis * cosine) * double(parts.half[k]) +
                               double(parts.radius[k]));
    }
    WideCylinders& out = cylinders_[n];
    for (std::size_t k = 0; k < 3; ++k) out.axis[k][i] = stored[k];
    out.shift[i] = static_cast<float>(0.5 * (low + high));
    out.half[i] = static_cast<float>(0.5 * (high - low)) + reach_ * 0x1p-16F;
    out.radius[i] = static_cast<float>(radius) + reach_ * 0x1p-15F;
    return child.head.childCount;
  }

  static bool isFlat(const WideNode& node, const WideCylinders& cylinders) {
    float boxes = 0, heights = 0;
    for (std::uint32_t i = 0; i < node.head.childCount; ++i) {
      boxes += std::min({node.half[0][i], node.half[1][i], node.half[2][i]});
      heights += cylinders.half[i];
    }
    return heights < tuning::flatness * boxes;
  }

  std::span<WideNode> nodes_;
  std::span<const WideFrame> frames_;
  std::span<const float> packets_;
  float reach_, unit_ = 1;
  const WorkMeter& meter_;
  std::span<const std::uint32_t> heights_;
  std::uint32_t height_;
  std::vector<std::array<Float4, 8>> normals_;  ///< by node and child
  LargeVector<WideCylinders> cylinders_;
};

}  // namespace

LargeVector<WideCylinders> fitCylinders(std::span<WideNode> nodes, std::span<const WideFrame> frames,
                                        std::span<const float> packets, float reach,
                                        std::span<const std::uint32_t> heights, FitHeight height,
                                        FitCounts& counts, const WorkMeter& meter) {
  return CylinderFitter(nodes, frames, packets, reach, heights, height, meter).fit(counts);
}

}  // namespace fitup::detail
