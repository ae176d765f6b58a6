#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <osg/Drawable>
#include <osg/Node>
#include <osg/Object>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/io/model_file.h>
#include <fitup/io/read_assembly.h>

namespace FITUP_EXPORT osgFitup {

namespace detail {
struct PartContents;
}

/// Where a drawable hangs below the node of its part: the position among the children, step by step. Holds
/// for copies of the node too.
using ChildPath = std::vector<unsigned int>;

/// What number a triangle has as primitive of its drawable. Primitives are counted as osgUtil's intersectors
/// do (osg::TemplatePrimitiveFunctor): through all primitive sets, points and lines too, a quad once.
enum class PrimitiveNumbering {
  /// The triangles of a surface are the primitives of its drawable, in their order.
  consecutive,
  /// `TriangleMesh::sourceTriangle` says: the drawable has other primitives than triangles.
  fromSource,
};

/// What the surfaces of a part are. Several surfaces of one drawable have the same path.
struct SurfaceDivision {
  fitup::SceneSurfaces surfaces = fitup::SceneSurfaces::drawables;
  double angleDegrees = 30;  ///< largest between the normals of neighbours within a smooth patch
  friend bool operator==(const SurfaceDivision& a, const SurfaceDivision& b) {
    return a.surfaces == b.surfaces &&
           (a.surfaces != fitup::SceneSurfaces::smoothPatches || a.angleDegrees == b.angleDegrees);
  }
};

/// Triangles [first, first + count) of a part's mesh. Empty if count is 0.
struct TriangleRange {
  fitup::TriangleId first{};
  std::uint32_t count = 0;
};

/// State of a drawable's vertices: the same as long as they are neither dirtied nor replaced.
struct VertexVersion {
  osg::ref_ptr<const osg::Array> array;  ///< kept, so that no other one comes to lie at its address
  unsigned int modifiedCount = 0;
  friend bool operator==(const VertexVersion&, const VertexVersion&) = default;
};
VertexVersion versionOf(const osg::Drawable& drawable);

/// The collision model of a part, and which of its surfaces is which drawable of the scene graph: what a node
/// has to carry to take part in queries. Immutable once made and so thread-safe; shared by all nodes that
/// show the part.
///
/// The model's part frame is that *inside* the node: of its children where it is a transform.
class PartModel : public osg::Object {
 public:
  PartModel() = default;
  /// `surfacePaths[i]` leads to the drawable of surface i; ascending. Surfaces of one drawable have equal
  /// paths, and their triangles are numbered `fromSource`. Throws fitup::InputError if there is not one for
  /// each surface of the model, or no model. `warnings`: what of the part's drawables the model lacks.
  PartModel(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
            PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings = {});
  PartModel(const PartModel& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Object(osgFitup, PartModel)

  /// Contents for one that was made without, as readers of files do. Throws as the constructor, and if there
  /// are some.
  void fill(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
            PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings);

  /// Null for one that was made without.
  [[nodiscard]] const std::shared_ptr<const fitup::CollisionModel>& getCollisionModel() const noexcept {
    return model_;
  }
  [[nodiscard]] const std::vector<ChildPath>& getSurfacePaths() const noexcept { return surfacePaths_; }
  [[nodiscard]] PrimitiveNumbering getPrimitiveNumbering() const noexcept { return numbering_; }
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept { return warnings_; }

  /// Whether files that the scene is written to hold the model. Those that queries, monitors and
  /// `CollisionModelVisitor` make are not, unless asked for (`CollisionModelVisitor::setSaved`), as they can
  /// be made again. To be set before the model is given to nodes. Default: true.
  void setSaved(bool saved) noexcept { saved_ = saved; }
  [[nodiscard]] bool isSaved() const noexcept { return saved_; }

  /// Of the surfaces' drawables when the model was made of them, by surface; empty: not known. To be set
  /// before the model is given to nodes; `createScene`, `CollisionModelVisitor` and `refitParts` do.
  [[nodiscard]] const std::vector<VertexVersion>& getVertexVersions() const noexcept { return versions_; }
  void setVertexVersions(std::vector<VertexVersion> versions) { versions_ = std::move(versions); }

  /// What the part's node showed when the model was made; null: not known. For the library itself, which
  /// decides by it, where a scene is looked at anew, whether the model is out of date. Never seen by queries.
  [[nodiscard]] const std::shared_ptr<const detail::PartContents>& getContents() const noexcept {
    return contents_;
  }
  void setContents(std::shared_ptr<const detail::PartContents> contents) { contents_ = std::move(contents); }

  /// The nodes from `part` down to the surface's drawable, both included, by the positions of children. Empty
  /// for a surface that is not there, and where no drawable is in that place; once children below `part` were
  /// changed it leads to what is in the place now, until the part is given another model.
  [[nodiscard]] osg::NodePath pathTo(osg::Node& part, fitup::SurfaceId surface) const;
  /// The same drawable alone, or null.
  [[nodiscard]] osg::Drawable* drawableOf(osg::Node& part, fitup::SurfaceId surface) const;
  /// The reverse of `pathTo`: the surface that the drawable at the end of a path from the part's node shows,
  /// of several the first. Nothing if the model does not know it. Where a group holds one child several
  /// times, the first of them. Throws fitup::InputError for a path with a null node.
  [[nodiscard]] std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& fromPartToDrawable) const;
  /// The one that a primitive of that drawable belongs to; nothing for one without triangles.
  [[nodiscard]] std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& fromPartToDrawable,
                                                          unsigned int primitiveIndex) const;
  /// The surfaces of the same drawable as that one, [first, second). Precondition: the surface is there.
  [[nodiscard]] std::pair<fitup::SurfaceId, fitup::SurfaceId> surfacesBeside(fitup::SurfaceId surface) const;

  /// Number of the primitive of its surface's drawable that a triangle belongs to. Throws fitup::InputError
  /// for a model without contents.
  [[nodiscard]] unsigned int primitiveIndexOf(fitup::TriangleId triangle) const;
  /// The triangles that a primitive is made of: one, two for a quad, none for a point, a line or a number
  /// that is not there.
  [[nodiscard]] TriangleRange trianglesOf(fitup::SurfaceId surface, unsigned int primitiveIndex) const;

 protected:
  ~PartModel() override = default;

 private:
  /// The rest of the path, `way` being the child positions of what was followed.
  std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& path, ChildPath& way) const;

  std::shared_ptr<const fitup::CollisionModel> model_;
  std::vector<ChildPath> surfacePaths_;
  PrimitiveNumbering numbering_ = PrimitiveNumbering::consecutive;
  std::vector<fitup::ImportWarning> warnings_;
  bool saved_ = true;
  std::vector<VertexVersion> versions_;
  std::shared_ptr<const detail::PartContents> contents_;
};

/// Of the drawables below a part's node, by the model's surfaces.
std::vector<VertexVersion> vertexVersionsOf(osg::Node& part, const PartModel& model);

/// The model that a node carries: a `PartNode` as its own, any other node among its user data, or beside them
/// if it is not saved (copies of the node then come without it). Null if there is none.
PartModel* partModelOf(osg::Node& node);
const PartModel* partModelOf(const osg::Node& node);
/// Gives a node a model, or takes it away (null). Other user data stay.
void setPartModel(osg::Node& node, PartModel* model);

}  // namespace osgFitup
