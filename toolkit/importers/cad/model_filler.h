#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopLoc_Location.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "document_labels.h"
#include "document_styles.h"
#include "importer_main.h"
#include "tessellate_parts.h"

namespace fitup::importers {

/// Makes the assembly of a document: its tree, with names, colours and placements, each distinct leaf shape
/// tessellated once, on several threads. Throws InputError for a tree that contains itself and as
/// `tessellate`.
class ModelFiller {
 public:
  ModelFiller(const Handle(TDocStd_Document) & document, const CadOptions& options, Model& model,
              ProgressLines& progress);

  /// Shapes without solids that no assembly holds become one part of this name, not one each: files of
  /// surfaces have a shape for each face.
  void mergeLooseFaces(std::string partName) { looseFacesName_ = std::move(partName); }
  /// Occurrences are there, and not where the document has them.
  void place(Placements placements) { placements_ = std::move(placements); }
  void fill();
  /// Of the distinct parts.
  [[nodiscard]] std::size_t faceCount() const noexcept { return faceCount_; }
  [[nodiscard]] std::size_t solidCount() const noexcept { return solidCount_; }
  /// Of parts and subassemblies in the distinct assemblies.
  [[nodiscard]] std::size_t occurrenceCount() const noexcept { return occurrenceCount_; }

 private:
  struct Part {
    PartId id{};
    TopLoc_Location location;  ///< of the label's shape
  };

  /// Of a product or an occurrence of it.
  struct Names {
    std::string occurrence, part;
  };
  static Names namesOf(const TDF_Label& label, const TDF_Label& target);
  /// The shapes of the parts below, each once, in the order of their first occurrence.
  void collectParts(const TDF_Label& label, int depth);
  void addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth);
  void addPart(const TDF_Label& label, const std::string& name);
  [[nodiscard]] bool isLoose(const TDF_Label& root) const;
  /// One part of the shapes of these labels.
  PartId addLooseFaces(const std::vector<TDF_Label>& labels);
  PartId addShape(PartShape shape);
  void warn(const std::string& element, const std::string& message);

  Handle(XCAFDoc_ShapeTool) shapes_;
  DocumentStyles styles_;
  CadOptions options_;
  Model& model_;
  ProgressLines& progress_;
  std::optional<std::string> looseFacesName_;
  Placements placements_;
  std::map<std::string, Part> seen_;  ///< by the entry of the product's label
  std::deque<PartShape> parts_;       ///< by PartId
  std::size_t faceCount_ = 0, solidCount_ = 0, occurrenceCount_ = 0;
};

}  // namespace fitup::importers
