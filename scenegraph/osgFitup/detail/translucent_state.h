#pragma once

#include <osg/StateSet>
#include <osg/Vec4>
#include <osg/ref_ptr>

namespace osgFitup::detail {

/// The colours of a translucent look.
enum class ColourSource {
  look,     ///< one colour
  vertices  ///< those of the drawables; the look has the transparency of the given colour
};

/// Makes the state of faces that let what is behind show through; it overrides what is above it in the graph.
/// It is drawn after opaque faces and highlights, and hides nothing. `frontOnly` leaves out faces that are
/// seen from inside.
osg::ref_ptr<osg::StateSet> translucentState(const osg::Vec4& colour, bool frontOnly,
                                             ColourSource source = ColourSource::look);

}  // namespace osgFitup::detail
