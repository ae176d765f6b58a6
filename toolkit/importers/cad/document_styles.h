#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFDoc_ColorTool.hxx>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fitup/mesh/surface.h>

namespace fitup::importers {

/// The name and colour of a face, and the layers that it is on.
struct FaceStyle {
  std::string name;
  std::optional<Colour> colour;
  std::vector<std::uint32_t> layers;  ///< numbers of a `DocumentLayers`, ascending
};

/// The names and colours of a document's labels. Colours are sRGB.
class DocumentStyles {
 public:
  explicit DocumentStyles(const Handle(TDocStd_Document) & document);

  /// Returns UTF-8; empty if the label has no name.
  static std::string nameOf(const TDF_Label& label);
  [[nodiscard]] std::optional<Colour> colourOf(const TDF_Label& label) const;
  /// Returns the styles of the faces of a part, in the order of `faces`. The style of a face overrides that
  /// of its shell, which overrides that of its solid, which overrides that of the part. `shape` is the
  /// label's shape as in the document; `faces` are those of the same shape without its location.
  [[nodiscard]] std::vector<FaceStyle> facesOf(const TDF_Label& part, const TopoDS_Shape& shape,
                                               const TopTools_IndexedMapOfShape& faces) const;
  /// Returns the own names of the solids of a part, in the order of `solids`; empty for those without one.
  /// The shapes are as for `facesOf`.
  [[nodiscard]] static std::vector<std::string> namesOfSolids(const TDF_Label& part,
                                                              const TopoDS_Shape& shape,
                                                              const TopTools_IndexedMapOfShape& solids);

 private:
  Handle(XCAFDoc_ColorTool) colours_;
};

}  // namespace fitup::importers
