#include <map>
#include <typeinfo>

#include <osgFitup/detail/checked_scene.h>
#include <osg/CopyOp>
#include <osg/Geode>
#include <osgDB/FileNameUtils>
#include <osgDB/Registry>

#include "assembly_reader.h"

namespace osgFitup::plugins {
namespace {

/// Copies nodes and drawables, which may be parts; arrays and states stay shared. An object that the graph
/// holds in several places is copied once, so that the copy has the same parts and shares the same models. It
/// owns the copies and must outlive the copying.
class GraphCopy : public osg::CopyOp {
 public:
  GraphCopy() : osg::CopyOp(DEEP_COPY_NODES | DEEP_COPY_DRAWABLES) {}

  using osg::CopyOp::operator();
  osg::Node* operator()(const osg::Node* node) const override {
    if (node == nullptr) return nullptr;
    osg::ref_ptr<osg::Node>& copy = copies_[node];
    if (!copy) copy = copyOf(*node);
    // Copies lack models that are not saved, and these need not be built again.
    if (copy.valid() && partModelOf(*copy) == nullptr)
      if (const PartModel* model = partModelOf(*node)) setPartModel(*copy, const_cast<PartModel*>(model));
    return copy;
  }

 private:
  osg::ref_ptr<osg::Node> copyOf(const osg::Node& node) const {
    osg::ref_ptr<osg::Node> copy = osg::CopyOp::operator()(&node);
    if (node.asDrawable() == nullptr || (copy.valid() && typeid(*copy) == typeid(node))) return copy;
    // Classes that do not override cloning lose their triangles in a copy. The caller's drawable is then used
    // itself, below a node with its name that can be the part.
    auto* drawable = const_cast<osg::Node*>(&node);
    if (partModelOf(node) != nullptr) return drawable;
    const osg::ref_ptr<osg::Geode> holder = new osg::Geode;
    holder->setName(node.getName());
    holder->addChild(drawable);
    return holder;
  }

  mutable std::map<const osg::Node*, osg::ref_ptr<osg::Node>> copies_;
};

}  // namespace

/// Reads and writes model files. It writes `createAssembly` of the scene. Parts without a model get one from
/// `CollisionModelVisitor`, in a copy, so the caller's graph does not change.
class ModelFileReaderWriter : public AssemblyReader {
 public:
  ModelFileReaderWriter() {
    supportsExtension("fitup", "Fitup model file");
    supportRootOption();
  }
  [[nodiscard]] const char* className() const override { return "Fitup model file reader and writer"; }

  WriteResult writeObject(const osg::Object& object, const std::string& file,
                          const Options* options) const override {
    const auto* node = dynamic_cast<const osg::Node*>(&object);
    return node != nullptr ? writeNode(*node, file, options) : WriteResult(WriteResult::FILE_NOT_HANDLED);
  }

  WriteResult writeNode(const osg::Node& node, const std::string& file, const Options*) const override {
    if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return WriteResult::FILE_NOT_HANDLED;
    try {
      const GraphCopy copying;
      const osg::ref_ptr<osg::Node> copy = copying(&node);
      detail::CheckedScene made = detail::checkedScene(*copy, {.refit = false});
      if (made.scene.instances.empty()) return std::string(file + ": the scene holds no triangles");
      fitup::Model model;
      model.assembly = made.scene.assembly();
      model.collisionModels = made.scene.scene.collisionModels();
      model.warnings = std::move(made.warnings);
      notifyOf(file, model.warnings);
      fitup::writeModelFile(file, model);
      return WriteResult::FILE_SAVED;
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  }

 protected:
  ~ModelFileReaderWriter() override = default;
};

}  // namespace osgFitup::plugins

using osgFitup::plugins::ModelFileReaderWriter;
REGISTER_OSGPLUGIN(fitup, ModelFileReaderWriter)
