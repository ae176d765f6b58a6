#pragma once

#include <filesystem>
#include <locale>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "temporary_folder.h"

namespace fitup::test {

/// Sets German as a user's locale: the decimal sign is a comma, thousands have a dot.
///
/// The C library's locale is the system's de_DE.UTF-8, or otherwise one that `localedef` makes from the
/// package `locales`. While this object lives, it is the locale (C and C++) of the process and of programs
/// that it starts.
class GermanLocale {
 public:
  GermanLocale();
  ~GermanLocale();
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

  /// False if the C library has no such locale and none can be made; C++ streams are German in any case.
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
