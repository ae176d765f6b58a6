#include "part21_file.h"

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.step");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError("", [&] {
    const importers::Part21File text(file);
    (void)text.countOf("ADVANCED_FACE");
    const auto stream = text.stream([](double) {});
    while (stream->get() != std::istream::traits_type::eof()) {
    }
  });
  return 0;
}
