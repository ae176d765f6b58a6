#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <models/ways_out/scene_maker.h>

namespace fitup::models {
namespace {

constexpr int screwSteps = 32;   ///< around
constexpr int rowsPerPitch = 4;  ///< root, root, crest, crest
constexpr double screwPitch = 8, rootRadius = 10, crestRadius = 13;

enum class ScrewFace : std::uint64_t { thread, side, end };

/// A thread along z, right-handed. Its rows of corners follow the helix: corner i of row j is at the angle
/// i / screwSteps and at the height (j / rowsPerPitch + i / screwSteps) * screwPitch, so that row j +
/// rowsPerPitch begins where row j ends. The first and the last row end in a step, and are continued by round
/// walls.
class Thread {
 public:
  /// `play` widens it, `first` is the number of its first row, and `outward` says on which side air is.
  Thread(double play, int first, int turns, bool outward) : play_(play), first_(first), outward_(outward) {
    const int last = first + turns * rowsPerPitch;
    rows_.resize(static_cast<std::size_t>(last - first + rowsPerPitch + 1));
    for (int j = first; j <= last; ++j)
      for (int i = 0; i < screwSteps; ++i) row(j).push_back(corner(i, j));
    for (int j = last + 1; j <= last + rowsPerPitch; ++j) row(j).push_back(corner(0, j));
    for (int j = first; j < last; ++j)
      for (int i = 0; i < screwSteps; ++i)
        quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), ScrewFace::thread);
    lower_ = ring(radius(first), first * screwPitch / rowsPerPitch - screwPitch);
    upper_ = ring(radius(last), last * screwPitch / rowsPerPitch + 2 * screwPitch);
    closeBelow(first);
    closeAbove(last);
  }

  /// Adds a ring of corners, and the wall from another ring to it.
  std::vector<std::uint32_t> ring(double radius, double z) {
    std::vector<std::uint32_t> corners;
    for (int i = 0; i < screwSteps; ++i) corners.push_back(point(i, radius, z));
    return corners;
  }
  void wall(const std::vector<std::uint32_t>& below, const std::vector<std::uint32_t>& above,
            ScrewFace face) {
    for (int i = 0; i < screwSteps; ++i)
      quad(of(below, i), of(below, i + 1), of(above, i + 1), of(above, i), face);
  }
  void cap(const std::vector<std::uint32_t>& around, double z, bool isUpper) {
    const std::uint32_t centre = point(0, 0, z);
    for (int i = 0; i < screwSteps; ++i) {
      const std::uint32_t a = of(around, i), b = of(around, i + 1);
      isUpper ? triangle(a, b, centre, ScrewFace::end) : triangle(b, a, centre, ScrewFace::end);
    }
  }
  [[nodiscard]] const std::vector<std::uint32_t>& lower() const noexcept { return lower_; }
  [[nodiscard]] const std::vector<std::uint32_t>& upper() const noexcept { return upper_; }
  [[nodiscard]] double heightOf(const std::vector<std::uint32_t>& ring) const { return points_[ring[0]].z; }
  [[nodiscard]] TriangleMesh mesh(const char* name) const {
    return TriangleMesh::from(points_, triangles_, surfaces_, name);
  }

