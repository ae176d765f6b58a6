#include "exact_shape.h"

#include <BinTools.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopExp.hxx>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace fitup::importers {
namespace {

TopoDS_Shape withFacesInOrder(const PartShape& part) {
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(part.shape, TopAbs_FACE, faces);
  bool isInOrder = faces.Extent() == part.faces.Extent();
  for (int i = 1; isInOrder && i <= faces.Extent(); ++i) isInOrder = faces(i).IsSame(part.faces(i));
  return isInOrder ? part.shape : compoundOf(part.faces);
}

}  // namespace

ExactShape exactShapeOf(const PartShape& part) {
  if (part.faces.IsEmpty()) return {};
  std::ostringstream stream;
  try {
    BinTools::Write(withFacesInOrder(part), stream, Standard_False, Standard_False,
                    BinTools_FormatVersion_CURRENT);
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure&) {
    return {};
  }
  if (!stream) return {};
  const std::string text = std::move(stream).str();
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return ExactShape(std::move(bytes));
}

}  // namespace fitup::importers
