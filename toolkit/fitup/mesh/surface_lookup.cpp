#include <fitup/mesh/surface_lookup.h>

namespace fitup {

SurfaceLookup::SurfaceLookup(std::span<const Surface> surfaces) {
  ends_.reserve(surfaces.size());
  std::uint64_t next = 0;  // the next triangle whose surface is stored; 64 bits, so that it cannot wrap
  std::uint32_t last = 0;
  for (const Surface& surface : surfaces) {
    const auto ordinal = static_cast<std::uint32_t>(ends_.size());
    const std::uint32_t end = surface.firstTriangle + surface.triangleCount;
    ends_.push_back(end);
    if (surface.triangleCount > 0) last = ordinal;
    for (; next < end; next += stride) surfaceAt_.push_back(ordinal);
  }
  surfaceAt_.push_back(last);
}

}  // namespace fitup
