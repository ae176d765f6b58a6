#pragma once

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_TShape.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "document_labels.h"
#include "document_styles.h"
#include "importer_main.h"
#include "loose_faces.h"
#include "tessellate_parts.h"
#include "tessellated_labels.h"

namespace fitup::importers {

/// Makes the assembly of a document: its tree, with names, colours and placements, each distinct leaf shape
/// tessellated once, on several threads. A leaf shape of several bodies (solids, and all faces that belong to
/// none) becomes a subassembly with a part for each, for interference within a part is not seen. Throws
/// InputError for a tree that contains itself and as `tessellate`.
class ModelFiller {
 public:
  ModelFiller(const Handle(TDocStd_Document) & document, const CadOptions& options, Model& model,
              ProgressLines& progress);

  /// Shapes without solids that no assembly holds become parts below a node of this name: files of surfaces
  /// have a shape for each face. A part is what a group without groups holds; of faces that no group holds,
  /// those that hang together. Groups are compounds; `names` has those of some.
  void groupLooseFaces(std::string name, std::map<const TopoDS_TShape*, std::string> names) {
    looseFacesName_ = std::move(name);
    groupNames_ = std::move(names);
  }
  /// Occurrences are there, and not where the document has them.
  void place(Placements placements) { placements_ = std::move(placements); }
  /// The labels, by their entries, of occurrences that the file itself speaks of. Another component of an
  /// assembly that has a made-up name is a body of the product that the assembly stands for.
  void setOccurrences(std::set<std::string> entries) { occurrences_ = std::move(entries); }
  /// What products have instead of shapes. Throws as `meshOf`, naming the product.
  void setTessellated(TessellatedBodies bodies) { tessellated_ = std::move(bodies); }
  /// Some parts have been tessellated by it; it is stopped. Must live until `fill` returns.
  void use(EarlyTessellation& early) { early_ = &early; }
  void fill();
  /// Of the distinct parts that are tessellated here.
  [[nodiscard]] std::size_t faceCount() const noexcept { return faceCount_; }
  [[nodiscard]] std::size_t solidCount() const noexcept { return solidCount_; }
  /// Parts that were tessellated in the file.
  [[nodiscard]] std::size_t tessellatedCount() const noexcept { return meshes_.size(); }
  /// Of parts and subassemblies in the distinct assemblies.
  [[nodiscard]] std::size_t occurrenceCount() const noexcept { return occurrenceCount_; }

 private:
  /// What becomes a part.
  struct Body {
    std::string name;  ///< its own, or its kind: of use where a product has several
    PartId part{};
    Transform productFromBody;
    std::optional<Colour> colour;
  };
  using Bodies = std::vector<Body>;

  /// Of a product or an occurrence of it.
  struct Names {
    std::string occurrence, part;
  };
  static Names namesOf(const TDF_Label& label, const TDF_Label& target);
  /// The shapes of the parts below, each once, in the order of their first occurrence.
  void collectParts(const TDF_Label& label, int depth);
  void addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth);
  /// Of a shape without components.
  [[nodiscard]] Bodies makeBodies(const TDF_Label& label, const std::string& name);
  [[nodiscard]] Bodies makeBodies(std::vector<TessellatedBody> tessellated, const std::string& name);
  [[nodiscard]] bool isBodyOfProduct(const TDF_Label& component) const;
  /// In the frame of what the component is in.
  [[nodiscard]] Bodies bodiesOf(const TDF_Label& component, int depth) const;
  [[nodiscard]] Transform placementOf(const TDF_Label& label) const;
  [[nodiscard]] bool isLoose(const TDF_Label& root) const;
  /// Parts in a tree, before there are nodes.
  struct Group {
    std::string name;
    std::optional<PartId> part;
    std::vector<Group> members;
  };
  Group addLooseFaces(const std::vector<TDF_Label>& labels);
  Group addGroup(const TopoDS_Shape& compound, std::string name, const StyledFaces& all, bool isOneOfSeveral,
                 int depth);
  /// One part of a group's own faces, or where no group holds them one for each set that hangs together.
  void addFaces(const StyledFaces& faces, const TopoDS_Shape& shape, bool areGrouped, Group& group);
  PartId addSets(const std::string& name, std::span<const ConnectedFaces> sets);
  void addNodes(const Group& group, std::optional<NodeId> parent);
  PartId addShape(PartShape shape);
  void warnOfScattered(const std::string& name, std::size_t sets);
  void warn(const std::string& element, const std::string& message);

  Handle(XCAFDoc_ShapeTool) shapes_;
  DocumentStyles styles_;
  CadOptions options_;
  EarlyTessellation* early_ = nullptr;
  Model& model_;
  ProgressLines& progress_;
  std::optional<std::string> looseFacesName_;
  std::map<const TopoDS_TShape*, std::string> groupNames_;
  Placements placements_;
  std::optional<std::set<std::string>> occurrences_;
  TessellatedBodies tessellated_;
  /// By the entry of the product's label; an assembly's are those that no component has.
  std::map<std::string, Bodies> seen_;
  std::deque<PartShape> parts_;            ///< by PartId; of a part that has a mesh already the name alone
  std::map<PartId, TriangleMesh> meshes_;  ///< of the parts that were tessellated in the file
  std::size_t curvesLeftOut_ = 0;
  std::string firstWithCurves_;
  std::size_t faceCount_ = 0, solidCount_ = 0, occurrenceCount_ = 0;
};

}  // namespace fitup::importers
