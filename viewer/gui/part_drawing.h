#pragma once

#include <memory>
#include <vector>

#include <osg/Geometry>
#include <osg/PolygonOffset>
#include <osg/RenderInfo>
#include <osg/Switch>

#include <fitup/base/progress.h>
#include <fitup/scene/scene.h>
#include <osgFitup/highlight.h>

namespace fitup::viewer {

/// Polygon offsets (`osgFitup::HighlightStyle::offset`), which decide what is seen of faces in one place:
/// faces of parts are behind those of the second part of a finding, these behind highlights, these behind
/// what needs action, this behind the face under the cursor, and all behind edges, which have no offset.
inline constexpr float faceOffset = 2, secondFaceOffset = 1.8F, highlightOffset = 1.5F,
                       secondMarkOffset = 1.3F, actionOffset = 1.1F, regionOffset = 0.9F, cursorOffset = 0.7F;
/// Makes the attribute of such an offset.
osg::ref_ptr<osg::PolygonOffset> polygonOffset(float offset);

/// The drawables of a part, which its instances share: all opaque faces in one, so that a part takes one draw
/// call however many faces it has. The levels share their vertices.
struct PartDrawing {
  struct Level {
    double cell =
        0;  ///< by this much, times the square root of 3, triangles may be displaced; in the part's unit
    std::size_t triangles = 0;
    osg::ref_ptr<osg::Geometry> faces;
  };
  std::vector<Level> levels;          ///< of opaque faces, from all triangles to the coarsest; never empty
  osg::ref_ptr<osg::Geometry> clear;  ///< translucent faces; null if there are none
  osg::ref_ptr<osg::Geometry> edges;  ///< null if there are none
  std::size_t segments = 0;           ///< of the edges
  std::shared_ptr<const TriangleMesh> mesh;  ///< from which all this was made
  /// Whether OpenGL has the only copy of vertices and indices.
  bool isInOpenGl = false;
};

/// Draws an instance of a part. Below a `PartNode`, it is the first child's child.
class DrawnInstance : public osg::Switch {
 public:
  explicit DrawnInstance(std::shared_ptr<PartDrawing> drawing);

  [[nodiscard]] const PartDrawing& drawing() const noexcept { return *drawing_; }
  /// Chooses what is drawn: a level, none beyond the last one; edges.
  void show(std::size_t level, bool edges);
  /// The number of triangles of opaque faces that are drawn.
  [[nodiscard]] std::size_t drawnTriangles() const noexcept {
    return showsFaces_ && level_ < drawing_->levels.size() ? drawing_->levels[level_].triangles : 0;
  }
  /// Whether faces are drawn at all.
  void setFaces(bool drawn);
  /// The state of edges (`edgeLook`); not null.
  void setEdgeLook(osg::StateSet* look);
  /// Copies vertices and indices to OpenGL and frees this program's copy: where a processor draws, both are
  /// in the same memory. Returns the bytes that were freed. Needs the current context of `info`.
  std::size_t moveToOpenGl(osg::RenderInfo& info);

 private:
  friend void remakeDrawings(std::span<DrawnInstance* const> instances);
  void addDrawables();
  void apply();

  std::shared_ptr<PartDrawing> drawing_;
  osg::ref_ptr<osg::Group> edges_;
  std::size_t level_ = 0;
  bool showsFaces_ = true, showsEdges_ = true;
};

/// Highlights a surface of a part node that a `DrawnInstance` draws, with this offset in place of the
/// style's.
osgFitup::Highlight::Id showSurface(osgFitup::Highlight& highlight, const osg::NodePath& toPart,
                                    SurfaceId surface, const osgFitup::HighlightStyle& style,
                                    float offset = highlightOffset);

/// The look of edges in a colour.
osg::ref_ptr<osg::StateSet> edgeLook(const osg::Vec4& colour, float width);

/// Adds what is drawn to each part node of a scene that was made without drawables, and sets the state that
/// `PartDrawing` needs. Throws CancelledError.
void addDrawings(osg::Group& root, const Scene& scene, const Progress& progress);

/// Makes the drawables of instances anew from their meshes, as after the loss of what OpenGL had.
void remakeDrawings(std::span<DrawnInstance* const> instances);

}  // namespace fitup::viewer
