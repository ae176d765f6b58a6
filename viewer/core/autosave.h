#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/project_file.h>

namespace fitup::viewer {

/// What a program that is gone left behind. No other program finds it while this or a copy lives: one alone
/// asks about it.
struct Leftover {
  std::filesystem::path file;  ///< a project
  /// The project that was open, or empty if it had not been saved yet.
  std::filesystem::path original;
  FileVersion version;  ///< which contents of `original` were worked on
  std::filesystem::file_time_type time;
  std::shared_ptr<const void> lock;
};

/// Keeps what is being worked on in a folder of its own, so that it survives a crash. A file that a running
/// program holds is locked by it; the system lets go of the lock however the program ends.
class Autosave {
 public:
  /// Makes the folder. Throws FileError.
  explicit Autosave(std::filesystem::path folder);
  /// Removes its file: the program ends as it should.
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Atomically. `original` is the project's own file, if it has one, as it was at `version`. Throws
  /// FileError.
  void save(const Project& project, const std::filesystem::path& original, const FileVersion& version);
  /// Nothing is left to restore: the project was saved or closed.
  void clear() noexcept;
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

  /// Files in the folder whose program is gone, the newest first.
  [[nodiscard]] std::vector<Leftover> leftovers() const;
  /// Removes a leftover, restored or not wanted.
  static void remove(const Leftover& leftover) noexcept;

 private:
  class Lock;
  std::filesystem::path folder_, file_;
  std::unique_ptr<Lock> lock_;
};

}  // namespace fitup::viewer
