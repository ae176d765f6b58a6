#include <chrono>
#include <ctime>
#include <memory>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fitup/base/count_text.h>
#include <fitup/io/model_cache.h>

#include "commands.h"
#include "console.h"

namespace fitup::cli {
namespace {

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

int listCache() {
  const ModelCache cache;
  std::uint64_t bytes = 0;
  const std::vector<ModelCache::Entry> entries = cache.entries();
  for (const ModelCache::Entry& entry : entries) {
    bytes += entry.bytes;
    const std::time_t used = std::chrono::system_clock::to_time_t(entry.used);
    say("{}  {:>10}  {}\n", fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(used)), megabytes(entry.bytes),
        entry.source.empty() ? "(damaged, or written by another version)" : entry.source);
  }
  say("{}, {} of at most {} in {}\n", countText(entries.size(), "model"), megabytes(bytes),
      megabytes(cache.limit()), cache.folder().string());
  return exitNothingFound;
}

int clearCache() {
  const ModelCache cache;
  say("{} freed in {}\n", megabytes(cache.clear()), cache.folder().string());
  return exitNothingFound;
}

}  // namespace

Command addCache(CLI::App& app) {
  auto isClear = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("cache", "List or remove the cached imports");
  command->require_subcommand(1);
  command->add_subcommand("list", "List the cached models, the most recently used first");
  command->add_subcommand("clear", "Remove all cached models")->callback([isClear] { *isClear = true; });
  command->footer(
      "Imported models are kept in the folder fitup below XDG_CACHE_HOME (or ~/.cache), which only the user "
      "can\nread. A file with the same bytes is not imported again. If the cache exceeds FITUP_CACHE_LIMIT "
      "MiB (8192),\nthe least recently used models are removed first. You may remove the cache at any "
      "time.\nExamples:\n  fitup cache list\n  fitup cache clear");
  return [isClear] { return *isClear ? clearCache() : listCache(); };
}

}  // namespace fitup::cli
