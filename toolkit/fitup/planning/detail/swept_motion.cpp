#include <fitup/planning/detail/swept_motion.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/work_meter.h>

namespace fitup::detail {
namespace {

/// More would take longer than anybody waits.
constexpr std::size_t mostPieces = 4'000'000;

/// A model of the part with this map applied to it, for placements that change lengths.
std::shared_ptr<const CollisionModel> mapped(const CollisionModel& model, const Transform& map) {
  const TriangleMesh& mesh = model.mesh();
  std::vector<Vec3> points(mesh.points().size());
  for (std::uint32_t i = 0; i < points.size(); ++i) points[i] = map.apply(mesh.pointInPart(i));
  return CollisionModel::build(std::make_shared<const TriangleMesh>(withPoints(mesh, points)));
}

SweptBody makeBody(const Scene& scene, NodeId node, const WorkMeter& meter) {
  SweptBody body;
  body.instance = node;
  const PartId part = scene.assembly().partOf(node);
  const Transform& worldFromPart = scene.designPlacement(node);
  Transform partFromMesh;
  std::shared_ptr<const SolidModel> solid;
  if (worldFromPart.kind() == TransformKind::affine) {
    body.model = mapped(*scene.collisionModel(part), worldFromPart);
    body.besides = body.model->mesh().validation().largestRounding * std::sqrt(3.0);
    partFromMesh = worldFromPart.inverse();
    solid = SolidModel::build(body.model, meter);
  } else {
    body.model = scene.collisionModel(part);
    solid = scene.solid(part);
  }
  body.partFromLocal = partFromMesh * Transform::translation(body.model->mesh().origin());
  if (solid->watertightness().closed()) {
    body.solid = solid;
    // The boundary may lie beside the part's triangles by as much as seams were joined over.
    body.besides += 2 * solid->repairs().joinedWithin;
  }
  return body;
}

/// Fills in what depends on the interval.
void setInterval(SweptPiece& piece, const SweptBody& body) {
  const UniformWay& way = body.ways[piece.step].way;
  const Transform atFrom = body.worldFromLocal(piece.step, piece.from),
                  atTo = body.worldFromLocal(piece.step, piece.to);
  piece.localFromWorldAtFrom = atFrom.inverse();
  piece.localFromWorldAtTo = atTo.inverse();
  piece.turn = way.turn;
  piece.centreAtFrom = way.centre + way.shift * piece.from;
  piece.centreAtTo = way.centre + way.shift * piece.to;
  const double width = piece.to - piece.from;
  piece.sagOfShift = 0.125 * width * width * 2 * norm(cross(way.turn, way.shift));
  const Aabb& bounds = body.model->mesh().bounds();
  const Box local{toVec3(bounds.min), toVec3(bounds.max)};
  if (body.frame) piece.relative.emplace(body, piece.step, piece.from, piece.to, local);
  piece.box = placedBox(atFrom, local);
  piece.box.extend(placedBox(atTo, local));
  // No point is farther from where it is at one of the ends than half of the way.
  const double beside = 0.5 * width * (piece.relative ? piece.relative->speed : body.ways[piece.step].speed);
  piece.box.min = piece.box.min - Vec3{beside, beside, beside};
  piece.box.max = piece.box.max + Vec3{beside, beside, beside};
}

/// The largest sag of the points within `reach` of the piece's box. It is convex, so a corner has it.
double largestSag(const SweptPiece& piece, double reach) {
  double sag = 0;
  const Vec3 centre = piece.box.centre(), half = piece.box.halfExtent() + Vec3{reach, reach, reach};
  for (unsigned i = 0; i < 8; ++i)
    sag = std::max(sag, piece.sagOf({centre.x + ((i & 1) != 0 ? half.x : -half.x),
                                     centre.y + ((i & 2) != 0 ? half.y : -half.y),
                                     centre.z + ((i & 4) != 0 ? half.z : -half.z)}));
  return sag;
}

/// Makes piece `at` out of its two halves.
void joinHalves(SweptMotion& motion, std::uint32_t at) {
  SweptPiece& piece = motion.pieces[at];
  const SweptPiece &first = motion.pieces[piece.firstHalf], &second = motion.pieces[piece.firstHalf + 1];
  piece.step = first.step;
  piece.from = first.from;
  piece.to = second.to;
  piece.localFromWorldAtFrom = first.localFromWorldAtFrom;
  piece.localFromWorldAtTo = second.localFromWorldAtTo;
  piece.box = first.box;
  piece.box.extend(second.box);
  piece.middle = piece.box.centre();
  const Transform &a = piece.localFromWorldAtFrom, &j = first.localFromWorldAtTo,
                  &b = piece.localFromWorldAtTo;
  const Vec3 atA = a.apply(piece.middle), atJ = j.apply(piece.middle), atB = b.apply(piece.middle);
  const double before = norm(atJ - atA), after = norm(atB - atJ);
  const double share = before + after > 0 ? before / (before + after) : 0.5;
  double square = 0;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      const double d = j.m[r][c] - ((1 - share) * a.m[r][c] + share * b.m[r][c]);
      square += d * d;
    }
  piece.joint = share;
  piece.sagAtMiddle = std::max(first.sagOf(piece.middle), second.sagOf(piece.middle)) +
                      norm(atJ - ((1 - share) * atA + share * atB));
  piece.sagFromMiddle = std::max(first.sagSlope(), second.sagSlope()) + std::sqrt(square);
}

/// Makes piece `at` of the ways from `first` to `last`, as a tree, and everything below it.
void joinWays(SweptMotion& motion, std::uint32_t at, std::uint32_t body, std::size_t first, std::size_t last,
              double end) {
  motion.pieces[at].body = body;
  if (last - first == 1) {
    SweptPiece& piece = motion.pieces[at];
    piece.step = static_cast<std::uint32_t>(first);
    piece.to = end;
    setInterval(piece, motion.bodies[body]);
    return;
  }
  const auto half = static_cast<std::uint32_t>(motion.pieces.size());
  motion.pieces[at].firstHalf = half;
  motion.pieces.resize(half + 2);
  const std::size_t middle = first + (last - first) / 2;
  joinWays(motion, half, body, first, middle, end);
  joinWays(motion, half + 1, body, middle, last, end);
  joinHalves(motion, at);
}

}  // namespace

