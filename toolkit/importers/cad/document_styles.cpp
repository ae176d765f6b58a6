#include "document_styles.h"

#include <Quantity_ColorRGBA.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>

#include "importer_main.h"

namespace fitup::importers {

DocumentStyles::DocumentStyles(const Handle(TDocStd_Document) & document)
    : colours_(XCAFDoc_DocumentTool::ColorTool(document->Main())) {}

std::string DocumentStyles::nameOf(const TDF_Label& label) {
  Handle(TDataStd_Name) attribute;
  if (!label.FindAttribute(TDataStd_Name::GetID(), attribute)) return {};
  const TCollection_ExtendedString& wide = attribute->Get();
  std::string text(static_cast<std::size_t>(wide.LengthOfCString()) + 1, '\0');
  Standard_PCharacter buffer = text.data();
  text.resize(static_cast<std::size_t>(std::max(0, wide.ToUTF8CString(buffer))));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return validUtf8(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::optional<Colour> DocumentStyles::colourOf(const TDF_Label& label) const {
  Quantity_ColorRGBA colour;
  if (!colours_->GetColor(label, XCAFDoc_ColorSurf, colour) &&
      !colours_->GetColor(label, XCAFDoc_ColorGen, colour))
    return std::nullopt;
  double red = 0, green = 0, blue = 0;
  colour.GetRGB().Values(red, green, blue, Quantity_TOC_sRGB);
  const auto component = [](double value) { return static_cast<float>(std::clamp(value, 0.0, 1.0)); };
  return Colour{component(red), component(green), component(blue),
                component(static_cast<double>(colour.Alpha()))};
}

std::vector<FaceStyle> DocumentStyles::facesOf(const TDF_Label& part, const TopoDS_Shape& shape,
                                               const TopTools_IndexedMapOfShape& faces) const {
  std::vector<FaceStyle> styles(static_cast<std::size_t>(faces.Extent()));
  if (const auto colour = colourOf(part))
    for (FaceStyle& style : styles) style.colour = colour;

  TDF_LabelSequence labels;
  XCAFDoc_ShapeTool::GetSubShapes(part, labels);
  struct Styled {
    TopoDS_Shape shape;
    TDF_Label label;
  };
  std::vector<Styled> styled;
  for (const TDF_Label& label : labels) {
    const TopoDS_Shape sub = XCAFDoc_ShapeTool::GetShape(label);
    if (!sub.IsNull() && sub.ShapeType() <= TopAbs_FACE) styled.push_back({sub, label});
  }
  // Shape types count from compounds down to faces, so finer styles come later.
  std::stable_sort(styled.begin(), styled.end(), [](const Styled& a, const Styled& b) {
    return a.shape.ShapeType() < b.shape.ShapeType();
  });
  const TopLoc_Location toPart = shape.Location().Inverted();
  constexpr Standard_Boolean mayScale = Standard_False;  // locations that scale or mirror must not throw
  for (const Styled& entry : styled) {
    const auto colour = colourOf(entry.label);
    const bool isFace = entry.shape.ShapeType() == TopAbs_FACE;
    const std::string name = isFace ? nameOf(entry.label) : std::string();
    if (!colour && (name.empty() || name == "NONE")) continue;
    for (TopExp_Explorer face(entry.shape, TopAbs_FACE); face.More(); face.Next()) {
      const int at = faces.FindIndex(face.Current().Moved(toPart, mayScale));
      if (at == 0) continue;
      FaceStyle& style = styles[static_cast<std::size_t>(at - 1)];
      if (colour) style.colour = colour;
      if (isFace && name != "NONE") style.name = name;
    }
  }
  return styles;
}

std::vector<std::string> DocumentStyles::namesOfSolids(const TDF_Label& part, const TopoDS_Shape& shape,
                                                       const TopTools_IndexedMapOfShape& solids) {
  std::vector<std::string> names(static_cast<std::size_t>(solids.Extent()));
  TDF_LabelSequence labels;
  XCAFDoc_ShapeTool::GetSubShapes(part, labels);
  const TopLoc_Location toPart = shape.Location().Inverted();
  constexpr Standard_Boolean mayScale = Standard_False;  // locations that scale or mirror must not throw
  for (const TDF_Label& label : labels) {
    const TopoDS_Shape sub = XCAFDoc_ShapeTool::GetShape(label);
    if (sub.IsNull() || sub.ShapeType() != TopAbs_SOLID) continue;
    const int at = solids.FindIndex(sub.Moved(toPart, mayScale));
    if (std::string name = nameOf(label); at > 0 && name != "NONE" && name != "SOLID")
      names[static_cast<std::size_t>(at - 1)] = std::move(name);
  }
  return names;
}

}  // namespace fitup::importers
