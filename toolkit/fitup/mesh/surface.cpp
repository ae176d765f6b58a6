#include <fitup/mesh/surface.h>

#include <array>
#include <charconv>

namespace fitup {
namespace {

std::string digits(double value) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
  return {buffer.data(), end.ptr};
}

}  // namespace

std::string_view name(SurfaceKind kind) noexcept {
  switch (kind) {
    case SurfaceKind::plane:
      return "plane";
    case SurfaceKind::cylinder:
      return "cylinder";
    case SurfaceKind::cone:
      return "cone";
    case SurfaceKind::sphere:
      return "sphere";
    case SurfaceKind::torus:
      return "torus";
    case SurfaceKind::revolution:
      return "revolution";
    case SurfaceKind::extrusion:
      return "extrusion";
    case SurfaceKind::freeform:
      return "freeform";
    case SurfaceKind::unknown:
      break;
  }
  return "unknown";
}

std::string text(const SurfaceDescription& d) {
  std::string result(name(d.kind));
  if (d.kind == SurfaceKind::cylinder || d.kind == SurfaceKind::sphere || d.kind == SurfaceKind::torus)
    result += " d " + digits(2 * d.radius);
  if (d.kind == SurfaceKind::torus) result += " / d " + digits(2 * d.secondRadius);
  if (d.kind == SurfaceKind::cone)
    result += " half angle " + digits(d.halfAngle * 57.29577951308232) + " deg";
  return result;
}

}  // namespace fitup
