#pragma once

#include <osg/StateSet>
#include <osg/Vec4>
#include <osg/ref_ptr>

#include <fitup/io/project_file.h>
#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

// How the faces of an instance look instead of as in the file.

/// One colour; below 1, alpha lets what is behind show through. `offset` as `faceOffset`.
osg::ref_ptr<osg::StateSet> makeLook(const osg::Vec4& colour, float offset = faceOffset);
/// A look of the user's. A constant blends also where the colours are those of the file.
osg::ref_ptr<osg::StateSet> makeOwnLook(const PartLook& look);
/// White, unlit: edges then look like a drawing, without those that faces hide.
osg::ref_ptr<osg::StateSet> makePaperLook();

}  // namespace fitup::viewer
