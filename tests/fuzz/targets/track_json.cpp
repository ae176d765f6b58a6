#include <fitup/io/track_file.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

namespace {

void expectSame(const Track& a, const Track& b, const char* form) {
  if (a.name != b.name || a.unit != b.unit || a.modelHash != b.modelHash || a.moved != b.moved ||
      a.steps != b.steps || a.ways != b.ways)
    failRun(std::string("the track is another one after writing and reading it as ") + form);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.json");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError(file.string(), [&] {
    const Track track = readTrack(file);
    writeTrack(input.beside("again.json"), track);
    expectSame(track, readTrack(input.beside("again.json")), "JSON");
  });
  return 0;
}
