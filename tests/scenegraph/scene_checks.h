#pragma once

#include <map>
#include <string>
#include <vector>

#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <osgDB/Registry>

#include <fitup/scene/interference.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/interference_visitor.h>

namespace osgFitup::test {

/// What is different between two complete reports on assemblies that number their nodes differently: pairs
/// are matched by the paths of their instances. Empty if nothing is.
std::string differenceByPath(const fitup::Assembly& a, const fitup::InterferenceReport& reportA,
                             const fitup::Assembly& b, const fitup::InterferenceReport& reportB);

/// A check of all pairs of a scene as it is now, of its models.
fitup::InterferenceReport fresh(osg::Node& scene, const fitup::InterferenceOptions& options = {});

/// What is wrong with the hits of a visitor, by its own report and by the scene: one hit for each pair of
/// triangles, drawables that carry the named primitives, points that lie on both of them. `tolerance` in
/// world units. Empty if nothing is. The drawables' primitives are read by OSG's own functors.
std::string problemOfHits(const InterferenceVisitor& visitor, double tolerance);

/// The triangles that are active in a scene, by OSG's own functor and matrices, in the order of traversal.
std::vector<fitup::Triangle> trianglesByOsg(osg::Node& root);

/// A named transform at that place, with the child if there is one.
osg::ref_ptr<osg::MatrixTransform> placed(const std::string& name, const fitup::Transform& placement,
                                          osg::Node* child);
/// The mesh of the model that a node carries. Precondition: it carries one.
const fitup::TriangleMesh& meshOf(const osg::Node& node);
/// The visitor, after it has visited the node; `saved`: the models go into files.
osg::ref_ptr<CollisionModelVisitor> visit(osg::Node& root, bool saved = false);
std::vector<std::string> namesOfParts(const CollisionModelVisitor& visitor);

/// osgDB, which finds the plugins of this build, serializers among them.
osgDB::Registry& osgDbOfThisBuild();

/// A cuboid of 12 triangles (DrawArrays, 32-bit vertices).
osg::ref_ptr<osg::Geometry> boxGeometry(const osg::Vec3& centre, float side);

/// Drawables that have an area and give no triangle, by what is wrong with them.
std::map<std::string, osg::ref_ptr<osg::Geometry>> unusableGeometries();

}  // namespace osgFitup::test
