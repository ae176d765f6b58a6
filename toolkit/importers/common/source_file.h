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

/// The file that is imported and those that it refers to: all that an importer opens.
///
/// References lead to files below a root folder only, by their text and behind links. What is read are copies
/// in a private folder, which stands for the root: so a digest says what was read, whatever others do to the
/// files meanwhile, and libraries that follow references by themselves find there what may be read and
/// nothing else.
class SourceFile {
 public:
  /// For tests: read where it lies, references below its folder.
  explicit SourceFile(const std::filesystem::path& file);
  /// `copy` of the file, from the private folder `copies` on as it is itself from `root`. Throws FileError.
  SourceFile(const std::filesystem::path& copy, const std::filesystem::path& root,
             const std::filesystem::path& copies);

  /// Of which `bytes` are a copy.
  [[nodiscard]] const std::filesystem::path& name() const noexcept { return name_; }
  /// To be read.
  [[nodiscard]] const std::filesystem::path& bytes() const noexcept { return bytes_; }

  /// Where a reference leads.
  struct Reference {
    enum class Result {
      found,
      missing,
      outside,   ///< not below the root, or no path
      notPlain,  ///< a folder, a pipe ...
      tooLarge,
      unreadable,
    };
    Result result = Result::missing;
    std::filesystem::path bytes;  ///< what to read, if found; else where it would be
    /// Why it is not read, to stand behind its name: "is missing". Empty if found.
    std::string problem;
    [[nodiscard]] bool isFound() const noexcept { return result == Result::found; }
  };
  /// Of `name` ('/' or '\\' between parts) in the file whose bytes are read at `from`. What was found and
  /// what is missing are referenced files from now on.
  Reference find(const std::filesystem::path& from, std::string_view name,
                 std::uintmax_t largest = UINTMAX_MAX);
  /// Of a name in the source itself.
  Reference find(std::string_view name, std::uintmax_t largest = UINTMAX_MAX) {
    return find(bytes_, name, largest);
  }
  /// Whether such a reference would lead to a plain file.
  [[nodiscard]] bool isThere(const std::filesystem::path& from, std::string_view name) const;
  [[nodiscard]] bool isThere(std::string_view name) const { return isThere(bytes_, name); }

  /// Finds what the text of a copy names in quotes, and what that names in turn, if it is there and its
  /// extension (lower case, with the dot) is one that `accepts`: for libraries that follow references by
  /// themselves. `quotes`: the characters that begin and end a name. `textOf` a copy, where that is not its
  /// bytes. Throws FileError.
  void findQuoted(const std::filesystem::path& from, std::string_view quotes,
                  const std::function<bool(std::string_view extension)>& accepts,
                  const std::function<std::string(const std::filesystem::path&)>& textOf = {});

  /// Puts a text in place of a copy, for libraries that could not read the file as it is; its digest stays
  /// that of the file. False where there are no copies. Throws FileError.
  bool replaceCopy(const std::filesystem::path& copy, std::string_view text) const;

  /// Whether a path, absolute and in its shortest form, is one of the private folder: libraries that open
  /// files by themselves may open no others, for those are not what was copied.
  [[nodiscard]] bool isCopy(const std::filesystem::path& path) const;

  /// Each file once, in the order of the first question. Of a path that begins at the source's folder.
  [[nodiscard]] const std::vector<CompanionFile>& referencedFiles() const noexcept { return companions_; }

 private:
  struct Target;
  [[nodiscard]] Target targetOf(const std::filesystem::path& from, std::string_view name) const;
  /// Makes the copy, if there are copies.
  Digest fetch(const std::filesystem::path& file, const std::filesystem::path& copy) const;

  std::filesystem::path name_, bytes_;
  std::filesystem::path root_;    ///< without links
  std::filesystem::path copies_;  ///< stands for `root_`; the same where there are no copies
  std::filesystem::path folder_;  ///< the source's, from the root
  std::map<std::filesystem::path, Reference> known_;  ///< by the place of the copy
  std::vector<CompanionFile> companions_;
  /// Sparse files and links make much of little.
  static constexpr std::uintmax_t mostBytes = std::uintmax_t{8} << 30;
  std::uintmax_t copied_ = 0;
};

}  // namespace fitup::importers