RelativeCurve::RelativeCurve(const SweptBody& body, std::uint32_t step, double from, double to,
                             const Box& local) {
  constexpr double tiny = 0x1p-44;  // of the magnitudes that cancel: far more than their rounding
  const UniformWay &own = body.ways[step].way, &frame = (*body.frame)[step];
  const Vec3 shift = frame.shift - own.shift;
  double towards = 0, apart = 0;  // speed of the centre of the body; largest distance of the centres
  const std::array<double, 2> ends{from, to};
  for (std::size_t e = 0; e < 2; ++e) {
    const Transform frameFromOutside = frame.worldFromPart(ends[e]).inverse();
    const Vec3 offset = frame.centre + frame.shift * ends[e] - (own.centre + own.shift * ends[e]);
    turnOfBody[e] = frameFromOutside.applyToVector(own.turn);
    ofCentres[e] =
        frameFromOutside.applyToVector(cross(own.turn, cross(own.turn, offset)) - 2 * cross(own.turn, shift));
    if (e == 0) {
      turn = frameFromOutside.applyToVector(frame.turn);
      centre = frameFromOutside.apply(frame.centre + frame.shift * from);
    }
    // It is linear in s.
    towards = std::max(towards, norm(cross(frame.turn, offset) - shift));
    apart = std::max(apart, norm(offset));
  }
  const double width = to - from, a = norm(own.turn), b = norm(frame.turn), both = (a + b) * (1 + 0x1p-20);
  const Vec3 difference = frame.turn - own.turn;
  matrix =
      (dot(difference, difference) + norm(cross(frame.turn, own.turn)) + tiny * both * both) * (1 + 0x1p-20);
  between = 0.125 * width * width * matrix * b;
  rounding = tiny * both * both;
  ofOffsets = tiny * both *
              (both * (norm(frame.centre) + norm(own.centre) + apart) + norm(frame.shift) + norm(own.shift));
  // The velocity at a point p of the body is that of its centre, and the difference of the turns times the
  // distance of p from there, which does not change.
  const Transform outside = own.worldFromPart(from) * body.partFromLocal;
  const Vec3 middle = own.centre + own.shift * from;
  double reach = 0;
  for (unsigned i = 0; i < 8; ++i)
    reach = std::max(reach, norm(outside.apply({(i & 1) != 0 ? local.max.x : local.min.x,
                                                (i & 2) != 0 ? local.max.y : local.min.y,
                                                (i & 4) != 0 ? local.max.z : local.min.z}) -
                                 middle));
  speed = (towards + norm(difference) * reach) * (1 + 0x1p-20) + ofOffsets +
          tiny * both * (reach + norm(frame.centre) + norm(own.centre) + apart);
}

