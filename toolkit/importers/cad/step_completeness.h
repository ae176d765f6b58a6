#pragma once

#include <XSControl_WorkSession.hxx>

#include <memory>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "part21_entities.h"

namespace fitup::importers {

/// A STEP file that was read and transferred.
struct StepSource {
  std::string name;  ///< of a file that the source refers to; empty for the source itself
  std::shared_ptr<const Part21Entities> entities;
  Handle(XSControl_WorkSession) session;
};

/// How much arrived, of the distinct parts.
struct ArrivedShapes {
  std::size_t solids = 0, faces = 0, occurrences = 0;
};

/// Compares what the texts declare with what the library read and made: references that lead nowhere, numbers
/// given twice, entities that could not be read, faces without a shape, solids, faces and occurrences of
/// parts that are fewer than declared. The library says none of it by itself. Each becomes a warning that
/// names the entity and the faces that are made of it.
void warnOfStepDamage(const std::vector<StepSource>& sources, const ArrivedShapes& arrived,
                      std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
