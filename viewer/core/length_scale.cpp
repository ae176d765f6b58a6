#include <viewer/core/length_scale.h>

#include <algorithm>
#include <cmath>

namespace fitup::viewer {

double sizeOf(const Assembly& assembly) {
  Box all;
  for (const NodeId node : assembly.instances()) all.extend(assembly.worldBounds(node));
  const double size = all.empty() ? 0 : 2 * norm(all.halfExtent());
  return size > 0 && std::isfinite(size) ? size : 1;
}

int decimalsFor(double size) { return std::clamp(5 - static_cast<int>(std::floor(std::log10(size))), 2, 12); }

double stepFor(double size) { return std::min(1.0, std::pow(10, std::floor(std::log10(size / 100)))); }

bool fits(double step, double size) { return step <= size / 4 && step >= size * 1e-7; }

}  // namespace fitup::viewer