double RelativeCurve::acceleration(const Vec3& x) const noexcept {
  const Vec3 d = x - centre, across = cross(turn, d);
  double most = 0;
  for (std::size_t e = 0; e < 2; ++e) {
    const Vec3& a = turnOfBody[e];
    most = std::max(most,
                    norm(cross(turn, across) - 2 * cross(a, across) + cross(a, cross(a, d)) + ofCentres[e]));
  }
  return most + between * norm(across) + rounding * norm(d) + ofOffsets;
}

double SweptPiece::sagOf(const Vec3& x) const noexcept {
  if (joint) return (sagAtMiddle + sagFromMiddle * norm(x - middle)) * (1 + 0x1p-20);
  if (relative) return 0.125 * (to - from) * (to - from) * relative->acceleration(x) * (1 + 0x1p-20);
  const double reach = std::max(norm(cross(turn, x - centreAtFrom)), norm(cross(turn, x - centreAtTo)));
  const double width = to - from;
  return (sagOfShift + 0.125 * width * width * norm(turn) * reach) * (1 + 0x1p-20);
}

double SweptPiece::sagSlope() const noexcept {
  if (joint) return sagFromMiddle;
  const double width = to - from, angle = norm(turn);
  if (relative) return 0.125 * width * width * relative->slope();
  return 0.125 * width * width * angle * angle;
}

SweptMotion makeSweptMotion(const Scene& scene, const Track& track, const InstanceWaysRequest& request,
                            const Progress& progress) {
  SweptMotion motion;
  const WorkMeter meter(progress);
  TrackWays ways = instanceWays(scene, track, request, progress);
  std::shared_ptr<const std::vector<UniformWay>> frame;
  if (!ways.frame.empty()) frame = std::make_shared<const std::vector<UniformWay>>(std::move(ways.frame));
  Box design;
  for (InstanceWays& moved : ways.instances) {
    motion.bodies.push_back(makeBody(scene, moved.instance, meter));
    motion.bodies.back().ways = std::move(moved.ways);
    motion.bodies.back().frame = frame;
    design.extend(moved.box);
    motion.rounding = std::max(motion.rounding, motion.bodies.back().besides);
  }
  if (motion.bodies.empty()) return motion;
  motion.size = 2 * norm(design.halfExtent());
  motion.rounding += ways.rounding;
  motion.pieces.resize(motion.bodies.size());
  for (std::uint32_t b = 0; b < motion.bodies.size(); ++b) {
    meter.poll();
    joinWays(motion, b, b, 0, motion.bodies[b].ways.size(), track.steps.size() > 1 ? 1 : 0);
    motion.box.extend(motion.pieces[b].box);
  }
  motion.unhalved = motion.pieces.size();
  return motion;
}

void halvePieces(SweptMotion& motion, double reach, double sag) {
  motion.pieces.resize(motion.unhalved);
  for (std::uint32_t i = 0; i < motion.pieces.size(); ++i) {
    if (motion.pieces[i].joint) continue;
    motion.pieces[i].firstHalf = SweptPiece::none;
    if (largestSag(motion.pieces[i], reach) <= sag) continue;
    if (motion.pieces.size() + 2 > mostPieces)
      throw InputError("swept volume", "step " + std::to_string(motion.pieces[i].step),
                       "turns too far for this accuracy");
    motion.pieces[i].firstHalf = static_cast<std::uint32_t>(motion.pieces.size());
    const double middle = 0.5 * (motion.pieces[i].from + motion.pieces[i].to);
    for (const bool first : {true, false}) {
      SweptPiece half = motion.pieces[i];
      half.firstHalf = SweptPiece::none;
      (first ? half.to : half.from) = middle;
      setInterval(half, motion.bodies[half.body]);
      motion.pieces.push_back(half);
    }
  }
}

}  // namespace fitup::detail
