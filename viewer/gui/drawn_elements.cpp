#include <viewer/gui/drawn_elements.h>

#include <deque>
#include <limits>

#include <osg/ContextData>
#include <osg/GLExtensions>
#include <osg/State>
#include <osg/VertexArrayState>

namespace fitup::viewer {
namespace {

/// What OpenGL has not finished yet in one context.
class Pieces : public osg::Referenced {
 public:
  explicit Pieces(unsigned int context) : gl_(*osg::get<osg::GLExtensions>(context)) {}

  void add(std::size_t indices) {
    constexpr std::size_t piece = 600'000, underWay = 2;
    count_ += indices;
    if (count_ < piece || gl_.glFenceSync == nullptr || gl_.glClientWaitSync == nullptr) return;
    count_ = 0;
    ends_.push_back(gl_.glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    if (ends_.size() > underWay) waitForFirst();
  }
  void finish() {
    count_ = 0;
    while (!ends_.empty()) waitForFirst();
  }

 private:
  void waitForFirst() {
    constexpr GLuint64 longest = 10'000'000'000;  // ns; only memory depends on it
    gl_.glClientWaitSync(ends_.front(), GL_SYNC_FLUSH_COMMANDS_BIT, longest);
    gl_.glDeleteSync(ends_.front());
    ends_.pop_front();
  }

  osg::GLExtensions& gl_;
  std::size_t count_ = 0;
  std::deque<GLsync> ends_;
};

template <typename Base, GLenum type>
class Elements : public Base, public DrawnElements {
 public:
  Elements(GLenum mode, std::span<const std::uint32_t> indices)
      : Base(mode, indices.begin(), indices.end()), count_(static_cast<GLsizei>(indices.size())) {}

  void draw(osg::State& state, bool usesBuffers) const override {
    osg::GLBufferObject* buffer =
        usesBuffers ? this->getOrCreateGLBufferObject(state.getContextID()) : nullptr;
    if (buffer == nullptr) return Base::draw(state, usesBuffers);
    state.getCurrentVertexArrayState()->bindElementBufferObject(buffer);
    glDrawElements(this->getMode(), count_, type,
                   reinterpret_cast<const GLvoid*>(buffer->getOffset(this->getBufferIndex())));
    osg::get<Pieces>(state.getContextID())->add(static_cast<std::size_t>(count_));
  }
  [[nodiscard]] unsigned int getNumIndices() const override { return static_cast<unsigned int>(count_); }
  void free() override { typename Base::vector_type().swap(*this); }
  [[nodiscard]] std::size_t bytes() const override { return this->getTotalDataSize(); }

 private:
  GLsizei count_;
};

}  // namespace

osg::ref_ptr<osg::DrawElements> makeElements(GLenum mode, std::span<const std::uint32_t> indices,
                                             std::size_t vertices) {
  if (vertices <= std::size_t{std::numeric_limits<GLushort>::max()} + 1)
    return new Elements<osg::DrawElementsUShort, GL_UNSIGNED_SHORT>(mode, indices);
  return new Elements<osg::DrawElementsUInt, GL_UNSIGNED_INT>(mode, indices);
}

void finishPieces(osg::State& state) { osg::get<Pieces>(state.getContextID())->finish(); }

}  // namespace fitup::viewer
