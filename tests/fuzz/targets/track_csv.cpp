#include <fitup/io/track_file.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.csv");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError(file.string(), [&] {
    const Track track = readTrack(file);
    const auto again = input.beside("again.csv");
    writeTrack(again, track);
    const Track same = readTrack(again);
    if (track.moved != same.moved || track.steps != same.steps || track.ways != same.ways)
      failRun("the track is another one after writing and reading it as CSV");
  });
  return 0;
}
