#include "unread_log.h"

#include <fitup/base/text.h>

namespace fitup::importers {

void UnreadLog::add(std::string_view element, std::string_view problem, std::string_view where) {
  constexpr std::size_t mostKinds = 10'000, longestName = 200;
  auto key = std::pair(std::string(element.substr(0, longestName)), std::string(problem));
  if (kinds_.size() >= mostKinds && !kinds_.contains(key))
    key = {"file", "has more contents that are not read"};
  Kind& kind = kinds_[key];
  if (kind.count++ == 0) kind.where = where;
}

std::vector<ImportWarning> UnreadLog::warnings() const {
  std::vector<ImportWarning> result;
  for (const auto& [key, kind] : kinds_) {
    std::string message = key.second;
    if (kind.count > 1) message += ", " + std::to_string(kind.count) + " times";
    if (!kind.where.empty()) message += (kind.count > 1 ? ", first in " : ", in ") + kind.where;
    result.push_back({validUtf8(key.first), validUtf8(message), true});
  }
  return result;
}

}  // namespace fitup::importers
