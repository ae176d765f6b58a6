#include "source_file.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>
#include <fitup/io/file_digest.h>
#include <fitup/io/formats.h>
#include <fitup/io/import_folder.h>

#include "importer_main.h"

namespace fitup::importers {

namespace fs = std::filesystem;

/// A place below the root.
struct SourceFile::Target {
  bool isOutside = true;
  fs::path fromRoot;  ///< in its shortest form
};

SourceFile::SourceFile(const fs::path& file)
    : name_(file), root_(canonicalFolder(file.parent_path())), copies_(root_), folder_(".") {
  bytes_ = root_ / file.filename();
  known_.emplace(bytes_, Reference{Reference::Result::found, bytes_, {}});
}

SourceFile::SourceFile(const fs::path& copy, const fs::path& root, const fs::path& copies)
    : root_(canonicalFolder(root)), copies_(canonicalFolder(copies)) {
  folder_ = canonicalFolder(copy.parent_path()).lexically_relative(copies_);
  bytes_ = (copies_ / folder_ / copy.filename()).lexically_normal();
  name_ = (root_ / folder_ / copy.filename()).lexically_normal();
  known_.emplace(bytes_, Reference{Reference::Result::found, bytes_, {}});
}

SourceFile::Target SourceFile::targetOf(const fs::path& from, std::string_view name) const {
  if (name.empty() || name.find('\0') != std::string_view::npos) return {};
  std::string text(name);
  std::replace(text.begin(), text.end(), '\\', '/');
  const fs::path folder = root_ / from.parent_path().lexically_relative(copies_);
  const fs::path absolute = (folder / text).lexically_normal();
  // Libraries that follow references by themselves ask for copies.
  const fs::path path = absolute.lexically_relative(isCopy(absolute) ? copies_ : root_);
  if (path.empty() || *path.begin() == "..") return {};
  // A link, for example from an archive, may lead anywhere.
  std::error_code error;
  const fs::path target = fs::weakly_canonical(root_ / path, error);
  if (error || !isBelow(root_, target)) return {};
  return {false, path};
}

bool SourceFile::isCopy(const fs::path& path) const { return isBelow(copies_, path); }

bool SourceFile::isThere(const fs::path& from, std::string_view name) const {
  const Target target = targetOf(from, name);
  std::error_code ignored;
  return !target.isOutside && fs::is_regular_file(root_ / target.fromRoot, ignored);
}

SourceFile::Reference SourceFile::find(const fs::path& from, std::string_view name, std::uintmax_t largest) {
  using Result = Reference::Result;
  const Target target = targetOf(from, name);
  if (target.isOutside) return {Result::outside, {}, "is outside the file's folder and is not read"};
  const fs::path file = root_ / target.fromRoot, copy = copies_ / target.fromRoot;
  if (const auto known = known_.find(copy); known != known_.end()) return known->second;
  CompanionFile companion{file.lexically_relative(root_ / folder_).string(), {}};
  Reference reference{Result::found, copy, {}};
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    reference = {Result::missing, copy, "is missing"};
  else if (!fs::is_regular_file(status))
    reference = {Result::notPlain, copy, "is not a regular file"};
  else if (fs::file_size(file, error) > largest)
    reference = {Result::tooLarge, copy,
                 "is larger than " + std::to_string(largest >> 20) + " MiB and is not read"};
  else if (fs::file_size(file, error) > mostBytes - copied_)
    reference = {Result::tooLarge, copy, "is not read, because the files referred to are too large in total"};
  else
    try {
      companion.digest = fetch(file, copy);
      copied_ = std::min(mostBytes, copied_ + fs::file_size(copy));  // it may have grown meanwhile
    } catch (const FileError& problem) {
      reference = {Result::unreadable, copy, validUtf8(problem.what())};
    }
  companions_.push_back(std::move(companion));
  return known_.emplace(copy, std::move(reference)).first->second;
}

void SourceFile::findQuoted(const fs::path& from, std::string_view quotes,
                            const std::function<bool(std::string_view extension)>& accepts,
                            const std::function<std::string(const fs::path&)>& textOf) {
  constexpr std::size_t longestName = 4096;
  std::set<fs::path> seen{from};
  std::vector<fs::path> unread{from};
  while (!unread.empty()) {
    const fs::path file = std::move(unread.back());
    unread.pop_back();
    const auto contents = textOf ? nullptr : FileBytes::map(file);
    const std::string converted = textOf ? textOf(file) : std::string();
    const std::string_view text = textOf ? std::string_view(converted) : contents->text();
    for (std::size_t begin = text.find_first_of(quotes); begin != text.npos;
         begin = text.find_first_of(quotes, begin)) {
      const std::size_t end = text.find(text[begin], begin + 1);
      if (end == text.npos) break;
      std::string_view name = text.substr(begin + 1, end - begin - 1);
      begin = end + 1;
      name = name.substr(0, name.find('#'));  // a fragment of that file
      if (name.size() > longestName || !accepts(lowerExtension(name)) || !isThere(file, name)) continue;
      const Reference found = find(file, name);
      if (found.isFound() && seen.insert(found.bytes).second) unread.push_back(found.bytes);
    }
  }
}

bool SourceFile::replaceCopy(const fs::path& copy, std::string_view text) const {
  if (copies_ == root_) return false;
  std::error_code ignored;
  fs::remove(copy, ignored);  // a process that has mapped the former bytes keeps them
  writeNewFile(copy, std::as_bytes(std::span(text)));
  return true;
}

Digest SourceFile::fetch(const fs::path& file, const fs::path& copy) const {
  if (file == copy) return digestOfFile(file);
  std::error_code error;
  fs::create_directories(copy.parent_path(), error);
  return copyWithDigest(file, copy);
}

}  // namespace fitup::importers
