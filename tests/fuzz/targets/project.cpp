#include <fitup/io/project_file.h>

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.fitup-project");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError(file.string(), [&] {
    const Project project = readProject(file);
    const auto again = input.beside("again.fitup-project");
    try {
      writeProject(again, project);
    } catch (const InputError&) {
      return;  // an empty name of a model can be read but not written
    }
    const Project same = readProject(again);
    if (project.moved != same.moved || project.reviews != same.reviews || project.hidden != same.hidden ||
        project.ghosted != same.ghosted || project.looks != same.looks ||
        project.tolerance != same.tolerance || project.tracks.size() != same.tracks.size())
      failRun("the project is another one after writing and reading it");
  });
  return 0;
}
