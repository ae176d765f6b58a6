#include "german_locale.h"

#include <clocale>
#include <cstdlib>

namespace fitup::test {
namespace {

constexpr const char* germanLocale = "de_DE.UTF-8";

/// Numbers in the German format.
class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

GermanLocale::GermanLocale()
    : oldCpp_(std::locale::global(std::locale(std::locale::classic(), new CommaNumbers))),
      oldC_(std::setlocale(LC_ALL, nullptr)) {
  isWhole_ = std::setlocale(LC_ALL, germanLocale) != nullptr;
  if (!isWhole_) {
    const std::string made = (folder_ / germanLocale).string();
    if (std::system(("localedef -i de_DE -f UTF-8 '" + made + "' >/dev/null 2>&1").c_str()) == 0) {
      setEnvironment("LOCPATH", folder_.path().string());
      isWhole_ = std::setlocale(LC_ALL, germanLocale) != nullptr;
    }
  }
  setEnvironment("LC_ALL", germanLocale);
  setEnvironment("LANG", germanLocale);
}

GermanLocale::~GermanLocale() {
  for (const auto& [variable, value] : oldEnvironment_) {
    if (value)
      ::setenv(variable.c_str(), value->c_str(), 1);
    else
      ::unsetenv(variable.c_str());
  }
  std::setlocale(LC_ALL, oldC_.c_str());
  std::locale::global(oldCpp_);
}

void GermanLocale::setEnvironment(const std::string& variable, const std::string& value) {
  const char* old = std::getenv(variable.c_str());
  oldEnvironment_.emplace_back(variable, old != nullptr ? std::optional<std::string>(old) : std::nullopt);
  ::setenv(variable.c_str(), value.c_str(), 1);
}

}  // namespace fitup::test
