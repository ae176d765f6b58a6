#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fitup::importers {

/// What a process that reads foreign files is left with. Beside these folders it may read the system's (its
/// libraries, fonts, Open CASCADE's resources, what the C library looks at) and nothing else.
struct Allowed {
  std::vector<std::filesystem::path> toRead;   ///< with all below
  std::vector<std::filesystem::path> toWrite;  ///< and to read; with all below
  /// Folders of which empty folders may be removed, so that a temporary folder can go.
  std::vector<std::filesystem::path> toTidy;
};

/// What of a confinement is in force in this process. Each layer depends on what the system has.
struct Confinement {
  bool privileges = false;   ///< no new ones can be had from set-user-id programs
  bool systemCalls = false;  ///< no network, no other programs, no other processes (seccomp)
  int files = 0;             ///< version of Landlock's interface that keeps it to its folders; 0: none does
  bool limits = false;       ///< no core file, no locked memory
  /// A line for each layer, "files       Landlock 4: ..." or what is missing.
  [[nodiscard]] std::vector<std::string> lines() const;
};

/// Confines this process for the rest of its life. To be called before a byte of a foreign file is looked at
/// and while there is one thread. Layers that the system lacks are left out, and so are all of them in builds
/// with sanitizers, which start programs and look at other processes themselves. Throws Error where a layer
/// is there and refuses.
Confinement confine(const Allowed& allowed);

}  // namespace fitup::importers
