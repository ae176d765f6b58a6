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

/// A file as assimp reads it, without its post-processing steps, which merge, drop or reorder elements.
class AssimpFile {
 public:
  /// Converts a reference to another file to its path relative to the file's folder.
  using PathOf = std::function<std::string(const std::string& reference)>;

  /// Opens the file, and of the files that it refers to only `others`. `pathOf`: unset if references are
  /// paths. Throws InputError "not readable as <format>: ..." and std::bad_alloc.
  AssimpFile(const std::filesystem::path& file, const std::string& format, ProgressLines& progress,
             std::set<std::filesystem::path> others = {}, PathOf pathOf = {});

  [[nodiscard]] const aiScene& scene() const { return *importer_.GetScene(); }
  /// The library's messages about geometry that it changed or left out, without those about materials,
  /// textures and animations.
  [[nodiscard]] const std::vector<std::string>& complaints() const noexcept { return complaints_; }

 private:
  Assimp::Importer importer_;
  std::vector<std::string> complaints_;
};

}  // namespace fitup::importers
