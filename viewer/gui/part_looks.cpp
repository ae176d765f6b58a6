#include <viewer/gui/part_looks.h>

#include <osg/BlendColor>
#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Material>

#include <viewer/core/cap_styles.h>

namespace fitup::viewer {

osg::ref_ptr<osg::StateSet> makeLook(const osg::Vec4& colour, float offset) {
  const auto strength = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
  const auto face = osg::Material::FRONT_AND_BACK;
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::OFF);
  material->setAmbient(face, colour);
  material->setDiffuse(face, colour);
  material->setSpecular(face, {0.1F, 0.1F, 0.1F, colour.a()});
  material->setShininess(face, 24);
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setAttributeAndModes(material, strength);
  if (offset != faceOffset) state->setAttributeAndModes(polygonOffset(offset), strength);
  if (colour.a() < 1) {
    state->setMode(GL_BLEND, strength);
    state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA), strength);
    state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false), strength);
    state->setRenderBinDetails(10, "DepthSortedBin", osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  }
  return state;
}

osg::ref_ptr<osg::StateSet> makeOwnLook(const PartLook& look) {
  const auto strength = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  if (look.colour) {
    const Colour colour = colourOf(look);
    state = makeLook({colour.red, colour.green, colour.blue, 1});
  }
  if (look.transparency == 0) return state;
  const float alpha = 1 - static_cast<float>(look.transparency) / 100;
  state->setMode(GL_BLEND, strength);
  state->setAttributeAndModes(new osg::BlendColor({0, 0, 0, alpha}), strength);
  state->setAttributeAndModes(
      new osg::BlendFunc(osg::BlendFunc::CONSTANT_ALPHA, osg::BlendFunc::ONE_MINUS_CONSTANT_ALPHA), strength);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false), strength);
  state->setRenderBinDetails(10, "DepthSortedBin", osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  return state;
}

osg::ref_ptr<osg::StateSet> makePaperLook() {
  osg::ref_ptr<osg::StateSet> state = makeLook({0, 0, 0, 1});
  auto* material = static_cast<osg::Material*>(state->getAttribute(osg::StateAttribute::MATERIAL));
  material->setEmission(osg::Material::FRONT_AND_BACK, {1, 1, 1, 1});
  material->setSpecular(osg::Material::FRONT_AND_BACK, {0, 0, 0, 1});
  return state;
}

}  // namespace fitup::viewer
