#include <fitup/io/detail/gltf_frame.h>

#include <array>
#include <utility>

namespace fitup::detail {

std::optional<Transform> gltfFromWorld(std::string_view unit, UpAxis up) noexcept {
  constexpr std::array<std::pair<std::string_view, double>, 5> metres{
      {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"in", 0.0254}, {"ft", 0.3048}}};
  for (const auto& [name, size] : metres) {
    if (name != unit) continue;
    Transform result = Transform::scaling(size, size, size);
    if (up == UpAxis::x) result.m = {{{0, -size, 0}, {size, 0, 0}, {0, 0, size}}};
    if (up == UpAxis::z) result.m = {{{size, 0, 0}, {0, 0, size}, {0, -size, 0}}};
    return result;
  }
  return std::nullopt;
}

}  // namespace fitup::detail
