#include <fitup/motion/detail/guarded_pair.h>

#include <string>

#include <fitup/base/borrowed.h>

namespace fitup::detail {

std::vector<GuardedPair> guardedPairs(const Scene& scene, const DragOptions& options,
                                      std::span<const PlacedInstance> moved,
                                      std::span<const PlacedInstance> rest, double fineResolution) {
  const Rules& rules = options.rules;
  const auto pathsOf = [&](std::span<const PlacedInstance> list) {
    std::vector<std::string> paths;
    for (const PlacedInstance& p : list) paths.push_back(rules.empty() ? "" : scene.assembly().path(p.node));
    return paths;
  };
  const std::vector<std::string> movedPaths = pathsOf(moved), restPaths = pathsOf(rest);
  const auto solidOf = [&](const PlacedInstance& p) {
    return PosedSolid{borrowed(scene.solidOf(p.node)), p.worldFromPart};
  };
  std::vector<GuardedPair> pairs;
  for (std::uint32_t i = 0; i < moved.size(); ++i)
    for (std::uint32_t j = 0; j < rest.size(); ++j) {
      if (!rules.empty() && !rules.asksFor(movedPaths[i], restPaths[j])) continue;
      const PosedSolid first = solidOf(moved[i]), second = solidOf(rest[j]);
      GuardedPair& pair = pairs.emplace_back(GuardedPair{i, j});
      pair.isClosed = first.solid->watertightness().closed() && second.solid->watertightness().closed();
      std::optional<double> given = options.tolerance;
      if (!given && !(first.solid->mesh().deflection() && second.solid->mesh().deflection()))
        given = options.unknownTolerance;
      const Rule* const rule = rules.empty() ? nullptr : rules.find(movedPaths[i], restPaths[j]);
      pair.tolerance = pair.isClosed && (!options.strict || options.tolerance)
                           ? effectiveTolerance(toleranceByRule(given, rule, first, second), first, second)
                           : std::max(16 * fineResolution, coordinateRounding(first, second));
    }
  return pairs;
}

}  // namespace fitup::detail
