#include "part21_entities.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace fitup::importers {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t skipSpace(std::string_view text, std::size_t i) {
  while (i < text.size() && isSpace(text[i])) ++i;
  return i;
}

/// Returns the word in capitals that begins at `begin`.
std::string_view wordAt(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() &&
         (text[end] == '_' || (text[end] >= 'A' && text[end] <= 'Z') || isDigit(text[end])))
    ++end;
  return text.substr(begin, end - begin);
}

}  // namespace

Part21Entities::Part21Entities(std::string_view text) {
  scan(text);
  std::stable_sort(entities_.begin(), entities_.end(),
                   [](const Entity& a, const Entity& b) { return a.id < b.id; });
  findDuplicates();
  resolve();
}

void Part21Entities::scan(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\'') {  // a doubled quote closes and opens again
      i = std::min(text.find('\'', i + 1), text.size() - 1) + 1;
      continue;
    }
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      continue;
    }
    if (text[i] != '#' || i + 1 == text.size() || !isDigit(text[i + 1])) {
      ++i;
      continue;
    }
    std::uint64_t id = 0;
    const auto parsed = std::from_chars(text.data() + i + 1, text.data() + text.size(), id);
    i = static_cast<std::size_t>(parsed.ptr - text.data());
    if (parsed.ec != std::errc()) continue;
    const std::size_t next = skipSpace(text, i);
    if (next < text.size() && text[next] == '=') {
      i = skipSpace(text, next + 1);
      const std::string_view name = wordAt(text, i);
      auto type = types_.find(name);
      if (type == types_.end()) {
        type = types_.emplace(name, static_cast<std::uint32_t>(typeNames_.size())).first;
        typeNames_.emplace_back(name);
        counts_.push_back(0);
      }
      ++counts_[type->second];
      entities_.push_back({id, type->second, static_cast<std::uint32_t>(references_.size()), 0, i});
    } else if (!entities_.empty()) {
      references_.push_back(id);
      ++entities_.back().referenceCount;
    }
  }
}

void Part21Entities::findDuplicates() {
  for (std::size_t i = 1; i < entities_.size(); ++i)
    if (entities_[i].id == entities_[i - 1].id &&
        (duplicates_.empty() || duplicates_.back() != entities_[i].id))
      duplicates_.push_back(entities_[i].id);
}

void Part21Entities::resolve() {
  firstUser_.assign(entities_.size() + 1, 0);
  std::vector<std::size_t> targets(references_.size(), entities_.size());
  std::vector<std::pair<std::uint32_t, Dangling>> found;  // with the place in the text
  for (const Entity& entity : entities_)
    for (std::uint32_t k = 0; k < entity.referenceCount; ++k) {
      const std::uint32_t at = entity.firstReference + k;
      const auto target = find(references_[at]);
      if (target == entities_.end()) {
        found.push_back({at, {entity.id, references_[at]}});
        continue;
      }
      targets[at] = static_cast<std::size_t>(target - entities_.begin());
      ++firstUser_[targets[at] + 1];
    }
  for (std::size_t i = 1; i < firstUser_.size(); ++i) firstUser_[i] += firstUser_[i - 1];
  users_.resize(firstUser_.back());
  std::vector<std::uint32_t> next(firstUser_.begin(), firstUser_.end() - 1);
  for (std::size_t i = 0; i < entities_.size(); ++i)
    for (std::uint32_t k = 0; k < entities_[i].referenceCount; ++k)
      if (const std::size_t target = targets[entities_[i].firstReference + k]; target < entities_.size())
        users_[next[target]++] = static_cast<std::uint32_t>(i);

  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::set<std::pair<std::uint64_t, std::uint64_t>> said;
  for (const auto& [at, dangling] : found)
    if (said.emplace(dangling.entity, dangling.reference).second) dangling_.push_back(dangling);
}

std::vector<Part21Entities::Entity>::const_iterator Part21Entities::find(std::uint64_t id) const {
  const auto found = std::lower_bound(entities_.begin(), entities_.end(), id,
                                      [](const Entity& e, std::uint64_t i) { return e.id < i; });
  return found != entities_.end() && found->id == id ? found : entities_.end();
}

bool Part21Entities::isFace(const Entity& entity) const {
  const std::string& type = typeNames_[entity.type];
  return type == "ADVANCED_FACE" || type == "FACE_SURFACE";
}

std::size_t Part21Entities::countOf(std::string_view type) const {
  const auto found = types_.find(type);
  return found == types_.end() ? 0 : counts_[found->second];
}

std::optional<std::size_t> Part21Entities::positionOf(std::uint64_t entity) const {
  const auto found = find(entity);
  return found == entities_.end() ? std::nullopt : std::optional(found->position);
}

std::string_view Part21Entities::typeOf(std::uint64_t entity) const {
  const auto found = find(entity);
  return found == entities_.end() ? std::string_view() : typeNames_[found->type];
}

std::vector<std::uint64_t> Part21Entities::instancesOf(std::string_view type) const {
  std::vector<std::uint64_t> ids;
  const auto found = types_.find(type);
  if (found == types_.end()) return ids;
  for (const Entity& entity : entities_)
    if (entity.type == found->second) ids.push_back(entity.id);
  return ids;
}

std::span<const std::uint64_t> Part21Entities::referencesOf(std::uint64_t entity) const {
  const auto found = find(entity);
  if (found == entities_.end()) return {};
  return std::span(references_).subspan(found->firstReference, found->referenceCount);
}

std::vector<std::uint64_t> Part21Entities::facesOf(std::uint64_t entity) const {
  std::vector<std::uint64_t> faces;
  std::vector<std::uint32_t> open;
  std::set<std::uint32_t> seen;
  for (auto at = find(entity); at != entities_.end() && at->id == entity; ++at)
    open.push_back(static_cast<std::uint32_t>(at - entities_.begin()));
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    if (isFace(entities_[at])) {
      faces.push_back(entities_[at].id);
      continue;  // whatever holds a face holds others too, which are not damaged
    }
    open.insert(open.end(), users_.begin() + firstUser_[at], users_.begin() + firstUser_[at + 1]);
  }
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

}  // namespace fitup::importers
