#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "part21_file.h"

namespace fitup::importers {

/// Reads the parameters of an entity instance (ISO 10303-21, clause 11) one after the other. The functions
/// throw InputError that names what was found instead. Text of any kind is safe: no list is assumed to be as
/// long as a number says, and nothing is read recursively.
class Part21Cursor {
 public:
  Part21Cursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  /// Returns UTF-8, shortened to `longestName`; empty if unset.
  std::string readString();
  std::int64_t readInteger();
  /// Reads also a typed parameter such as LENGTH_MEASURE(25.4). The result is finite.
  double readReal();
  /// Returns the word without its points; empty if unset.
  std::string_view readEnumeration();
  /// Empty if unset.
  std::optional<std::uint64_t> readReference();
  /// Calls `each`, which reads one element, until the list ends. An unset list is empty.
  template <typename Each>
  void readList(const Each& each) {
    if (!beginList()) return;
    while (!endList()) each();
  }
  void skipValue();
  /// Returns the beginning of the next parameter (`begin`), or the end of the last one read (`end`).
  [[nodiscard]] std::size_t begin();
  [[nodiscard]] std::size_t end() const noexcept { return end_; }

 private:
  bool beginList();
  bool endList();
  bool isUnset();
  void skipSpace();
  void skipString();
  void endValue();
  [[noreturn]] void refuse(const char* expected) const;

  std::string_view text_;
  std::size_t at_, end_ = 0;
  bool isAfterComma_ = false;
};

/// The attributes of an instance. An instance of one type has all of them in one row, those of its supertypes
/// first; an instance of several types has a record for each type.
class Part21Record {
 public:
  /// `at`: as `Part21Entities::positionOf`. Throws InputError if there is no instance.
  Part21Record(std::string_view text, std::size_t at);

  /// Returns the cursor at the next attribute of the record of a type. For an instance of one type it is at
  /// the next attribute of the instance, so ask in the order of the attributes. Throws InputError if an
  /// instance of several types lacks this one.
  Part21Cursor& of(std::string_view type);
  [[nodiscard]] bool has(std::string_view type) const;
  /// In the order of the text: one type, or those of the records.
  [[nodiscard]] std::vector<std::string_view> types() const;
  /// The position of its first type's name in the text.
  [[nodiscard]] std::size_t typeBegin() const noexcept { return typeBegin_; }
  [[nodiscard]] bool hasSeveralTypes() const noexcept { return several_; }

 private:
  struct Entry {
    std::string_view type;
    Part21Cursor cursor;
  };
  std::deque<Entry> entries_;
  std::size_t typeBegin_ = 0;
  bool several_ = false;
};

}  // namespace fitup::importers
