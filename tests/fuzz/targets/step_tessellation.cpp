#include <algorithm>

#include "part21_entities.h"
#include "part21_file.h"
#include "pmi.h"
#include "tessellated_products.h"

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile input("input.step");
  const auto& file = input.with(std::span(data, size));
  expectAnswerOrError("", [&] {
    const importers::Part21File step(file);
    const importers::Part21Entities entities(step.text());
    std::vector<ImportWarning> warnings;
    importers::warnOfPmi(step.text(), entities, warnings);
    importers::StepTessellation tessellation = importers::readTessellation(step.text(), entities);
    std::size_t behind = 0;
    for (const importers::TextSpan& span : tessellation.hidden) {
      if (span.begin < behind || span.end < span.begin || span.end > step.text().size())
        failRun("what is hidden is not apart, or outside of the text");
      behind = span.end;
    }
    const auto stream = step.stream([](double) {}, tessellation.hidden);
    std::size_t read = 0, hidden = 0;
    for (int c = stream->get(); c != std::istream::traits_type::eof(); c = stream->get(), ++read) {
      while (hidden < tessellation.hidden.size() && tessellation.hidden[hidden].end <= read) ++hidden;
      const bool isHidden = hidden < tessellation.hidden.size() && tessellation.hidden[hidden].begin <= read;
      if (c != (isHidden ? int{' '} : int{static_cast<unsigned char>(step.text()[read])}))
        failRun("the stream is not the text with blanks in it");
    }
    if (read != step.text().size()) failRun("the stream is not as long as the text");
    for (const importers::TessellatedProduct& product : tessellation.products)
      for (const importers::TessellatedBody& body : product.bodies) {
        const TriangleMesh mesh = importers::meshOf(body, "part");
        if (mesh.surfaces().size() != body.faces.size()) failRun("a face is no surface");
      }
  });
  return 0;
}
