#pragma once

// Reads STEP and IGES files with Open CASCADE alone, for programs that judge the importer and share no code
// with it.
#include <BRepBndLib.hxx>
#include <BRep_Builder.hxx>
#include <Bnd_Box.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace fitup::test::brep {

/// Those of `ImportSettings`, in mm and radians.
struct Settings {
  double linear, relative, angular;
};

template <typename Reader>
bool readInto(Reader& reader, const char* file, Handle(TDocStd_Document) & document) {
  reader.SetNameMode(Standard_True);
  reader.SetColorMode(Standard_False);
  reader.SetLayerMode(Standard_False);
  return reader.ReadFile(file) == IFSelect_RetDone && reader.Transfer(document);
}

inline bool isIges(std::string_view file) {
  std::string extension(file.substr(file.find_last_of('.') + 1));
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return extension == "igs" || extension == "iges";
}

/// Returns false if nothing can be read.
inline bool open(const char* file, Handle(TDocStd_Document) & document) {
  if (isIges(file)) {
    IGESCAFControl_Reader reader;
    return readInto(reader, file, document);
  }
  STEPCAFControl_Reader reader;
  return readInto(reader, file, document);
}

/// Returns all that is in the file, in its placement in the world.
inline TopoDS_Compound worldOf(const Handle(XCAFDoc_ShapeTool) & shapes) {
  TDF_LabelSequence roots;
  shapes->GetFreeShapes(roots);
  TopoDS_Compound world;
  const BRep_Builder builder;
  builder.MakeCompound(world);
  for (const TDF_Label& root : roots)
    if (const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(root); !shape.IsNull())
      builder.Add(world, shape);
  return world;
}

/// Computes the chord error of a body as `ImportSettings` describes.
inline double chordError(const TopoDS_Shape& body, const Settings& settings) {
  Bnd_Box box;
  BRepBndLib::Add(body, box, Standard_False);
  if (box.IsVoid() || !(settings.relative > 0)) return settings.linear;
  return std::min(settings.linear, std::max(settings.relative * std::sqrt(box.SquareExtent()), 1e-5));
}

}  // namespace fitup::test::brep