 private:
  std::vector<std::uint32_t>& row(int j) { return rows_[static_cast<std::size_t>(j - first_)]; }
  std::uint32_t at(int i, int j) {
    return i < screwSteps ? row(j)[static_cast<std::size_t>(i)] : row(j + rowsPerPitch)[0];
  }
  [[nodiscard]] double radius(int j) const {
    return (j % rowsPerPitch < 2 ? rootRadius : crestRadius) + play_;
  }
  std::uint32_t point(int i, double r, double z) {
    const double angle = 2 * std::numbers::pi * i / screwSteps;
    points_.push_back({r * std::cos(angle), r * std::sin(angle), z});
    return static_cast<std::uint32_t>(points_.size() - 1);
  }
  std::uint32_t corner(int i, int j) {
    return point(i, radius(j),
                 (static_cast<double>(j) / rowsPerPitch + static_cast<double>(i) / screwSteps) * screwPitch);
  }
  /// Counterclockwise, seen from outside of a body whose air is on the far side of the axis.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, ScrewFace face) {
    outward_ ? triangles_.push_back({a, b, c}) : triangles_.push_back({a, c, b});
    surfaces_.push_back(static_cast<std::uint64_t>(face));
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, ScrewFace face) {
    triangle(a, b, c, face);
    triangle(a, c, d, face);
  }
  /// The walls between the rings and the end rows, and the steps of these rows at the angle 0. The first
  /// two and the last corner of a step lie on the wall, so that the piece of the wall beside it has them all.
  void closeBelow(int j) {
    for (int i = 0; i + 1 < screwSteps; ++i)
      quad(of(lower_, i), of(lower_, i + 1), at(i + 1, j), at(i, j), ScrewFace::side);
    const std::uint32_t end = at(screwSteps - 1, j);
    triangle(end, of(lower_, screwSteps - 1), of(lower_, 0), ScrewFace::side);
    triangle(end, of(lower_, 0), at(0, j), ScrewFace::side);
    triangle(end, at(0, j), at(0, j + 1), ScrewFace::side);
    triangle(end, at(0, j + 1), at(0, j + 4), ScrewFace::side);
    triangle(at(0, j + 1), at(0, j + 2), at(0, j + 3), ScrewFace::side);
    triangle(at(0, j + 1), at(0, j + 3), at(0, j + 4), ScrewFace::side);
  }
  void closeAbove(int j) {
    for (int i = 1; i < screwSteps; ++i)
      quad(at(i, j), at(i + 1, j), of(upper_, i + 1), of(upper_, i), ScrewFace::side);
    const std::uint32_t begin = at(1, j);
    triangle(begin, of(upper_, 1), of(upper_, 0), ScrewFace::side);
    triangle(begin, of(upper_, 0), row(j + 4)[0], ScrewFace::side);
    triangle(begin, row(j + 4)[0], row(j + 1)[0], ScrewFace::side);
    triangle(begin, row(j + 1)[0], row(j)[0], ScrewFace::side);
    triangle(row(j + 1)[0], row(j + 3)[0], row(j + 2)[0], ScrewFace::side);
    triangle(row(j + 1)[0], row(j + 4)[0], row(j + 3)[0], ScrewFace::side);
  }
  static std::uint32_t of(const std::vector<std::uint32_t>& ring, int i) {
    return ring[static_cast<std::size_t>(i % screwSteps)];
  }

  double play_;
  int first_;
  bool outward_;
  std::vector<Vec3> points_;
  std::vector<TriangleIndices> triangles_;
  std::vector<std::uint64_t> surfaces_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<std::uint32_t> lower_, upper_;
};

}  // namespace

WayOutScene makeScrew(double play) {
  requireBetween("screw", "play", play, 0.3, 1, true);
  SceneMaker maker("screw");
  constexpr double nutRadius = 24, headRadius = 20, headHeight = 10;
  // The rows of the nut begin at a crest of the screw, so that its crests pass the ends of the nut.
  Thread hole(play, 2, 2, false);
  const double low = hole.heightOf(hole.lower()), high = hole.heightOf(hole.upper());
  const auto outerLow = hole.ring(nutRadius, low), outerHigh = hole.ring(nutRadius, high);
  hole.wall(outerLow, hole.lower(), ScrewFace::end);
  hole.wall(hole.upper(), outerHigh, ScrewFace::end);
  hole.wall(outerHigh, outerLow, ScrewFace::side);
  maker.place("nut", maker.part(hole.mesh("nut")), restingColour);
  Thread bolt(0, 0, 4, true);
  const double top = bolt.heightOf(bolt.upper()), bottom = bolt.heightOf(bolt.lower());
  const auto head = bolt.ring(headRadius, top), upper = bolt.ring(headRadius, top + headHeight);
  bolt.cap(bolt.lower(), bottom, false);
  bolt.wall(bolt.upper(), head, ScrewFace::end);
  bolt.wall(head, upper, ScrewFace::side);
  bolt.cap(upper, top + headHeight, true);
  const NodeId moved = maker.place("moved", maker.part(bolt.mesh("screw")), movedColour);
  maker.beginWay({moved});
  const double turns = 1 + (high - bottom) / screwPitch;
  maker.turn(0, {{}, {0, 0, 1}, 360 * turns, screwPitch * turns});
  return maker.finish();
}

}  // namespace fitup::models
