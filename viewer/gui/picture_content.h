#pragma once

#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {

/// Returns false if nothing of the visible parts is in the picture, or nearly nothing: they are outside it,
/// smaller than a few pixels, or seen through.
bool showsAnything(const ScenePresenter& presenter, const Session& session, const Camera& camera);

}  // namespace fitup::viewer
