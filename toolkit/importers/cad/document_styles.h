#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFDoc_ColorTool.hxx>

#include <optional>
#include <string>
#include <vector>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

/// Name and colour of one face.
struct FaceStyle {
  std::string name;
  std::optional<Colour> colour;
};

/// Names and colours of a document's labels. Colours are sRGB.
class DocumentStyles {
 public:
  explicit DocumentStyles(const Handle(TDocStd_Document) & document);

  /// UTF-8; empty if the label has none.
  static std::string nameOf(const TDF_Label& label);
  [[nodiscard]] std::optional<Colour> colourOf(const TDF_Label& label) const;
  /// Styles of the faces of a part, by their place in `faces`. What is said of a face wins over what is said
  /// of its shell, that over its solid, that over the part. `shape` is the label's shape as the document has
  /// it; `faces` are those of the same shape without its location.
  [[nodiscard]] std::vector<FaceStyle> facesOf(const TDF_Label& part, const TopoDS_Shape& shape,
                                               const TopTools_IndexedMapOfShape& faces) const;
  /// Own names of the solids of a part, by their place in `solids`; empty for those that have none. The
  /// shapes as for `facesOf`.
  [[nodiscard]] static std::vector<std::string> namesOfSolids(const TDF_Label& part,
                                                              const TopoDS_Shape& shape,
                                                              const TopTools_IndexedMapOfShape& solids);

 private:
  Handle(XCAFDoc_ColorTool) colours_;
};

}  // namespace fitup::importers
