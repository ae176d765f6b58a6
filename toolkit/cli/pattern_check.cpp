#include "pattern_check.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <fitup/scene/rule_attributes.h>

#include "console.h"
#include "options.h"

namespace fitup::cli {
namespace {

/// Prints up to 20 warnings about rules; `noun` is what each is about.
void warn(const std::string& file, const std::vector<std::string>& problems, std::string_view noun) {
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < problems.size() && i < shown; ++i)
    sayTo(stderr, "warning: {}: {}\n", file, problems[i]);
  if (problems.size() > shown)
    sayTo(stderr, "... and {} of {}\n", countText(problems.size() - shown, noun), file);
}

/// The attributes that nothing in the model has.
std::vector<std::string> unmatchedAttributes(const Rules& rules) {
  std::vector<std::string> result;
  for (std::size_t i = 0; rules.resolved && i < rules.rules.size(); ++i) {
    const Rule& rule = rules.rules[i];
    const RuleMatches::OfRule& found = rules.resolved->rules[i];
    const auto look = [&](const char* side, const RuleAttributes& where, bool isFound) {
      if (where.empty() || isFound) return;
      std::vector<std::string> required;
      if (!where.part.empty()) required.push_back(fmt::format("part{} '{}'", side, where.part));
      if (!where.colour.empty()) required.push_back(fmt::format("colour{} {}", side, where.colour));
      if (!where.layer.empty()) required.push_back(fmt::format("layer{} '{}'", side, where.layer));
      result.push_back(fmt::format("rule {}: no instance has {}", i, fmt::join(required, " and ")));
    };
    look("A", rule.whereA, !found.a.empty());
    look("B", rule.whereB, !found.b.empty());
    if (rule.fastener && found.pairs.empty())
      result.push_back(
          fmt::format("rule {}: fastener: no two parts are recognised as a {}", i, name(*rule.fastener)));
  }
  return result;
}

}  // namespace

double millimetresOf(const Assembly& assembly) { return millimetresPer(assembly.unit()).value_or(1); }

void prepareRules(const std::string& file, Rules& rules, const Model& model, const Scene& scene,
                  const Poses& poses, const Progress& progress) {
  rules = resolveAttributes(std::move(rules), scene, poses, millimetresOf(model.assembly), progress);
  requirePatternsMatch(file, rules, model);
  warn(file, unmatchedAttributes(rules), "more attribute");
}

void requirePatternsMatch(const std::string& file, const Rules& rules, const Model& model) {
  if (rules.empty()) return;
  std::vector<std::string> paths;
  for (const NodeId instance : model.assembly.instances()) paths.push_back(model.assembly.path(instance));
  const auto matchesNothing = [&](const std::string& pattern) {
    return std::none_of(paths.begin(), paths.end(),
                        [&](const std::string& path) { return rules.matches(pattern, path); });
  };
  const auto instanceOf = [&](const std::vector<std::string>& patterns) {
    for (const std::string& path : paths)
      for (const std::string& pattern : patterns)
        if (rules.matches(pattern, path)) return path;
    return std::string();
  };
  std::vector<std::string> unmatched;
  const auto look = [&](const std::string& where, const std::string& pattern) {
    if (matchesNothing(pattern))
      unmatched.push_back(fmt::format("{}: no instance matches '{}'", where, pattern));
  };
  if (rules.check) {
    for (const auto& [set, patterns] : {std::pair{"a", &rules.check->a}, std::pair{"b", &rules.check->b}}) {
      if (std::all_of(patterns->begin(), patterns->end(), matchesNothing)) {
        printWarnings(model);  // missing geometry may be the reason
        throw InputError(file, fmt::format("check: {}", set),
                         fmt::format("no instance matches '{}'{}", fmt::join(*patterns, "' or '"),
                                     paths.empty() ? "" : "; there is for example: " + paths.front()));
      }
      for (const std::string& pattern : *patterns) look(fmt::format("check: {}", set), pattern);
    }
    SelectedPairs selected(rules);
    for (const std::string& path : paths) selected.add(path);
    if (selected.within() == 0) {
      printWarnings(model);
      throw InputError(
          file, "check: a, b",
          fmt::format("both contain only '{}', so no pair is left to check", instanceOf(rules.check->a)));
    }
  }
  for (std::size_t i = 0; i < rules.rules.size(); ++i) {
    look(fmt::format("rule {}: a", i), rules.rules[i].a);
    look(fmt::format("rule {}: b", i), rules.rules[i].b);
  }
  warn(file, unmatched, "more pattern");
}

void requirePairs(const std::string& track, std::size_t consideredPairs) {
  if (consideredPairs == 0)
    throw InputError(
        track, "moved",
        "no pair of parts is left to check: nothing in the sets moves relative to anything else");
}

}  // namespace fitup::cli
