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
  Handle(XSControl_WorkSession) session;  ///< null before it is read
  /// Items that are read, or said not to be, apart from the library; ascending.
  std::vector<std::uint64_t> tessellatedItems = {};
};

/// How much arrived, of the distinct parts.
struct ArrivedShapes {
  std::size_t solids = 0, faces = 0, occurrences = 0;
};

/// What is wrong with the text alone: references that lead nowhere, numbers given twice, placements that are
/// none. The library says nothing of them. Each becomes a warning that names the entity and the faces that
/// are made of it.
void warnOfTextDamage(const StepSource& source, std::vector<ImportWarning>& warnings);

/// The entities that the library could not read as their schema says, but for those that are said already.
void warnOfUnread(const StepSource& source, std::vector<ImportWarning>& warnings);

/// The items of shapes that `leaveOutUnreadItems` took out, but for those that cannot be shapes.
void warnOfLeftOutItems(const StepSource& source, std::vector<ImportWarning>& warnings);

/// Compares what the texts declare with what the library made: solids and faces without a shape, fewer
/// solids, faces and occurrences of parts than declared. A solid that no part has counts as lost: nothing
/// distinguishes it from one that damage took from its part.
void warnOfLostGeometry(const std::vector<StepSource>& sources, const ArrivedShapes& arrived,
                        std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
