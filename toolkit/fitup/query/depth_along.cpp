#include <fitup/query/depth_along.h>

#include <optional>

#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/depth_cover.h>
#include <fitup/query/detail/swept_depth.h>

namespace fitup {
namespace {

using detail::DepthCover;
using detail::SweptDepth;
using detail::SweptMotion;

/// The motion as each of the bodies sees the other one; nothing if nothing can be known about the pair.
struct SeenMotions {
  SweptMotion ofFirst, ofSecond;
};
std::optional<SeenMotions> seenMotions(const PosedSolid& first, const PosedSolid& second,
                                       const UniformMotion& motion) {
  requireSolids(first, second);
  if (!first.solid->watertightness().closed() || !second.solid->watertightness().closed())
    return std::nullopt;
  if (detail::needsBakedSolids(first, second)) return std::nullopt;
  const auto worldFromLocal = [](const PosedSolid& body, const Transform& worldFromPart) {
    return worldFromPart * Transform::translation(body.solid->mesh().origin());
  };
  const Transform start = worldFromLocal(first, first.worldFromPart),
                  end = worldFromLocal(first, motion.worldFromPart),
                  rest = worldFromLocal(second, second.worldFromPart);
  const Transform toFirst = start.inverse(), toSecond = rest.inverse();
  return SeenMotions{
      {toSecond * start, toSecond * end, toSecond.apply(motion.centre), motion.turn, motion.shift},
      {toFirst * rest, end.inverse() * rest, toFirst.apply(motion.centre), motion.turn, motion.shift}};
}

}  // namespace

bool keepsDepthAlong(const PosedSolid& first, const PosedSolid& second, const UniformMotion& motion,
                     double depth, double rounding, std::size_t maxPieces,
                     const std::function<bool()>& stop) {
  const auto seen = seenMotions(first, second, motion);
  return seen &&
         SweptDepth(*second.solid, *first.solid, seen->ofFirst)
             .staysWithin(depth, rounding, maxPieces, stop) &&
         SweptDepth(*first.solid, *second.solid, seen->ofSecond)
             .staysWithin(depth, rounding, maxPieces, stop);
}

struct DepthAlong::Impl {
  Impl(const PosedSolid& a, const PosedSolid& b)
      : first(a.solid), second(b.solid), ofFirst(*b.solid, *a.solid), ofSecond(*a.solid, *b.solid) {}
  std::shared_ptr<const SolidModel> first, second;
  DepthCover ofFirst, ofSecond;
};

DepthAlong::DepthAlong() = default;
DepthAlong::~DepthAlong() = default;
DepthAlong::DepthAlong(DepthAlong&&) noexcept = default;
DepthAlong& DepthAlong::operator=(DepthAlong&&) noexcept = default;

double DepthAlong::longest(const PosedSolid& first, const PosedSolid& second) {
  return 0.5 * DepthCover::reachOf(*first.solid, *second.solid);
}

bool DepthAlong::keeps(const PosedSolid& first, const PosedSolid& second, const UniformMotion& motion,
                       double depth, double rounding, std::size_t maxPieces,
                       const std::function<bool()>& stop) {
  const auto seen = seenMotions(first, second, motion);
  if (!seen) return false;
  if (!impl_ || impl_->first != first.solid || impl_->second != second.solid)
    impl_ = std::make_unique<Impl>(first, second);
  return impl_->ofFirst.staysWithin(seen->ofFirst, depth, rounding, maxPieces, stop) &&
         impl_->ofSecond.staysWithin(seen->ofSecond, depth, rounding, maxPieces, stop);
}

}  // namespace fitup
