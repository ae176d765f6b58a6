#include "part21_entities.h"
#include "part21_file.h"

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.step");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError("", [&] {
    const importers::Part21File step(file);
    std::size_t size = 0;
    const auto stream = step.stream([](double) {});
    while (stream->get() != std::istream::traits_type::eof()) ++size;
    if (size != step.text().size()) failRun("the stream is not the text");
    const importers::Part21Entities entities(step.text());
    (void)entities.countOf("ADVANCED_FACE");
    for (const auto& [entity, reference] : entities.dangling()) {
      (void)entities.typeOf(entity);
      (void)entities.facesOf(entity);
    }
    for (const std::uint64_t entity : entities.duplicates()) (void)entities.facesOf(entity);
  });
  return 0;
}
