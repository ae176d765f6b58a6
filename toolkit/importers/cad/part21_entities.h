#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fitup::importers {

/// The entity instances of a STEP file as its text declares them (ISO 10303-21, clause 11), and what refers
/// to what: the measure of what a CAD library makes of it. Strings and comments are passed over; nothing is
/// checked against a schema. Time and memory linear in the text, but for sorting.
class Part21Entities {
 public:
  /// An instance that refers to a number which no instance has.
  struct Dangling {
    std::uint64_t entity, reference;
  };

  explicit Part21Entities(std::string_view text);

  /// How many instances of a type there are; instances of several types at once count for none.
  [[nodiscard]] std::size_t countOf(std::string_view type) const;
  /// Numbers that are given to more than one instance, ascending.
  [[nodiscard]] const std::vector<std::uint64_t>& duplicates() const noexcept { return duplicates_; }
  /// In the order of the text; each number that an instance lacks once.
  [[nodiscard]] const std::vector<Dangling>& dangling() const noexcept { return dangling_; }
  /// Of the instances of one type each; the empty one, which those of several have, first.
  [[nodiscard]] const std::vector<std::string>& types() const noexcept { return typeNames_; }
  /// Where the text has what an instance is equal to, its type or the bracket of several; nothing if no
  /// instance has the number.
  [[nodiscard]] std::optional<std::size_t> positionOf(std::uint64_t entity) const;
  /// Empty for instances of several types, and for none.
  [[nodiscard]] std::string_view typeOf(std::uint64_t entity) const;
  /// Numbers of the instances of a type, ascending; of the empty one those of several types.
  [[nodiscard]] std::vector<std::uint64_t> instancesOf(std::string_view type) const;
  /// What an instance refers to, in the order of the text.
  [[nodiscard]] std::span<const std::uint64_t> referencesOf(std::uint64_t entity) const;
  /// The faces that are, or refer to (through others), an instance: those that it can have damaged.
  /// Ascending. Linear in the number of instances that refer to it.
  [[nodiscard]] std::vector<std::uint64_t> facesOf(std::uint64_t entity) const;

 private:
  struct Entity {
    std::uint64_t id = 0;
    std::uint32_t type = 0;  ///< into typeNames_
    std::uint32_t firstReference = 0, referenceCount = 0;
    std::size_t position = 0;
  };

  void scan(std::string_view text);
  void findDuplicates();
  void resolve();
  [[nodiscard]] std::vector<Entity>::const_iterator find(std::uint64_t id) const;
  [[nodiscard]] bool isFace(const Entity& entity) const;

  std::vector<Entity> entities_;  ///< by number, in the order of the text among equals
  std::vector<std::uint64_t> references_;
  std::vector<std::string> typeNames_{std::string()};
  std::vector<std::size_t> counts_{0};
  std::map<std::string, std::uint32_t, std::less<>> types_{{std::string(), 0}};
  std::vector<std::uint64_t> duplicates_;
  std::vector<Dangling> dangling_;
  /// Who refers to the entity at each place: users_[firstUser_[i]] up to firstUser_[i + 1].
  std::vector<std::uint32_t> firstUser_, users_;
};

}  // namespace fitup::importers
