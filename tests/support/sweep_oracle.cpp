#include "sweep_oracle.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fitup/query/pair_frame.h>

#include "cgal_oracle.h"

namespace fitup::test {
namespace {

struct SweptTriangle {
  Triangle corners;
  std::array<double, 3> low, high;
  std::uint32_t id;
  bool ofA;
};

/// The contract's placement, deliberately repeated here.
Vec3 placed(const Transform& f, const Vec3& p) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) {
    const auto& row = f.m[static_cast<std::size_t>(i)];
    const double x = row[0] * p.x, y = row[1] * p.y, z = row[2] * p.z;
    const double xy = x + y;
    const double xyz = xy + z;
    r[i] = xyz + f.t[i];
  }
  return r;
}

SweptTriangle swept(const Triangle& t, std::uint32_t id, bool ofA) {
  SweptTriangle s{t, {}, {}, id, ofA};
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    s.low[k] = std::min({t.v[0][i], t.v[1][i], t.v[2][i]});
    s.high[k] = std::max({t.v[0][i], t.v[1][i], t.v[2][i]});
  }
  return s;
}

/// Returns the axis along which the lower ends are scattered most relative to the extents, so that the fewest
/// intervals are open at a time.
std::size_t sweepAxis(const std::vector<SweptTriangle>& all) {
  std::size_t best = 0;
  double bestScore = -1;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = all.front().low[k], high = all.front().high[k], extents = 0;
    for (const SweptTriangle& s : all) {
      low = std::min(low, s.low[k]);
      high = std::max(high, s.high[k]);
      extents += s.high[k] - s.low[k];
    }
    const double score = extents > 0 ? (high - low) / extents : high - low;
    if (score > bestScore) {
      best = k;
      bestScore = score;
    }
  }
  return best;
}

}  // namespace

IntersectionReport sweepOracle(const PosedModel& first, const PosedModel& second, Touching touching) {
  const PairFrame frame = PairFrame::of(first, second);
  const TriangleMesh& a = (frame.swapped ? second : first).model->mesh();
  const TriangleMesh& b = (frame.swapped ? first : second).model->mesh();

  std::vector<SweptTriangle> all;
  for (std::uint32_t i = 0; i < a.triangleCount(); ++i)
    all.push_back(swept(a.triangle(TriangleId(i)), i, true));
  for (std::uint32_t i = 0; i < b.triangleCount(); ++i) {
    Triangle t = b.triangle(TriangleId(i));
    for (Vec3& v : t.v) v = placed(frame.placement.aFromB, v);
    all.push_back(swept(t, i, false));
  }
  IntersectionReport report;
  if (all.empty()) return report;

  const std::size_t axis = sweepAxis(all), u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::sort(all.begin(), all.end(), [&](const auto& s, const auto& t) { return s.low[axis] < t.low[axis]; });
  std::array<std::vector<const SweptTriangle*>, 2> open;
  for (const SweptTriangle& s : all) {
    auto& others = open[s.ofA ? 1 : 0];
    // Closed intervals: one that ends exactly where this one begins still counts.
    std::erase_if(others, [&](const SweptTriangle* o) { return o->high[axis] < s.low[axis]; });
    for (const SweptTriangle* o : others) {
      if (o->high[u] < s.low[u] || s.high[u] < o->low[u] || o->high[v] < s.low[v] || s.high[v] < o->low[v])
        continue;
      if (!cgalIntersect(s.corners, o->corners)) continue;
      if (touching == Touching::exclude && !rationalIntersect(s.corners, o->corners, touching)) continue;
      const std::uint32_t ofA = s.ofA ? s.id : o->id, ofB = s.ofA ? o->id : s.id;
      report.trianglePairs.push_back(frame.swapped ? TrianglePair{TriangleId(ofB), TriangleId(ofA)}
                                                   : TrianglePair{TriangleId(ofA), TriangleId(ofB)});
    }
    open[s.ofA ? 0 : 1].push_back(&s);
  }

  std::sort(report.trianglePairs.begin(), report.trianglePairs.end());
  const TriangleMesh &meshOfFirst = first.model->mesh(), &meshOfSecond = second.model->mesh();
  for (const TrianglePair& p : report.trianglePairs)
    report.surfacePairs.push_back({meshOfFirst.surfaceOf(p.a), meshOfSecond.surfaceOf(p.b)});
  std::sort(report.surfacePairs.begin(), report.surfacePairs.end());
  report.surfacePairs.erase(std::unique(report.surfacePairs.begin(), report.surfacePairs.end()),
                            report.surfacePairs.end());
  return report;
}

}  // namespace fitup::test
