#include <osgFitup/detail/material_colour.h>

#include <osg/Material>
#include <osg/StateSet>

#include <osgFitup/conversions.h>

namespace osgFitup::detail {

std::optional<fitup::Colour> materialColour(const osg::Node& node, MaterialStrength strength) {
  const osg::StateSet* state = node.getStateSet();
  const osg::StateSet::RefAttributePair* pair =
      state == nullptr ? nullptr : state->getAttributePair(osg::StateAttribute::MATERIAL);
  const auto* material = pair == nullptr ? nullptr : dynamic_cast<const osg::Material*>(pair->first.get());
  if (material == nullptr || material->getColorMode() == osg::Material::DIFFUSE ||
      material->getColorMode() == osg::Material::AMBIENT_AND_DIFFUSE)
    return std::nullopt;
  if (strength == MaterialStrength::overriding && (pair->second & osg::StateAttribute::OVERRIDE) == 0)
    return std::nullopt;
  return toColour(material->getDiffuse(osg::Material::FRONT));
}

}  // namespace osgFitup::detail
