#include "references.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace fitup::importers {

namespace fs = std::filesystem;

std::optional<fs::path> referenceBelow(const fs::path& folder, std::string_view name) {
  if (name.find('\0') != std::string_view::npos) return std::nullopt;
  std::string text(name);
  std::replace(text.begin(), text.end(), '\\', '/');
  const fs::path path = fs::path(text).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == "..") return std::nullopt;
  // A link, which an archive may bring along, leads anywhere.
  std::error_code error;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return std::nullopt;
  const fs::path target = fs::weakly_canonical(root / path, error);
  if (error) return std::nullopt;
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  if (end != root.end()) return std::nullopt;
  return path;
}

}  // namespace fitup::importers
