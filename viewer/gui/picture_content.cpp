#include <viewer/gui/picture_content.h>

namespace fitup::viewer {
namespace {

/// A part that looks smaller than this is overlooked.
constexpr double leastPixels = 12;
/// If so many parts may be seen, some of them are.
constexpr std::size_t manyParts = 100;
constexpr int columns = 32, rows = 24;  // of points at which the picture is examined

}  // namespace

bool showsAnything(const ScenePresenter& presenter, const Session& session, const Camera& camera) {
  std::size_t candidates = 0;
  for (const NodeId node : session.assembly().instances()) {
    if (session.state().hidden.contains(node)) continue;
    const Box box = session.scene().worldBounds(node, presenter.drawnPoses());
    if (box.empty() || !camera.mayShow(box)) continue;
    candidates += 2 * norm(box.halfExtent()) >= leastPixels * camera.worldPerPixel(box.centre());
  }
  if (candidates == 0 || candidates >= manyParts) return candidates > 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const PicturePoint at{(x + 0.5) * camera.width() / columns, (y + 0.5) * camera.height() / rows};
      if (presenter.pick(camera.ray(at))) return true;
    }
  return false;
}

}  // namespace fitup::viewer
