#include <fitup/io/pictures/detail/finding_view.h>

#include <algorithm>
#include <cmath>

namespace fitup::detail {
namespace {

constexpr std::size_t mostProbes = 48;

std::vector<Vec3> probesOf(const Marking& marking) {
  std::vector<Vec3> probes;
  const std::size_t stride = std::max<std::size_t>(1, marking.size() / mostProbes);
  for (std::size_t i = 0; i < marking.size(); i += stride) {
    Vec3 sum;
    for (const Vec3& p : marking[i]) sum = sum + p;
    probes.push_back(sum * (1.0 / static_cast<double>(marking[i].size())));
  }
  return probes;
}

/// Share of the probes that are visible from far along `back`, or from the plane at `cut` along it.
double seenShare(const std::vector<Vec3>& probes, const RayScene& scene, const Vec3& back, double lift,
                 double reach, std::optional<double> cut) {
  std::size_t seen = 0;
  for (const Vec3& probe : probes) {
    const double length = cut ? *cut - dot(probe, back) : 2 * reach;
    if (length < lift) {
      seen += length > -lift;  // a probe on the plane is visible; one in front of it is cut away
      continue;
    }
    seen += !scene.blocked(probe + lift * back, back, length - lift);
  }
  return static_cast<double>(seen) / static_cast<double>(probes.size());
}

/// Oblique views from above are the most familiar ones.
double preference(const Vec3& back, const Vec3& up) {
  const double height = dot(back, up);
  return 0.12 * (1 - std::abs(height - 0.5)) - (std::abs(height) > 0.95 ? 0.1 : 0);
}

}  // namespace

Camera cameraFor(const FindingView& view, const RayScene& focus, const RayScene* context, const Vec3& worldUp,
                 double aspect, double reach) {
  Box box;
  for (const auto& piece : view.marking)
    for (const Vec3& p : piece) box.extend(p);
  const Vec3 centre = box.centre();
  const double radius = norm(box.halfExtent());
  const double smaller = std::min(view.radiusA, view.radiusB);
  const double halfHeight =
      std::min(std::max({1.5 * radius, 0.3 * smaller, 1e-6 * reach}), 1.1 * (view.radiusA + view.radiusB));
  const std::vector<Vec3> probes = probesOf(view.marking);
  const double lift = 2e-3 * halfHeight;

  const auto best = [&](auto score) {
    std::pair<double, Camera> found{-1, {}};
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          // Slightly off the symmetric directions, so that edges do not coincide in the picture.
          const Camera camera = Camera::looking({x + 0.07 * y, y - 0.11 * x, z + 0.05}, worldUp);
          const double value = score(camera.back) + preference(camera.back, worldUp);
          if (value > found.first) found = {value, camera};
        }
    return found.second;
  };
  const auto seen = [&](const Vec3& back) { return seenShare(probes, focus, back, lift, reach, {}); };
  Camera camera = best([&](const Vec3& back) {
    return seen(back) + (context != nullptr ? 0.4 * seenShare(probes, *context, back, lift, reach, {}) : 0);
  });
  if (seen(camera.back) < 0.12) {
    camera = best([&](const Vec3& back) {
      return seenShare(probes, focus, back, lift, reach, dot(centre, back) + lift);
    });
    camera.cut = lift;
  }
  camera.centre = centre;
  // The marking also fits in width.
  camera.halfHeight = std::max(halfHeight, 1.2 * radius / std::max(1.0, aspect));
  return camera;
}

}  // namespace fitup::detail
