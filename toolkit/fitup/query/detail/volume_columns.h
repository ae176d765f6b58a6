#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/column_face.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>

namespace fitup::detail {

/// Measures the common volume of two bodies in the frame of A by dividing their overlap box into columns
/// (`overlapVolume`).
class VolumeColumns {
 public:
  /// Columns parallel to axis `up` (0, 1, 2) of the frame of A. Precondition: both bodies are closed.
  VolumeColumns(const PosedSolid& a, const PosedSolid& b, const PairFrame& frame, int up);

  /// Divides columns until the error bound is at most `relativeAccuracy` times the volume, there are
  /// `maxPieces` columns (then `truncated`), or `ended` gives another status than complete. May be called
  /// again.
  ReportStatus refine(double relativeAccuracy, std::size_t maxPieces,
                      const std::function<ReportStatus()>& ended);
  [[nodiscard]] double volume() const noexcept { return std::max(0.0, 0.5 * (lower_ + upper_)); }
  [[nodiscard]] double errorBound() const noexcept;
  /// Number of columns examined.
  [[nodiscard]] std::size_t pieces() const noexcept { return pieces_; }

 private:
  /// A column over a convex polygon. Volumes are in the frame of A.
  struct Column {
    ConvexPolygon polygon;
    std::vector<std::uint32_t> faces;  ///< those that cover the polygon first
    std::size_t covering = 0;
    double lower = 0, upper = 0;
    [[nodiscard]] double open() const noexcept { return upper - lower; }
    bool operator<(const Column& o) const noexcept { return open() < o.open(); }
  };

  /// A part of a vertical line, and what is known of one body there.
  struct Stretch {
    double low, high;
    bool surelyInside, maybeInside;
  };

  /// The heights at which a triangle may lie in a column.
  struct Range {
    double low, high;
    int winding;  ///< over the sample point
  };

  void add(const PlacedTree& tree, const Watertightness& watertightness, int side, int up, const Box& region);
  /// Rounding may have decided wrongly on an area of the polygon this wide.
  void lose(const ConvexPolygon& polygon, double width);
  /// Makes the column over a polygon, bounds its volume and keeps it if something is open.
  void push(const ConvexPolygon& polygon, std::span<const std::uint32_t> faces, std::size_t covering);

  enum class Cover { none, part, all };
  Cover coverOf(const ColumnFace& face, const ConvexPolygon& polygon);
  /// Bounds the volume of a column that all its triangles cover. Returns false for other columns.
  ///
  /// With the triangles in the order of their heights h_i at the centroid, the common height is a sum of c_i
  /// h_i with c_i in {-1, 0, 1}, linear over the polygon, wherever that order holds. Where it does not,
  /// heights h' in that order exist with max |h_i - h'_i| at most half the sum of what neighbours are out of
  /// order, and neither the common height nor the sum changes faster than the sum of |h_i - h'_i|. What is
  /// out of order is convex, so it is largest at a corner.
  bool resolve(Column& column, double area);
  /// How far face k of a column lies above the one before it at a point.
  [[nodiscard]] double riseAt(const Column& column, std::size_t k, const Vec3& p) const noexcept;
  void sortByHeight(Column& column, const Vec3& at);
  /// The place of the face of a column, sorted by height, that rises highest above the one
  /// before it at a corner.
  [[nodiscard]] std::size_t worstCrossing(const Column& column) const;
  void bound(Column& column, double area);
  /// A point of the polygon that is clearly inside or clearly outside of every triangle.
  [[nodiscard]] std::optional<Vec3> samplePoint(const Column& column) const;
  /// Positive inside the triangle.
  static double leastOf(const ColumnFace& face, const Vec3& p) noexcept;
  /// Divides the column of one body into stretches in which its triangles may lie, and those between.
  void findStretches(const Column& column, int side, const std::optional<Vec3>& sample);
  void split(const Column& column);
  static std::pair<ConvexPolygon, ConvexPolygon> halved(const ConvexPolygon& polygon);
  /// Cuts along the edge that divides the polygon most evenly.
  std::pair<ConvexPolygon, ConvexPolygon> cutAtEdge(const Column& column) const;

  double reach_ = 0, near_ = 0, bottom_ = 0, top_ = 0;
  std::vector<ColumnFace> faces_;
  std::vector<Column> open_;      ///< a heap
  double lower_ = 0, upper_ = 0;  ///< sums over all columns
  double greatest_ = 0;           ///< of the upper sums so far
  double lost_ = 0;               ///< what rounding may have cost
  std::size_t pieces_ = 0;
  // Scratch:
  std::vector<HalfPlane> sides_;
  std::vector<std::uint32_t> cut_;
  std::vector<std::pair<double, std::uint32_t>> order_;
  std::vector<Range> ranges_;
  std::vector<Stretch> stretches_[2];
};

}  // namespace fitup::detail
