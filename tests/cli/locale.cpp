#include <catch2/catch.hpp>

#include "support/command_line.h"
#include "support/german_locale.h"

namespace locale_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("the command line reads and says the same in every locale", "[cli]") {
  const CommandLine fitup;
  fitup.writePlant();
  std::filesystem::rename(fitup.file("plant.fitup"), fitup.file("Anlage ß.fitup"));
  std::filesystem::rename(fitup.file("plant.track.json"), fitup.file("Weg – 日本.json"));
  const auto commands = [](const std::string& prefix) {
    return std::vector<std::vector<std::string>>{
        {"info", "Anlage ß.fitup", "--tree"},
        {"check", "Anlage ß.fitup", "--verdict", "--tolerance", "0.5", "--report", prefix + "Prüfung.json",
         "--report", prefix + "Prüfung.csv"},
        {"replay", "Anlage ß.fitup", "Weg – 日本.json", "--max-pairs", "1000", "--report",
         prefix + "Weg.csv"},
        {"distance", "Anlage ß.fitup", "--within", "0.25"},
        {"check", "Anlage ß.fitup", "--verdict", "--tolerance", "0,5"}};
  };
  const auto withoutTimes = [](std::string text) {
    // Times differ from run to run, and the names of reports contain their prefix.
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const std::string line = text.substr(begin, end - begin);
      if (!contains(line, " ms") && !contains(line, "\"milliseconds\"") && !contains(line, "report:") &&
          !contains(line, "milliseconds"))
        result += line;
      begin = end;
    }
    return result;
  };
  std::vector<ProgramResult> inC, inGerman;
  for (const auto& command : commands("c-")) inC.push_back(fitup(command));
  {
    const GermanLocale german;
    if (!german.isWhole()) WARN("no German locale of the C library: the package locales is absent");
    for (const auto& command : commands("de-")) inGerman.push_back(fitup(command));
  }
  for (std::size_t i = 0; i < inC.size(); ++i) {
    INFO(inGerman[i].text());
    CHECK(inC[i].exitCode == inGerman[i].exitCode);
    CHECK(withoutTimes(inC[i].out) == withoutTimes(inGerman[i].out));
  }
  CHECK(inC[0].exitCode == 0);
  CHECK(inC[2].exitCode == 1);
  CHECK(inC[4].exitCode == 2);  // a comma is not a decimal sign here
  for (const char* name : {"Prüfung.json", "Prüfung.csv"}) {
    const std::string text = withoutTimes(fitup.text("c-" + std::string(name)));
    CHECK(text.size() > 1000);
    CHECK(text == withoutTimes(fitup.text("de-" + std::string(name))));
  }
}

}  // namespace locale_tests
