#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Collects what was not read of a file and may hold geometry: one warning for each kind, with a count.
class UnreadLog {
 public:
  /// `element`: the kind, such as a class or a record. `where`: the place of the first one, such as "line
  /// 12". Beyond ten thousand kinds, all others are counted together.
  void add(std::string_view element, std::string_view problem, std::string_view where);

  [[nodiscard]] std::vector<ImportWarning> warnings() const;

 private:
  struct Kind {
    std::string where;
    std::size_t count = 0;
  };
  std::map<std::pair<std::string, std::string>, Kind> kinds_;
};

}  // namespace fitup::importers
