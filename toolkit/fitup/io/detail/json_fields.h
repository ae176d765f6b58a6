#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// Private to .cpp files: nlohmann-json is not part of the toolkit's interface. Numbers are read and written
// in the C locale, whatever the user's locale, and written so that reading gives the same doubles.
namespace fitup::detail {

/// Maximum size in bytes of a file of rules, a track or a project, and of a report. A value of a few bytes of
/// text takes some ten times as many in memory.
inline constexpr std::uint64_t largestJsonFile = std::uint64_t{256} << 20,
                               largestReport = std::uint64_t{2} << 30;

/// Parses a JSON file. Throws FileError, also for more bytes than `largest`, or InputError that names the
/// file and the place of the error, also for nesting deeper than 32 levels and for duplicate names in an
/// object.
nlohmann::json parseJsonFile(const std::filesystem::path& file, std::uint64_t largest = largestJsonFile);
/// The same for the text of such a file; `name` stands for the file in messages. Throws InputError.
nlohmann::json parseJsonText(std::string_view text, const std::string& name);
/// Throws InputError if the text is too large to be read again from a file.
void requireReadable(std::string_view text, const std::string& file);

/// The treatment of invalid UTF-8 in a text to be written: it becomes U+FFFD, or nlohmann::json::exception is
/// thrown.
enum class NotUtf8 { replace, refuse };
/// JSON as text, on one line or with `indent` spaces per level. (The only place that compiles the library's
/// writer.)
std::string toText(const nlohmann::ordered_json& json, int indent = -1, NotUtf8 notUtf8 = NotUtf8::replace);
/// JSON for a terminal: lines of ASCII, with JSON escapes for DEL and all other characters.
std::string toPlainText(const nlohmann::ordered_json& json);

/// The library's message of an error, without the prefix "[json.exception...]".
std::string problemOf(const nlohmann::json::exception& error);

/// A JSON value and its place, for messages: "file: step 3: pose of 'a/b': translation: must be ...".
class JsonField {
 public:
  JsonField(const nlohmann::json& value, std::string file) : value_(&value), file_(std::move(file)) {}

  /// Checks "format" and "version" of a whole file.
  void expectFormat(const std::string& format, int version) const {
    (void)expectFormat(format, version, version);
  }
  /// The same for versions from `first` to `last`; returns the version of the file.
  int expectFormat(const std::string& format, int first, int last) const;
  /// Fails for a member with another name, so that a misspelt one is not ignored.
  void expectOnly(std::initializer_list<std::string_view> names) const;

  [[nodiscard]] bool has(const char* name) const { return value_->is_object() && value_->contains(name); }
  /// A member of an object.
  [[nodiscard]] JsonField at(const char* name) const;
  /// An element of an array. In messages, the label ("step 3") replaces the name of the array.
  [[nodiscard]] JsonField at(std::size_t index, const std::string& label) const;
  /// Number of elements of an array; fails for anything else.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool isText() const { return value_->is_string(); }
  [[nodiscard]] bool isList() const { return value_->is_array(); }
  [[nodiscard]] bool isNull() const { return value_->is_null(); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool boolean() const;
  /// A finite number.
  [[nodiscard]] double number() const;
  /// A whole number from 0 to `largest`.
  [[nodiscard]] std::uint64_t count(std::uint64_t largest = std::numeric_limits<std::uint64_t>::max()) const;
  template <std::size_t n>
  [[nodiscard]] std::array<double, n> numbers() const {
    std::array<double, n> result{};
    readNumbers(result.data(), n);
    return result;
  }
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  JsonField(const nlohmann::json& value, std::string file, std::string place, std::string placeOfElements)
      : value_(&value),
        file_(std::move(file)),
        place_(std::move(place)),
        placeOfElements_(std::move(placeOfElements)) {}
  void readNumbers(double* numbers, std::size_t count) const;
  const nlohmann::json* value_;
  std::string file_, place_, placeOfElements_;
};

}  // namespace fitup::detail
