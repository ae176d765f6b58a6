#pragma once

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>
#include <XSControl_WorkSession.hxx>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "document_styles.h"

namespace fitup::importers {

/// The layers of a CAD file, by the shapes that its items became. A layer belongs to a shape wherever that
/// occurs, because STEP and IGES assign geometry, not occurrences of products.
class DocumentLayers {
 public:
  using Names = std::vector<std::string>;

  void add(const TopoDS_Shape& shape, const Names& layers);
  /// Adds an occurrence of a shape within a product. To be called for all of them, also those without layers.
  void addOccurrence(const TopoDS_Shape& shape, Names layers);
  /// To be called once everything has been added. Warns about layers that are left out.
  void settle(std::vector<ImportWarning>& warnings);
  /// Adds layers to the styles of the faces of a shape: those of the face and of everything that it is in.
  void addTo(std::vector<FaceStyle>& styles, const TopoDS_Shape& shape,
             const TopTools_IndexedMapOfShape& faces) const;
  /// Returns the names of all layers of the faces, in any order, each once.
  [[nodiscard]] Names namesOf(std::span<const FaceStyle> styles) const;

 private:
  using Key = const TopoDS_TShape*;
  struct Occurrences {
    TopoDS_Shape shape;
    std::vector<Names> layers;  ///< of each occurrence
  };

  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<Key, std::vector<std::uint32_t>> ofShape_;
  std::map<Key, Occurrences> occurrences_;
  bool hasTooMany_ = false;
};

/// Adds the PRESENTATION_LAYER_ASSIGNMENTs of a STEP file that was transferred.
void addStepLayers(const Handle(XSControl_WorkSession) & session, DocumentLayers& layers);
/// Adds the levels of the entities of an IGES file that was transferred, by their numbers. Level 0 means
/// none.
void addIgesLayers(const Handle(XSControl_WorkSession) & session, DocumentLayers& layers);

}  // namespace fitup::importers
