#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <osg/PrimitiveSet>
#include <osg/RenderInfo>
#include <osg/ref_ptr>

namespace fitup::viewer {

/// The indices of what a geometry draws. Unlike those of OSG, they can be drawn after this program's copy of
/// them was freed.
class DrawnElements {
 public:
  virtual ~DrawnElements() = default;
  /// Frees the copy. Precondition: OpenGL has its own, until `releaseGLObjects`.
  virtual void free() = 0;
  /// The bytes of the copy; 0 after `free`.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Makes indices of 16 bits if these are enough for the number of vertices, otherwise of 32 bits. What is
/// returned is a `DrawnElements`. Drawing it counts for `finishPieces`.
osg::ref_ptr<osg::DrawElements> makeElements(GLenum mode, std::span<const std::uint32_t> indices,
                                             std::size_t vertices);

/// Drawing makes OpenGL finish one piece of a picture before it begins the next but one, because a processor
/// that draws keeps what is not yet drawn: more than 1 GB for 10 million triangles. Call this at the end of a
/// picture.
void finishPieces(osg::State& state);

}  // namespace fitup::viewer
