#include <fitup/query/depth_along.h>

#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/swept_depth.h>

namespace fitup {

bool keepsDepthAlong(const PosedSolid& first, const PosedSolid& second, const UniformMotion& motion,
                     double depth, double rounding, std::size_t maxPieces,
                     const std::function<bool()>& stop) {
  requireSolids(first, second);
  if (!first.solid->watertightness().closed() || !second.solid->watertightness().closed()) return false;
  if (detail::needsBakedSolids(first, second)) return false;
  const auto worldFromLocal = [](const PosedSolid& body, const Transform& worldFromPart) {
    return worldFromPart * Transform::translation(body.solid->mesh().origin());
  };
  const Transform start = worldFromLocal(first, first.worldFromPart),
                  end = worldFromLocal(first, motion.worldFromPart),
                  rest = worldFromLocal(second, second.worldFromPart);
  const Transform toFirst = start.inverse(), toSecond = rest.inverse();
  const detail::SweptMotion ofFirst{toSecond * start, toSecond * end, toSecond.apply(motion.centre),
                                    motion.turn, motion.shift},
      ofSecond{toFirst * rest, end.inverse() * rest, toFirst.apply(motion.centre), motion.turn, motion.shift};
  return detail::SweptDepth(*second.solid, *first.solid, ofFirst)
             .staysWithin(depth, rounding, maxPieces, stop) &&
         detail::SweptDepth(*first.solid, *second.solid, ofSecond)
             .staysWithin(depth, rounding, maxPieces, stop);
}

}  // namespace fitup
