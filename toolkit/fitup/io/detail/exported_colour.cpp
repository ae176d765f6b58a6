#include <fitup/io/detail/exported_colour.h>

#include <array>
#include <charconv>

namespace fitup::detail {

Colour exportedColour(const Colour& colour) noexcept {
  const auto component = [](float value) { return value > 0 ? (value < 1 ? value : 1.0F) : 0.0F; };
  return {component(colour.red), component(colour.green), component(colour.blue), component(colour.alpha)};
}

std::string materialName(const Colour& exported) {
  std::string name = "rgba";
  for (const float value : {exported.red, exported.green, exported.blue, exported.alpha}) {
    std::array<char, 32> buffer{};
    name += '_';
    name.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
  }
  return name;
}

}  // namespace fitup::detail
