#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// The imported file and the files that it refers to: all that an importer opens.
///
/// References may lead only to files below a root folder, both by their text and after links are followed.
/// The importer reads copies in a private folder, which stands for the root. So a digest describes what was
/// read, whatever others do to the files meanwhile, and libraries that follow references by themselves find
/// exactly the files that may be read.
class SourceFile {
 public:
  /// For tests: reads the file in place, with references below its folder.
  explicit SourceFile(const std::filesystem::path& file);
  /// `copy` is the copy of the file; its path from the private folder `copies` equals that of the file from
  /// `root`. Throws FileError.
  SourceFile(const std::filesystem::path& copy, const std::filesystem::path& root,
             const std::filesystem::path& copies);

  /// The original of the copy `bytes`.
  [[nodiscard]] const std::filesystem::path& name() const noexcept { return name_; }
  /// The path to read.
  [[nodiscard]] const std::filesystem::path& bytes() const noexcept { return bytes_; }

  /// The destination of a reference.
  struct Reference {
    enum class Result {
      found,
      missing,
      outside,   ///< not below the root, or not a path
      notPlain,  ///< a folder, a pipe ...
      tooLarge,
      unreadable,
    };
    Result result = Result::missing;
    std::filesystem::path bytes;  ///< the file to read, if found; otherwise its expected place
    /// The reason why it is not read, to follow its name: "is missing". Empty if found.
    std::string problem;
    [[nodiscard]] bool isFound() const noexcept { return result == Result::found; }
  };
  /// Finds `name` ('/' or '\\' between parts), referenced by the file whose bytes are read at `from`. What
  /// was found and what is missing become referenced files.
  Reference find(const std::filesystem::path& from, std::string_view name,
                 std::uintmax_t largest = UINTMAX_MAX);
  /// Finds a name referenced by the source itself.
  Reference find(std::string_view name, std::uintmax_t largest = UINTMAX_MAX) {
    return find(bytes_, name, largest);
  }
  /// Whether the reference would lead to a plain file.
  [[nodiscard]] bool isThere(const std::filesystem::path& from, std::string_view name) const;
  [[nodiscard]] bool isThere(std::string_view name) const { return isThere(bytes_, name); }

  /// Finds what the text of a copy names in quotes, and what those files name in turn, if it exists and
  /// `accepts` its extension (lower case, with the dot): for libraries that follow references by themselves.
  /// `quotes`: the characters that begin and end a name. `textOf` returns the text of a copy, if that is not
  /// its bytes. Throws FileError.
  void findQuoted(const std::filesystem::path& from, std::string_view quotes,
                  const std::function<bool(std::string_view extension)>& accepts,
                  const std::function<std::string(const std::filesystem::path&)>& textOf = {});

  /// Replaces the contents of a copy with a text, for libraries that could not read the file as it is; its
  /// digest remains that of the file. Returns false if there are no copies. Throws FileError.
  bool replaceCopy(const std::filesystem::path& copy, std::string_view text) const;

  /// Whether an absolute path in its shortest form is in the private folder. Libraries that open files by
  /// themselves may open no others, because only copies have a digest.
  [[nodiscard]] bool isCopy(const std::filesystem::path& path) const;

  /// Each file once, in the order of the first request. Paths begin at the source's folder.
  [[nodiscard]] const std::vector<CompanionFile>& referencedFiles() const noexcept { return companions_; }

 private:
  struct Target;
  [[nodiscard]] Target targetOf(const std::filesystem::path& from, std::string_view name) const;
  /// Makes the copy, if there are copies.
  Digest fetch(const std::filesystem::path& file, const std::filesystem::path& copy) const;

  std::filesystem::path name_, bytes_;
  std::filesystem::path root_;    ///< without links
  std::filesystem::path copies_;  ///< stands for `root_`; equal to it if there are no copies
  std::filesystem::path folder_;  ///< the source's, relative to the root
  std::map<std::filesystem::path, Reference> known_;  ///< by the place of the copy
  std::vector<CompanionFile> companions_;
  /// A limit, because sparse files and links make much data of few bytes.
  static constexpr std::uintmax_t mostBytes = std::uintmax_t{8} << 30;
  std::uintmax_t copied_ = 0;
};

}  // namespace fitup::importers
