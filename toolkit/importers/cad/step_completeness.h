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
  std::string name;  ///< name of a referenced file; empty for the source itself
  std::shared_ptr<const Part21Entities> entities;
  Handle(XSControl_WorkSession) session;  ///< null before it is read
  /// Items that are read, or reported as not read, without the library; ascending.
  std::vector<std::uint64_t> tessellatedItems = {};
};

/// The counts of what arrived, over the distinct parts.
struct ArrivedShapes {
  std::size_t solids = 0, faces = 0, occurrences = 0;
};

/// Warns about damage that the text alone shows and the library does not report: references to numbers that
/// do not exist, numbers given twice, invalid placements. Each warning names the entity and the faces that
/// depend on it.
void warnOfTextDamage(const StepSource& source, std::vector<ImportWarning>& warnings);

/// Warns about the entities that the library could not read by their schema, except for those already
/// reported.
void warnOfUnread(const StepSource& source, std::vector<ImportWarning>& warnings);

/// Warns about the items that `leaveOutUnreadItems` removed from shapes, except for those that cannot be
/// shapes.
void warnOfLeftOutItems(const StepSource& source, std::vector<ImportWarning>& warnings);

/// Compares what the texts declare with what the library made: solids and faces without a shape; fewer
/// solids, faces and occurrences of parts than declared. A solid outside of all parts counts as lost, because
/// damage could have removed it from its part.
void warnOfLostGeometry(const std::vector<StepSource>& sources, const ArrivedShapes& arrived,
                        std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
