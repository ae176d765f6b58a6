#include <fitup/scene/sibling_names.h>

namespace fitup {

std::size_t SiblingNames::KeyHash::operator()(const Key& key) const noexcept {
  return std::hash<std::string>()(key.name) + 0x9e3779b97f4a7c15ULL * (key.parent ? *key.parent + 1ULL : 0);
}

void SiblingNames::add(std::optional<std::uint32_t> parent, const std::string& name) {
  const auto [found, isNew] =
      familyOf_.emplace(Key{parent, name}, static_cast<std::uint32_t>(families_.size()));
  if (isNew) families_.emplace_back();
  std::vector<std::uint32_t>& family = families_[found->second];
  const auto node = static_cast<std::uint32_t>(members_.size());
  members_.push_back({found->second, static_cast<std::uint32_t>(family.size())});
  family.push_back(node);
}

std::span<const std::uint32_t> SiblingNames::named(std::optional<std::uint32_t> parent,
                                                   const std::string& name) const {
  const auto found = familyOf_.find(Key{parent, name});
  if (found == familyOf_.end()) return {};
  return families_[found->second];
}

}  // namespace fitup
