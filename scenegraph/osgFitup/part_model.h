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

/// The place of a drawable below the node of its part: at each step, the position among the children. Holds
/// for copies of the node too.
using ChildPath = std::vector<unsigned int>;

/// How triangles relate to the primitives of their drawable. Primitives are counted as osgUtil's intersectors
/// do (osg::TemplatePrimitiveFunctor): through all primitive sets, with points and lines, and a quad once.
enum class PrimitiveNumbering {
  /// The triangles of a surface are the primitives of its drawable, in their order.
  consecutive,
  /// `TriangleMesh::sourceTriangle` has the numbers, because the drawable also has other primitives than
  /// triangles.
  fromSource,
};

/// How a part is divided into surfaces. Several surfaces of one drawable have the same path.
struct SurfaceDivision {
  fitup::SceneSurfaces surfaces = fitup::SceneSurfaces::drawables;
  double angleDegrees = 30;  ///< largest angle between the normals of neighbours in a smooth patch
  friend bool operator==(const SurfaceDivision& a, const SurfaceDivision& b) {
    return a.surfaces == b.surfaces &&
           (a.surfaces != fitup::SceneSurfaces::smoothPatches || a.angleDegrees == b.angleDegrees);
  }
};

/// The triangles [first, first + count) of a part's mesh; empty if count is 0.
struct TriangleRange {
  fitup::TriangleId first{};
  std::uint32_t count = 0;
};

/// The state of a drawable's vertices; stays equal until they are dirtied or replaced.
struct VertexVersion {
  osg::ref_ptr<const osg::Array> array;  ///< kept alive, so that no other array gets its address
  unsigned int modifiedCount = 0;
  friend bool operator==(const VertexVersion&, const VertexVersion&) = default;
};
VertexVersion versionOf(const osg::Drawable& drawable);

/// The collision model of a part, and the map from its surfaces to the drawables of the scene graph. A node
/// needs one to take part in queries. Immutable once made, and therefore thread-safe; all nodes that show the
/// part share it.
///
/// The model is in the frame *inside* the node: if the node is a transform, that of its children.
class PartModel : public osg::Object {
 public:
  PartModel() = default;
  /// `surfacePaths[i]` leads to the drawable of surface i; the paths ascend. Surfaces of one drawable have
  /// equal paths, and their triangles are numbered `fromSource`. `warnings` describe what the model lacks of
  /// the part's drawables. Throws fitup::InputError without a model, or if there is not one path for each
  /// surface.
  PartModel(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
            PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings = {});
  PartModel(const PartModel& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Object(osgFitup, PartModel)

  /// Fills an empty model, as readers of files do. Throws like the constructor, and if the model is not
  /// empty.
  void fill(std::shared_ptr<const fitup::CollisionModel> model, std::vector<ChildPath> surfacePaths,
            PrimitiveNumbering numbering, std::vector<fitup::ImportWarning> warnings);

  /// Null for a model without contents.
  [[nodiscard]] const std::shared_ptr<const fitup::CollisionModel>& getCollisionModel() const noexcept {
    return model_;
  }
  [[nodiscard]] const std::vector<ChildPath>& getSurfacePaths() const noexcept { return surfacePaths_; }
  [[nodiscard]] PrimitiveNumbering getPrimitiveNumbering() const noexcept { return numbering_; }
  [[nodiscard]] const std::vector<fitup::ImportWarning>& getWarnings() const noexcept { return warnings_; }

  /// Whether the model is written to the files to which the scene is saved. Default: true. Queries, monitors
  /// and `CollisionModelVisitor` turn this off for the models that they build, because these can be built
  /// again (`CollisionModelVisitor::setSaved` turns it on). Call it before nodes carry the model.
  void setSaved(bool saved) noexcept { saved_ = saved; }
  [[nodiscard]] bool isSaved() const noexcept { return saved_; }

  /// The vertices of the surfaces' drawables when the model was made from them, by surface; empty if unknown.
  /// Call the setter before nodes carry the model, as `createScene`, `CollisionModelVisitor` and `refitParts`
  /// do.
  [[nodiscard]] const std::vector<VertexVersion>& getVertexVersions() const noexcept { return versions_; }
  void setVertexVersions(std::vector<VertexVersion> versions) { versions_ = std::move(versions); }

  /// The content that the part's node showed when the model was made; null if unknown. The library uses it to
  /// decide whether the model is out of date when a scene changes. Queries do not use it.
  [[nodiscard]] const std::shared_ptr<const detail::PartContents>& getContents() const noexcept {
    return contents_;
  }
  void setContents(std::shared_ptr<const detail::PartContents> contents) { contents_ = std::move(contents); }

  /// Returns the nodes from `part` down to the drawable of a surface, both included, by the positions of
  /// children. Empty if the surface does not exist or no drawable is in that place. If children below `part`
  /// were changed, the path leads to what is in that place at the time, until the part is given another
  /// model.
  [[nodiscard]] osg::NodePath pathTo(osg::Node& part, fitup::SurfaceId surface) const;
  /// Returns the last node of `pathTo`, or null.
  [[nodiscard]] osg::Drawable* drawableOf(osg::Node& part, fitup::SurfaceId surface) const;
  /// Returns the surface that the drawable at the end of the path shows (the first of several); the reverse
  /// of `pathTo`. Empty if the model does not know the drawable. If a group holds one child several times,
  /// the first place counts. Throws fitup::InputError for a path with a null node.
  [[nodiscard]] std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& fromPartToDrawable) const;
  /// Returns the surface of a primitive of that drawable; empty if the primitive has no triangles.
  [[nodiscard]] std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& fromPartToDrawable,
                                                          unsigned int primitiveIndex) const;
  /// Returns the surfaces [first, second) of the same drawable. Precondition: the surface exists.
  [[nodiscard]] std::pair<fitup::SurfaceId, fitup::SurfaceId> surfacesBeside(fitup::SurfaceId surface) const;

  /// Returns the number of the primitive, in its surface's drawable, to which a triangle belongs. Throws
  /// fitup::InputError for a model without contents.
  [[nodiscard]] unsigned int primitiveIndexOf(fitup::TriangleId triangle) const;
  /// Returns the triangles of a primitive: one, two for a quad, none for a point, a line or a number that
  /// does not exist.
  [[nodiscard]] TriangleRange trianglesOf(fitup::SurfaceId surface, unsigned int primitiveIndex) const;

 protected:
  ~PartModel() override = default;

 private:
  /// Follows the rest of the path; `way` holds the child positions of the part already followed.
  std::optional<fitup::SurfaceId> surfaceAt(const osg::NodePath& path, ChildPath& way) const;

  std::shared_ptr<const fitup::CollisionModel> model_;
  std::vector<ChildPath> surfacePaths_;
  PrimitiveNumbering numbering_ = PrimitiveNumbering::consecutive;
  std::vector<fitup::ImportWarning> warnings_;
  bool saved_ = true;
  std::vector<VertexVersion> versions_;
  std::shared_ptr<const detail::PartContents> contents_;
};

/// Returns the versions of the drawables below a part's node, by the model's surfaces.
std::vector<VertexVersion> vertexVersionsOf(osg::Node& part, const PartModel& model);

/// Returns the model that a node carries, or null. A `PartNode` has it as a member; any other node has it
/// among its user data, or beside them if it is not saved (copies of the node then lack it).
PartModel* partModelOf(osg::Node& node);
const PartModel* partModelOf(const osg::Node& node);
/// Gives a node a model, or removes it (null). Other user data stay.
void setPartModel(osg::Node& node, PartModel* model);

}  // namespace osgFitup
