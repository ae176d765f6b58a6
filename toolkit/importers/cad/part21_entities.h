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

/// The entity instances that the text of a STEP file declares (ISO 10303-21, clause 11), and their
/// references: the reference for what a CAD library makes of the file. Strings and comments are skipped;
/// nothing is checked against a schema. Time and memory are linear in the text, except for sorting.
class Part21Entities {
 public:
  /// An instance with a reference to a number that no instance has.
  struct Dangling {
    std::uint64_t entity, reference;
  };

  explicit Part21Entities(std::string_view text);

  /// Returns the number of instances of a type. Instances of several types are not counted.
  [[nodiscard]] std::size_t countOf(std::string_view type) const;
  /// Numbers that more than one instance has, ascending.
  [[nodiscard]] const std::vector<std::uint64_t>& duplicates() const noexcept { return duplicates_; }
  /// In the order of the text; each missing number once for each instance.
  [[nodiscard]] const std::vector<Dangling>& dangling() const noexcept { return dangling_; }
  /// The types of all instances of one type; the first is the empty one, for instances of several types.
  [[nodiscard]] const std::vector<std::string>& types() const noexcept { return typeNames_; }
  /// Returns the position in the text of an instance's type, or of its opening bracket if it has several.
  /// Empty if no instance has the number.
  [[nodiscard]] std::optional<std::size_t> positionOf(std::uint64_t entity) const;
  /// Returns the type; empty for instances of several types and for unknown numbers.
  [[nodiscard]] std::string_view typeOf(std::uint64_t entity) const;
  /// Returns the numbers of the instances of a type, ascending; for the empty type, of those with several
  /// types.
  [[nodiscard]] std::vector<std::uint64_t> instancesOf(std::string_view type) const;
  /// Returns the references of an instance, in the order of the text.
  [[nodiscard]] std::span<const std::uint64_t> referencesOf(std::uint64_t entity) const;
  /// Returns the faces that are an instance or refer to it, directly or through others: those that its damage
  /// can affect. Ascending. Linear in the number of instances that refer to it.
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

  std::vector<Entity> entities_;  ///< by number; equal numbers in the order of the text
  std::vector<std::uint64_t> references_;
  std::vector<std::string> typeNames_{std::string()};
  std::vector<std::size_t> counts_{0};
  std::map<std::string, std::uint32_t, std::less<>> types_{{std::string(), 0}};
  std::vector<std::uint64_t> duplicates_;
  std::vector<Dangling> dangling_;
  /// The entities that refer to the entity at place i: users_[firstUser_[i]] up to firstUser_[i + 1].
  std::vector<std::uint32_t> firstUser_, users_;
};

}  // namespace fitup::importers
