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
#include "document_layers.h"
#include "document_styles.h"
#include "importer_main.h"
#include "loose_faces.h"
#include "tessellate_parts.h"
#include "tessellated_labels.h"

namespace fitup::importers {

/// Makes the assembly of a document: its tree, with names, colours and placements. Each distinct leaf shape
/// is tessellated once, on several threads. A leaf shape of several bodies (solids, and the faces outside of
/// them) becomes a subassembly with a part for each, because interference within a part is not detected.
/// Throws InputError for a tree that contains itself, and like `tessellate`.
class ModelFiller {
 public:
  ModelFiller(const Handle(TDocStd_Document) & document, const CadOptions& options, Model& model,
              ProgressLines& progress);

  /// Turns shapes without solids outside of assemblies into parts below a node of this name, because files of
  /// surfaces have a shape for each face. The faces of a group without subgroups become a part; faces outside
  /// of groups become one part for each connected set. Groups are compounds; `names` has the names of some.
  void groupLooseFaces(std::string name, std::map<const TopoDS_TShape*, std::string> names) {
    looseFacesName_ = std::move(name);
    groupNames_ = std::move(names);
  }
  /// Sets placements of occurrences that replace those of the document.
  void place(Placements placements) { placements_ = std::move(placements); }
  /// Sets the label entries of occurrences that the file itself declares. Any other component of an assembly
  /// with a made-up name is a body of the product that the assembly stands for.
  void setOccurrences(std::set<std::string> entries) { occurrences_ = std::move(entries); }
  /// Sets the layers of the document's shapes. Nodes get those of the faces of their parts.
  void setLayers(DocumentLayers layers) { layers_ = std::move(layers); }
  /// Sets the bodies that products have instead of shapes. Throws like `meshOf`, naming the product.
  void setTessellated(TessellatedBodies bodies) { tessellated_ = std::move(bodies); }
  /// Uses the parts that `early` has tessellated. It must be stopped, and must live until `fill` returns.
  void use(EarlyTessellation& early) { early_ = &early; }
  void fill();
  /// The number of faces of the distinct parts that are tessellated here.
  [[nodiscard]] std::size_t faceCount() const noexcept { return faceCount_; }
  [[nodiscard]] std::size_t solidCount() const noexcept { return solidCount_; }
  /// The number of parts that were tessellated in the file.
  [[nodiscard]] std::size_t tessellatedCount() const noexcept { return meshes_.size(); }
  /// The number of parts and subassemblies in the distinct assemblies.
  [[nodiscard]] std::size_t occurrenceCount() const noexcept { return occurrenceCount_; }

 private:
  /// A body that becomes a part.
  struct Body {
    std::string name;  ///< its own name, or its kind, for a product with several bodies
    PartId part{};
    Transform productFromBody;
    std::optional<Colour> colour;
  };
  using Bodies = std::vector<Body>;

  /// The names of a product or of an occurrence of it.
  struct Names {
    std::string occurrence, part;
  };
  static Names namesOf(const TDF_Label& label, const TDF_Label& target);
  /// Collects the shapes of the parts below, each once, in the order of their first occurrence.
  void collectParts(const TDF_Label& label, int depth);
  void addOccurrence(const TDF_Label& label, std::optional<NodeId> parent, int depth);
  /// Makes the bodies of a shape without components.
  [[nodiscard]] Bodies makeBodies(const TDF_Label& label, const std::string& name);
  [[nodiscard]] Bodies makeBodies(std::vector<TessellatedBody> tessellated, const std::string& name);
  [[nodiscard]] bool isBodyOfProduct(const TDF_Label& component) const;
  /// Returns them in the frame of the parent of the component.
  [[nodiscard]] Bodies bodiesOf(const TDF_Label& component, int depth) const;
  [[nodiscard]] Transform placementOf(const TDF_Label& label) const;
  [[nodiscard]] bool isLoose(const TDF_Label& root) const;
  /// A tree of parts, before there are nodes.
  struct Group {
    std::string name;
    std::optional<PartId> part;
    std::vector<Group> members;
  };
  Group addLooseFaces(const std::vector<TDF_Label>& labels);
  Group addGroup(const TopoDS_Shape& compound, std::string name, const StyledFaces& all, bool isOneOfSeveral,
                 int depth);
  /// Adds one part with a group's own faces, or, for faces outside of groups, one for each connected set.
  void addFaces(const StyledFaces& faces, const TopoDS_Shape& shape, bool areGrouped, Group& group);
  PartId addSets(const std::string& name, std::span<const ConnectedFaces> sets);
  void addNodes(const Group& group, std::optional<NodeId> parent);
  PartId addShape(PartShape shape);
  NodeId addInstance(const std::string& name, const Transform& parentFromNode, std::optional<NodeId> parent,
                     PartId part, std::optional<Colour> colour);
  /// As `DocumentStyles::facesOf`, with layers.
  [[nodiscard]] std::vector<FaceStyle> facesOf(const TDF_Label& part, const TopoDS_Shape& shape,
                                               const TopTools_IndexedMapOfShape& faces) const;
  void warnOfScattered(const std::string& name, std::size_t sets);
  void warn(const std::string& element, const std::string& message);

  Handle(XCAFDoc_ShapeTool) shapes_;
  DocumentStyles styles_;
  DocumentLayers layers_;
  CadOptions options_;
  EarlyTessellation* early_ = nullptr;
  Model& model_;
  ProgressLines& progress_;
  std::optional<std::string> looseFacesName_;
  std::map<const TopoDS_TShape*, std::string> groupNames_;
  Placements placements_;
  std::optional<std::set<std::string>> occurrences_;
  TessellatedBodies tessellated_;
  /// By the entry of the product's label; for an assembly, the bodies that belong to no component.
  std::map<std::string, Bodies> seen_;
  std::deque<PartShape> parts_;  ///< by PartId; only the name, if the part has a mesh already
  std::map<PartId, DocumentLayers::Names> layersOfPart_;  ///< of the parts that are on any
  std::map<PartId, TriangleMesh> meshes_;  ///< meshes of the parts that were tessellated in the file
  std::size_t curvesLeftOut_ = 0;
  std::string firstWithCurves_;
  std::size_t faceCount_ = 0, solidCount_ = 0, occurrenceCount_ = 0;
};

}  // namespace fitup::importers
