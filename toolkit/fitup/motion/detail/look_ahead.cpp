#include <fitup/motion/detail/look_ahead.h>

#include <algorithm>

namespace fitup::detail {

std::optional<double> keepsContactAhead(const PairLimit& limit, const MovingPair& pair, const OnWay& on,
                                        const RigidPath& path, const UniformWay& firstWay, double margin,
                                        Stride& stride, DepthAlong* kept, const QueryLimits& limits) {
  constexpr int mostAttempts = 2;
  if (stride.pauses()) return std::nullopt;
  // A search takes as long as looks at some places. With what was kept, it takes less than one look.
  const bool isShort = kept != nullptr && on.left() <= DepthAlong::longest(pair.first, pair.second);
  if (!isShort) kept = nullptr;
  const std::size_t maxPieces = isShort ? 4000 : 1000;
  double longest = on.left();
  for (int attempt = 0; attempt < mostAttempts; ++attempt, longest /= 4) {
    const double length = isShort ? longest : std::min(stride.length(), on.left());
    const bool isWorthIt = isShort ? attempt == 0 || length > limit.resolution : length > limit.tolerance;
    if (!isWorthIt) return std::nullopt;
    const bool isAll = length >= on.left();
    const double to = isAll ? 1 : on.s + length / on.speed;
    if (limit.keepsAlong(pair, firstWay.worldFromPart(to), path.stretch(on.s, to), length, margin, maxPieces,
                         kept, limits)) {
      // What a short way allows says nothing about long ones.
      stride.succeed(isShort ? Advancement::never : length);
      return isAll ? Advancement::never : to;
    }
    if (!isShort) stride.shorten(length);
  }
  stride.rest();
  return std::nullopt;
}

std::optional<ApartAhead> keepsDistanceAhead(const CollisionModel& first, const UniformWay& firstWay,
                                             const CollisionModel& second, const UniformWay& secondWay,
                                             double speed, DistanceAlongRequest request, Stride& stride) {
  // Bounds over long turns exclude nothing.
  constexpr double longestTurn = 0.5;
  constexpr std::size_t maxPieces = 4000;
  constexpr int mostAttempts = 2;
  if (stride.pauses()) return std::nullopt;
  request.maxPieces = maxPieces;
  for (int attempt = 0; attempt < mostAttempts; ++attempt) {
    const double turn = norm(firstWay.turn) + norm(secondWay.turn);
    double time = std::min(1 - request.from, stride.length() / speed);
    if (turn * time > longestTurn) time = longestTurn / turn;
    const double length = time * speed;
    if (!(length > request.reserve)) return std::nullopt;
    request.to = std::min(1.0, request.from + time);
    const DistanceAlongReport found = distanceAlong(first, firstWay, second, secondWay, request);
    if (found.isComplete) {
      stride.succeed(length);
      if (!(found.until > request.from)) return std::nullopt;
      return ApartAhead{found.until, found.atLeast};
    }
    stride.shorten(length);
  }
  stride.rest();
  return std::nullopt;
}

}  // namespace fitup::detail
