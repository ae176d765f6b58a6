#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopLoc_Location.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "document_styles.h"
#include "importer_main.h"
#include "tessellate.h"

namespace fitup::importers {

/// Makes the assembly of a document: its tree, with names, colours and placements, each distinct leaf shape
/// tessellated once. Throws InputError for a tree that contains itself and as `tessellate`.
class ModelFiller {
 public:
  ModelFiller(const Handle(TDocStd_Document) & document, const Deflection& deflection, Model& model,
              ProgressLines& progress);

  /// Shapes without solids that no assembly holds become one part of this name, not one each: files of
  /// surfaces have a shape for each face.
  void mergeLooseFaces(std::string partName) { looseFacesName_ = std::move(partName); }
  void fill();
  /// Of the distinct parts.
  [[nodiscard]] std::size_t faceCount() const noexcept { return faceCount_; }
  [[nodiscard]] std::size_t solidCount() const noexcept { return solidCount_; }
  /// Of parts and subassemblies in the distinct assemblies.
  [[nodiscard]] std::size_t occurrenceCount() const noexcept { return occurrenceCount_; }

 private:
  struct Part {
    std::optional<PartId> id;  ///< not yet tessellated if unset
    TopLoc_Location location;  ///< of the label's shape
  };

  void countParts(const TDF_Label& label, int depth);
  void addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth);
  const Part& partOf(const TDF_Label& label, const std::string& name);
  [[nodiscard]] bool isLoose(const TDF_Label& root) const;
  /// One part of the shapes of these labels, with an instance.
  void addLooseFaces(const std::vector<TDF_Label>& labels);
  PartId addPart(const PartShape& shape);
  void warn(const std::string& element, const std::string& message);

  Handle(XCAFDoc_ShapeTool) shapes_;
  DocumentStyles styles_;
  Deflection deflection_;
  Model& model_;
  ProgressLines& progress_;
  std::optional<std::string> looseFacesName_;
  std::map<std::string, Part> seen_;  ///< by the entry of the product's label
  std::size_t partCount_ = 0, faceCount_ = 0, solidCount_ = 0, occurrenceCount_ = 0;
};

}  // namespace fitup::importers
