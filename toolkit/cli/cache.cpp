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
        entry.source.empty() ? "(damaged, or of another version)" : entry.source);
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
  CLI::App* command = app.add_subcommand("cache", "What is kept of imported files, or remove it");
  command->require_subcommand(1);
  command->add_subcommand("list", "List what is kept, the last used first");
  command->add_subcommand("clear", "Remove all of it")->callback([isClear] { *isClear = true; });
  command->footer(
      "Models that were imported are kept in fitup below XDG_CACHE_HOME (or ~/.cache), for the user alone,\n"
      "and read instead of a file of the same bytes. What was not used for longest goes first when there "
      "are\n"
      "more than FITUP_CACHE_LIMIT MiB (8192). It may be removed at any time.\n"
      "Examples:\n"
      "  fitup cache list\n"
      "  fitup cache clear");
  return [isClear] { return *isClear ? clearCache() : listCache(); };
}

}  // namespace fitup::cli
