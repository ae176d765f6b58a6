#include "document_labels.h"

#include <TDF_Tool.hxx>
#include <gp_Trsf.hxx>

namespace fitup::importers {

std::string entryOf(const TDF_Label& label) {
  TCollection_AsciiString entry;
  TDF_Tool::Entry(label, entry);
  return entry.ToCString();
}

Transform transformOf(const TopLoc_Location& location) {
  const gp_Trsf& trsf = location.Transformation();
  Transform result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      result.m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          trsf.Value(row + 1, column + 1);
    result.t[row] = trsf.Value(row + 1, 4);
  }
  return result;
}

}  // namespace fitup::importers
