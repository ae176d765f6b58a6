#include <viewer/core/cap_styles.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <viewer/core/colour_likeness.h>

namespace fitup::viewer {
namespace {

struct Hatching {
  double degrees, spacing;
};
/// In the order of preference: as in engineering drawings, first the other direction, then another distance.
constexpr std::array hatchings{Hatching{45, 1},    Hatching{135, 1},    Hatching{45, 1.5}, Hatching{135, 1.5},
                               Hatching{45, 0.75}, Hatching{135, 0.75}, Hatching{20, 1},   Hatching{110, 1},
                               Hatching{70, 1},    Hatching{160, 1},    Hatching{20, 1.5}, Hatching{110, 1.5},
                               Hatching{70, 1.5},  Hatching{160, 1.5}};

/// Soft colours that stand out from each other and from red.
constexpr std::array<Colour, 8> distinct{{{0.62F, 0.78F, 0.92F},
                                          {0.95F, 0.87F, 0.60F},
                                          {0.68F, 0.86F, 0.68F},
                                          {0.80F, 0.72F, 0.90F},
                                          {0.60F, 0.85F, 0.84F},
                                          {0.86F, 0.80F, 0.70F},
                                          {0.74F, 0.80F, 0.60F},
                                          {0.62F, 0.68F, 0.80F}}};
/// Colours nearer than this look alike.
constexpr float leastDistance = 0.17F;
/// Neighbours beyond these are not compared: more cannot all differ anyway.
constexpr std::size_t mostNeighbours = 48;
const Colour overlapRed{0.9F, 0.1F, 0.1F, 1};

float distance(const Colour& a, const Colour& b) {
  return std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

Colour mixed(const Colour& a, const Colour& b, float ofB) {
  const auto mix = [ofB](float x, float y) { return x + (y - x) * ofB; };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), 1};
}

/// Returns for each position the earlier positions whose boxes touch its own.
std::vector<std::vector<std::uint32_t>> earlierNeighbours(const Scene& scene) {
  const std::size_t count = scene.instances().size();
  std::vector<Box> boxes;
  for (const NodeId instance : scene.instances()) boxes.push_back(scene.worldBounds(instance, {}));
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return boxes[i].min.x; });
  std::vector<std::vector<std::uint32_t>> found(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i + 1; k < count && boxes[order[k]].min.x <= boxes[order[i]].max.x; ++k) {
      const auto [early, late] = std::minmax(order[i], order[k]);
      if (found[late].size() < mostNeighbours && boxes[early].overlaps(boxes[late]))
        found[late].push_back(early);
    }
  return found;
}

/// Returns the best of the candidates: the first that is `good` enough, otherwise the one with most.
template <typename Candidates, typename Measure>
const auto& firstGood(const Candidates& candidates, double good, const Measure& measure) {
  const auto* best = candidates.data();
  double most = -1;
  for (const auto& candidate : candidates) {
    const double value = measure(candidate);
    if (value > most) {
      most = value;
      best = &candidate;
    }
    if (value >= good) break;
  }
  return *best;
}

}  // namespace

Colour colourOf(const PartLook& look) {
  const auto channel = [&](unsigned shift) {
    return static_cast<float>((look.colour.value() >> shift) & 0xFFU) / 255;
  };
  return {channel(16), channel(8), channel(0), 1};
}

Colour mainColour(const Assembly& assembly, NodeId instance, const PartLooks& looks) {
  if (const auto look = looks.find(instance); look != looks.end() && look->second.colour)
    return colourOf(look->second);
  if (const auto& own = assembly.node(instance).colour) return *own;
  Colour most;
  double largest = 0;
  std::vector<std::pair<Colour, double>> areas;
  for (const Surface& surface : assembly.meshOf(instance).surfaces()) {
    const Colour colour = surface.colour.value_or(Colour{});
    auto same = std::ranges::find(areas, colour, &std::pair<Colour, double>::first);
    if (same == areas.end()) same = areas.insert(same, {colour, 0});
    same->second += surface.fingerprint.area;
    if (same->second > largest) {
      largest = same->second;
      most = colour;
    }
  }
  return most;
}

std::map<NodeId, CapStyle> capStyles(const Scene& scene, const PartLooks& looks) {
  const auto neighbours = earlierNeighbours(scene);
  std::vector<CapStyle> styles;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const Colour own = mixed(mainColour(scene.assembly(), scene.instances()[i], looks), {1, 1, 1}, 0.3F);
    std::vector<Colour> colours;
    if (!isMistakenFor(own, overlapRed)) colours.push_back(own);
    // Not all parts that look alike change to the same colour.
    for (std::size_t k = 0; k < distinct.size(); ++k)
      colours.push_back(distinct[(neighbours[i].size() + k) % distinct.size()]);
    CapStyle style;
    style.fill = firstGood(colours, leastDistance, [&](const Colour& colour) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const std::uint32_t other : neighbours[i])
        nearest = std::min<double>(nearest, distance(colour, styles[other].fill));
      return nearest;
    });
    const Hatching& hatching = firstGood(hatchings, 1, [&](const Hatching& each) {
      std::size_t uses = 0;
      for (const std::uint32_t other : neighbours[i])
        uses += styles[other].hatchDegrees == each.degrees && styles[other].hatchSpacing == each.spacing ? 1U
                                                                                                         : 0U;
      return 1.0 / static_cast<double>(1 + uses);
    });
    style.hatchDegrees = hatching.degrees;
    style.hatchSpacing = hatching.spacing;
    styles.push_back(style);
  }
  std::map<NodeId, CapStyle> byInstance;
  for (std::size_t i = 0; i < styles.size(); ++i) byInstance.emplace(scene.instances()[i], styles[i]);
  return byInstance;
}

}  // namespace fitup::viewer
