#pragma once

#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "importer_main.h"

namespace fitup::importers {

/// A file as assimp reads it, without any of its post-processing steps: those merge, drop or reorder.
class AssimpFile {
 public:
  /// How a reference to another file is written, to its path relative to the file's folder.
  using PathOf = std::function<std::string(const std::string& reference)>;

  /// Of the files that it refers to the `others` may be opened, none else. `pathOf`: unset where references
  /// are paths. Throws InputError "not readable as <format>: ..." and std::bad_alloc.
  AssimpFile(const std::filesystem::path& file, const std::string& format, ProgressLines& progress,
             std::set<std::filesystem::path> others = {}, PathOf pathOf = {});

  [[nodiscard]] const aiScene& scene() const { return *importer_.GetScene(); }
  /// What the library says of geometry that it changed or left out; without what it says of materials,
  /// textures and animations.
  [[nodiscard]] const std::vector<std::string>& complaints() const noexcept { return complaints_; }

 private:
  Assimp::Importer importer_;
  std::vector<std::string> complaints_;
};

}  // namespace fitup::importers
