#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/base/digest.h>
#include <fitup/base/progress.h>
#include <fitup/io/model_file.h>

namespace FITUP_EXPORT fitup {

/// A folder of imported models, each under a key that identifies the source bytes and the import.
///
/// The contents of the folder are trusted, so it must belong to the user, and nobody else may write to it or
/// to the folders above it. Thread-safe; several programs may use one folder at once.
class ModelCache {
 public:
  static constexpr std::uint64_t usualLimit = std::uint64_t{8} << 30;

  /// The folder `fitup` below the one that the environment variable XDG_CACHE_HOME names (if it is an
  /// absolute path), otherwise below `.cache` in HOME, as in the XDG base directory specification. Throws
  /// FileError if neither is set.
  static std::filesystem::path userFolder();
  /// The value of the environment variable FITUP_CACHE_LIMIT, in MiB. `usualLimit` if it is unset or not a
  /// whole number.
  static std::uint64_t userLimit();

  /// Makes the folder if it does not exist. Throws FileError, which says why the folder cannot be used.
  explicit ModelCache(std::filesystem::path folder = userFolder(), std::uint64_t limit = userLimit());

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Maximum number of bytes; beyond it, the least recently used models are removed.
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  /// A stored model.
  struct Entry {
    std::filesystem::path file;  ///< a model file
    std::string source;          ///< path of the imported file; empty if unknown
    std::uint64_t bytes = 0;
    std::chrono::system_clock::time_point used;
  };
  /// All entries, most recently used first.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Removes all entries and the leftovers of interrupted programs. Returns the number of bytes freed.
  std::uint64_t clear() const;

  /// The model of a key, if it is undamaged and the files that it refers to, by paths from `folder`, are
  /// unchanged and below `root` (unset: `folder`). It becomes the most recently used one. Its trees are
  /// trusted. Throws only CancelledError.
  [[nodiscard]] std::optional<Model> find(const Digest& key, const std::filesystem::path& folder,
                                          const std::optional<std::filesystem::path>& root = {},
                                          const Progress& progress = {}) const;
  /// Stores a model, replacing an earlier one, and removes old entries if needed. A model that exceeds the
  /// limit by itself is not stored. Throws FileError and CancelledError.
  void keep(const Digest& key, const Model& model, const Progress& progress = {}) const;

 private:
  class Folder;
  [[nodiscard]] std::filesystem::path fileOf(const Digest& key) const;
  void makeRoom() const;

  std::filesystem::path folder_;
  std::shared_ptr<const Folder> open_;  ///< the folder that was checked, wherever the path leads later
  std::uint64_t limit_;
};

}  // namespace fitup
