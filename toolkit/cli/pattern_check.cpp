#include "pattern_check.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>

#include "console.h"
#include "options.h"

namespace fitup::cli {

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
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < unmatched.size() && i < shown; ++i)
    sayTo(stderr, "warning: {}: {}\n", file, unmatched[i]);
  if (unmatched.size() > shown)
    sayTo(stderr, "... and {} of {}\n", countText(unmatched.size() - shown, "more pattern"), file);
}

void requirePairs(const std::string& track, std::size_t consideredPairs) {
  if (consideredPairs == 0)
    throw InputError(
        track, "moved",
        "no pair of parts is left to check: nothing in the sets moves relative to anything else");
}

}  // namespace fitup::cli
