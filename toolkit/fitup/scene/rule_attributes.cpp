#include <fitup/scene/rule_attributes.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fitup/base/work_meter.h>
#include <fitup/scene/threads.h>

namespace fitup {
namespace {

std::string lowerCase(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string colourText(const Colour& colour) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "#";
  for (const float part : {colour.red, colour.green, colour.blue}) {
    const auto byte = static_cast<unsigned>(std::lround(255 * std::clamp(part, 0.0F, 1.0F)));
    text += {digits[byte / 16], digits[byte % 16]};
  }
  return text;
}

bool hasColour(const Assembly& assembly, NodeId instance, const std::string& colour) {
  if (const auto& own = assembly.node(instance).colour) return colourText(*own) == colour;
  return std::ranges::any_of(assembly.meshOf(instance).surfaces(), [&](const Surface& surface) {
    return surface.colour && colourText(*surface.colour) == colour;
  });
}

bool hasAttributes(const Assembly& assembly, NodeId instance, const RuleAttributes& where) {
  return (where.part.empty() || matchesPattern(where.part, assembly.meshOf(instance).name())) &&
         (where.colour.empty() || hasColour(assembly, instance, lowerCase(where.colour))) &&
         (where.layer.empty() || assembly.isOnLayer(instance, [&](const std::string& layer) {
           return matchesPattern(where.layer, layer);
         }));
}

}  // namespace

Rules resolveAttributes(Rules rules, const Scene& scene, const Poses& poses, double millimetresPerUnit,
                        const Progress& progress) {
  rules.resolved.reset();
  if (std::ranges::none_of(rules.rules, &Rule::needsModel)) return rules;
  const WorkMeter meter(progress);
  const Assembly& assembly = scene.assembly();
  auto matches = std::make_shared<RuleMatches>();
  std::optional<std::set<std::pair<std::string, std::string>>> threads;
  const auto findThreads = [&] {
    threads.emplace();
    for (const auto& [i, j] : threadPairs(scene, poses, millimetresPerUnit, progress))
      threads->insert(std::minmax(scene.paths()[i], scene.paths()[j]));
  };
  for (const Rule& rule : rules.rules) {
    RuleMatches::OfRule& found = matches->rules.emplace_back();
    if (!rule.needsModel()) continue;
    for (std::size_t i = 0; i < scene.instances().size(); ++i) {
      meter.poll();
      const NodeId node = scene.instances()[i];
      if (!rule.whereA.empty() && hasAttributes(assembly, node, rule.whereA))
        found.a.insert(scene.paths()[i]);
      if (!rule.whereB.empty() && hasAttributes(assembly, node, rule.whereB))
        found.b.insert(scene.paths()[i]);
    }
    if (!rule.fastener) continue;
    if (!threads) findThreads();
    found.pairs = *threads;
  }
  rules.resolved = std::move(matches);
  return rules;
}

}  // namespace fitup
