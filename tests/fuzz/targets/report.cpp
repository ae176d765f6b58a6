#include <fitup/io/report_diff.h>
#include <fitup/io/report_file.h>
#include <fitup/io/report_reader.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.json");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError(file.string(), [&] {
    const ReportDocument report = readReport(file);
    for (const char* name : {"again.json", "again.csv", "again.html"})
      writeReport(input.beside(name), report);
    const ReportDocument same = readReport(input.beside("again.json"));
    if (same.runs.size() != report.runs.size() || same.intersects() != report.intersects() ||
        same.carried.size() != report.carried.size() || same.warnings != report.warnings)
      failRun("the report is another one after writing and reading it");
    try {
      (void)compareReports(report, same);
    } catch (const InputError&) {  // a report of kind diff, or of other units
    }
  });
  return 0;
}
