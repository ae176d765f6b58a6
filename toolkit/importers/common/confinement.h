#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fitup::importers {

/// The rights that remain to a process that reads foreign files. Besides these folders it may read the
/// system's files (libraries, fonts, Open CASCADE's resources, what the C library needs) and nothing else.
struct Allowed {
  std::vector<std::filesystem::path> toRead;   ///< including everything below
  std::vector<std::filesystem::path> toWrite;  ///< and to read; including everything below
  /// Folders from which empty folders may be removed, so that a temporary folder can be deleted.
  std::vector<std::filesystem::path> toTidy;
};

/// The layers of a confinement that are in force in this process. Each layer depends on the system.
struct Confinement {
  bool privileges = false;   ///< set-user-id programs cannot give it new ones
  bool systemCalls = false;  ///< no network, no other programs, no other processes (seccomp)
  int files = 0;             ///< version of Landlock's interface that restricts it to its folders; 0: none
  bool limits = false;       ///< no core file, no locked memory
  /// Returns a line for each layer, such as "files       Landlock 4: ...", or what is missing.
  [[nodiscard]] std::vector<std::string> lines() const;
};

/// Confines this process for the rest of its life. Call it before any byte of a foreign file is read, and
/// while there is one thread. Layers that the system lacks are left out. Builds with sanitizers leave out all
/// layers, because sanitizers start programs and inspect other processes. Throws Error if an existing layer
/// refuses.
Confinement confine(const Allowed& allowed);

}  // namespace fitup::importers
