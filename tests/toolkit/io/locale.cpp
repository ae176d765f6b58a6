#include <catch2/catch.hpp>

#include <clocale>
#include <locale>

#include <fitup/io/read_assembly.h>
#include <fitup/io/report_file.h>
#include <fitup/io/track_file.h>

#include "support/sample_model.h"
#include "support/temporary_folder.h"

using namespace fitup;
using namespace fitup::test;

namespace {

/// Numbers as German writes them.
class CommaNumbers : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

struct GermanLocale {
  std::locale old = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  std::string oldC = std::setlocale(LC_ALL, nullptr);
  GermanLocale() {
    // The C library's too, where the system has it.
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
      if (std::setlocale(LC_ALL, name) != nullptr) return;
  }
  ~GermanLocale() {
    std::setlocale(LC_ALL, oldC.c_str());
    std::locale::global(old);
  }
};

Track longTrack() {
  Track track;
  track.moved = {"a"};
  for (int k = 0; k < 1200; ++k) track.steps.push_back({{{}, {0.5 + k, 1234567.25, 0}}});
  return track;
}

InterferenceReport timedReport() {
  InterferenceReport report;
  report.milliseconds = 1.5;
  report.consideredPairs = 1'000'000;
  return report;
}

}  // namespace

TEST_CASE("files do not depend on the user's locale", "[io]") {
  const TemporaryFolder folder;
  const auto writeAll = [&](const std::string& prefix) {
    writeTrack(folder / (prefix + "t.json"), longTrack());
    writeTrack(folder / (prefix + "t.csv"), longTrack());
    writeReport(folder / (prefix + "r.json"), {}, sampleModel(), timedReport());
    writeReport(folder / (prefix + "r.csv"), {}, sampleModel(), timedReport());
  };
  writeAll("c-");
  {
    const GermanLocale german;
    writeAll("de-");
    for (const char* name : {"c-t.json", "c-t.csv", "de-t.json", "de-t.csv"})
      CHECK(readTrack(folder / name).steps == longTrack().steps);
  }
  for (const char* name : {"t.json", "t.csv", "r.json", "r.csv"})
    CHECK(readText(folder / ("c-" + std::string(name))) == readText(folder / ("de-" + std::string(name))));
}
