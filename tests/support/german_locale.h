#pragma once

#include <filesystem>
#include <locale>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "temporary_folder.h"

namespace fitup::test {

/// German as a user's locale: the decimal sign is a comma, thousands have a dot.
///
/// The C library's is the system's de_DE.UTF-8, else one that `localedef` makes of the package `locales`.
/// While this lives it is the process's locale (C and C++) and that of programs it starts.
class GermanLocale {
 public:
  GermanLocale();
  ~GermanLocale();
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

  /// False where the C library has no such locale and none can be made; C++'s streams are German all the
  /// same.
  [[nodiscard]] bool isWhole() const noexcept { return isWhole_; }

 private:
  void setEnvironment(const std::string& name, const std::string& value);

  TemporaryFolder folder_;
  std::locale oldCpp_;
  std::string oldC_;
  std::vector<std::pair<std::string, std::optional<std::string>>> oldEnvironment_;
  bool isWhole_ = false;
};

}  // namespace fitup::test
