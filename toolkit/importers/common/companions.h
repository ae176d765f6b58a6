#pragma once

#include <ctime>
#include <filesystem>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Says what the files that a source refers to were like when they were read. To be made before any of them
/// is; files may be asked about once they have been read.
class Companions {
 public:
  /// `folder`: the source's.
  explicit Companions(std::filesystem::path folder);

  /// Of a file that was read, or looked for in vain: by its path from the source's folder. Without a hash
  /// where it cannot be read, and where it has changed since, so that nobody can tell what was read of it:
  /// the model is then out of date at once.
  [[nodiscard]] CompanionFile of(const std::filesystem::path& file) const;

 private:
  std::filesystem::path folder_;
  std::timespec begun_{};  ///< on the clock of the file system's times
};

}  // namespace fitup::importers
