#include <viewer/core/colour_likeness.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace fitup::viewer {
namespace {

constexpr float leastValue = 0.35F;       ///< darker colours do not resemble a shining face
constexpr float leastSaturation = 0.45F;  ///< paler colours look grey beside it
constexpr float sameHue = 25;             ///< degrees; red and the orange of contacts are 30 apart

/// Returns degrees; empty for dark or pale colours.
std::optional<float> hueOf(const Colour& c) {
  const float most = std::max({c.red, c.green, c.blue}), least = std::min({c.red, c.green, c.blue});
  const float range = most - least;
  if (!(most >= leastValue) || !(range >= leastSaturation * most)) return std::nullopt;
  const float sixth = most == c.red     ? (c.green - c.blue) / range
                      : most == c.green ? 2 + (c.blue - c.red) / range
                                        : 4 + (c.red - c.green) / range;
  return 60 * sixth;
}

}  // namespace

bool isMistakenFor(const Colour& own, const Colour& highlight) {
  const auto a = hueOf(own), b = hueOf(highlight);
  return a && b && std::abs(std::remainder(*a - *b, 360.0F)) <= sameHue;
}

bool isDark(const Colour& colour) {
  const auto linear = [](float value) {
    return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
  };
  constexpr float limit = 0.05F;
  return 0.2126F * linear(colour.red) + 0.7152F * linear(colour.green) + 0.0722F * linear(colour.blue) <
         limit;
}

}  // namespace fitup::viewer
