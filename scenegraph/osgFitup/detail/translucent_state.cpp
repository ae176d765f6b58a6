#include <osgFitup/detail/translucent_state.h>

#include <osg/BlendFunc>
#include <osg/CullFace>
#include <osg/Depth>
#include <osg/LightModel>
#include <osg/Material>

namespace osgFitup::detail {

osg::ref_ptr<osg::StateSet> translucentState(const osg::Vec4& colour, bool frontOnly, ColourSource source) {
  const auto on = osg::StateAttribute::ON | osg::StateAttribute::PROTECTED | osg::StateAttribute::OVERRIDE;
  const auto off = osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED | osg::StateAttribute::OVERRIDE;
  const auto sides = osg::Material::FRONT_AND_BACK;
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(source == ColourSource::look ? osg::Material::OFF
                                                      : osg::Material::AMBIENT_AND_DIFFUSE);
  material->setAmbient(sides, colour);
  material->setDiffuse(sides, colour);
  material->setSpecular(sides, {0.1F, 0.1F, 0.1F, colour.a()});
  material->setShininess(sides, 24);
  state->setAttributeAndModes(material, on);
  state->setMode(GL_LIGHTING, on);
  state->setMode(GL_NORMALIZE, on);  // placements may scale
  for (unsigned int unit = 0; unit < 2; ++unit) state->setTextureMode(unit, GL_TEXTURE_2D, off);
  if (frontOnly) {
    state->setAttributeAndModes(new osg::CullFace(osg::CullFace::BACK), on);
  } else {
    state->setMode(GL_CULL_FACE, off);
    osg::ref_ptr<osg::LightModel> light = new osg::LightModel;
    light->setTwoSided(true);
    state->setAttributeAndModes(light, on);
  }
  state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA), on);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false), on);
  constexpr int afterHighlights = 32;  // which would otherwise be drawn over it, because it leaves no depth
  state->setRenderBinDetails(afterHighlights, "DepthSortedBin", osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  return state;
}

}  // namespace osgFitup::detail
