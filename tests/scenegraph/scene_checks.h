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

/// Returns the difference between two complete reports on assemblies that number their nodes differently;
/// pairs are matched by the paths of their instances. Empty if there is none.
std::string differenceByPath(const fitup::Assembly& a, const fitup::InterferenceReport& reportA,
                             const fitup::Assembly& b, const fitup::InterferenceReport& reportB);

/// Checks all pairs of a scene in its present state, with its models.
fitup::InterferenceReport fresh(osg::Node& scene, const fitup::InterferenceOptions& options = {});

/// Returns what is wrong with the hits of a visitor, by its own report and by the scene: one hit for each
/// pair of triangles, drawables that have the named primitives, points that lie on both. `tolerance` in world
/// units. Empty if nothing is. OSG's own functors read the primitives of the drawables.
std::string problemOfHits(const InterferenceVisitor& visitor, double tolerance);

/// Returns the active triangles of a scene, by OSG's own functor and matrices, in the order of traversal.
std::vector<fitup::Triangle> trianglesByOsg(osg::Node& root);

/// Makes a named transform in that place, with the child if there is one.
osg::ref_ptr<osg::MatrixTransform> placed(const std::string& name, const fitup::Transform& placement,
                                          osg::Node* child);
/// Returns the mesh of the model that a node carries. Precondition: it carries one.
const fitup::TriangleMesh& meshOf(const osg::Node& node);
/// Returns the visitor after it has visited the node; `saved`: files store the models.
osg::ref_ptr<CollisionModelVisitor> visit(osg::Node& root, bool saved = false);
std::vector<std::string> namesOfParts(const CollisionModelVisitor& visitor);

/// Returns osgDB's registry, which finds the plugins of this build, including serializers.
osgDB::Registry& osgDbOfThisBuild();

/// Makes a cuboid of 12 triangles (DrawArrays, 32-bit vertices).
osg::ref_ptr<osg::Geometry> boxGeometry(const osg::Vec3& centre, float side);

/// Returns drawables that have an area and give no triangle, by their fault.
std::map<std::string, osg::ref_ptr<osg::Geometry>> unusableGeometries();

}  // namespace osgFitup::test
