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

/// A folder of models that were imported before, each under a key that says from which bytes and how.
///
/// The folder belongs to the user alone, for what it holds is believed: it must be the user's own, and nobody
/// else may write to it or to where it lies. Thread-safe; several programs may use one folder at once.
class ModelCache {
 public:
  static constexpr std::uint64_t usualLimit = std::uint64_t{8} << 30;

  /// `fitup` below the folder that the environment variable XDG_CACHE_HOME names (if by an absolute path),
  /// else below `.cache` in HOME, as the XDG base directory specification has it. Throws FileError where
  /// neither is set.
  static std::filesystem::path userFolder();
  /// What the environment variable FITUP_CACHE_LIMIT says, in MiB; else, and where that is no whole number,
  /// `usualLimit`.
  static std::uint64_t userLimit();

  /// Makes the folder if it is not there. Throws FileError that says why the folder cannot be used.
  explicit ModelCache(std::filesystem::path folder = userFolder(), std::uint64_t limit = userLimit());

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  /// Bytes; what was used least recently goes when there are more.
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

  struct Entry {
    std::filesystem::path file;  ///< a model file
    std::string source;          ///< path of the file that was imported; empty if it is not known
    std::uint64_t bytes = 0;
    std::chrono::system_clock::time_point used;
  };
  /// The most recently used first.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Removes all entries, and what interrupted programs left; the bytes that were freed.
  std::uint64_t clear() const;

  /// The model of a key if it is whole and the files that it refers to, by paths from `folder`, are as they
  /// were and below `root` (unset: `folder`); it is then the most recently used one. Its trees are trusted.
  /// Throws CancelledError only.
  [[nodiscard]] std::optional<Model> find(const Digest& key, const std::filesystem::path& folder,
                                          const std::optional<std::filesystem::path>& root = {},
                                          const Progress& progress = {}) const;
  /// Replaces what was there, and makes room. A model that alone exceeds the limit is not kept. Throws
  /// FileError and CancelledError.
  void keep(const Digest& key, const Model& model, const Progress& progress = {}) const;

 private:
  class Folder;
  [[nodiscard]] std::filesystem::path fileOf(const Digest& key) const;
  void makeRoom() const;

  std::filesystem::path folder_;
  std::shared_ptr<const Folder> open_;  ///< what was looked at, whatever the name leads to later
  std::uint64_t limit_;
};

}  // namespace fitup
