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
/// throw InputError that says what stands there instead. Text of any kind does no harm: no list is taken to
/// be as long as a number says, and nothing is read recursively.
class Part21Cursor {
 public:
  Part21Cursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  /// In UTF-8, shortened to `longestName`; empty where it is unset.
  std::string readString();
  std::int64_t readInteger();
  /// Also of a typed parameter such as LENGTH_MEASURE(25.4). Finite.
  double readReal();
  /// Without its points; empty where it is unset.
  std::string_view readEnumeration();
  /// Nothing where it is unset.
  std::optional<std::uint64_t> readReference();
  /// Calls `each` until the list ends, which reads one element. An unset list is empty.
  template <typename Each>
  void readList(const Each& each) {
    if (!beginList()) return;
    while (!endList()) each();
  }
  void skipValue();
  /// Where the next parameter begins, and where the one read last has ended.
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

/// The attributes of an instance. One of a single type has all of them in one row, those of its supertypes
/// first; one of several types has a record for each type.
class Part21Record {
 public:
  /// `at`: as `Part21Entities::positionOf`. Throws InputError where no instance stands.
  Part21Record(std::string_view text, std::size_t at);

  /// At the next attribute of the record of a type; of an instance of a single type, at its next attribute:
  /// ask for these in their order. Throws InputError where an instance of several has no such type.
  Part21Cursor& of(std::string_view type);
  [[nodiscard]] bool has(std::string_view type) const;
  /// In the order of the text; one, or those of the records.
  [[nodiscard]] std::vector<std::string_view> types() const;
  /// Where the text has the name of its first type.
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
