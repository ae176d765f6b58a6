#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/project_file.h>

namespace fitup::viewer {

/// Work left behind by a program that has ended. While this object or a copy lives, no other program finds
/// it, so only one program offers it to the user.
struct Leftover {
  std::filesystem::path file;  ///< a project
  /// The project that was open; empty if it had not been saved yet.
  std::filesystem::path original;
  FileVersion version;  ///< the version of `original` that was edited
  std::filesystem::file_time_type time;
  std::shared_ptr<const void> lock;
};

/// Saves the current work in a folder of its own, so that it survives a crash. A running program locks its
/// file; the system releases the lock however the program ends.
class Autosave {
 public:
  /// Makes the folder. Throws FileError.
  explicit Autosave(std::filesystem::path folder);
  /// Removes its file, because the program ends normally, unless `keep` was called.
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Saves atomically. `original` is the project's own file, if any, at `version`. Throws FileError.
  void save(const Project& project, const std::filesystem::path& original, const FileVersion& version);
  /// Removes the saved work, because the project was saved or closed.
  void clear() noexcept;
  /// Leaves what is stored for the next start, as after a crash.
  void keep() noexcept { isKept_ = true; }
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

  /// The files of programs that have ended, newest first.
  [[nodiscard]] std::vector<Leftover> leftovers() const;
  /// Removes a leftover that was restored or is not wanted.
  static void remove(const Leftover& leftover) noexcept;

 private:
  class Lock;
  std::filesystem::path folder_, file_;
  std::unique_ptr<Lock> lock_;
  bool isKept_ = false;
};

}  // namespace fitup::viewer
