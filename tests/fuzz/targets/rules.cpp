#include <fitup/io/rules_file.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.json");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError(file.string(), [&] {
    const Rules rules = readRules(file);
    // Patterns of stars must never take long.
    (void)rules.find("top/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa#2/bolt M6", "top/plate");
    (void)rules.selects("top/bolt", "top/plate");
    writeRules(input.beside("again.json"), rules);
    const Rules same = readRules(input.beside("again.json"));
    if (rules.rules.size() != same.rules.size() || rules.wholePaths != same.wholePaths)
      failRun("the rules are others after writing and reading them");
  });
  return 0;
}
