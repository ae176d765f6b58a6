#include <osgFitup/detail/checked_scene.h>
#include <osgDB/FileNameUtils>
#include <osgDB/Registry>

#include "assembly_reader.h"

namespace osgFitup::plugins {

/// Model files, both ways. What is written is `createAssembly` of the scene; parts that carry no model are
/// given one as `CollisionModelVisitor` does, on a copy of the nodes: the caller's graph stays as it is.
class ModelFileReaderWriter : public AssemblyReader {
 public:
  ModelFileReaderWriter() { supportsExtension("fitup", "Fitup model file"); }
  [[nodiscard]] const char* className() const override { return "Fitup model file reader and writer"; }

  WriteResult writeObject(const osg::Object& object, const std::string& file,
                          const Options* options) const override {
    const auto* node = dynamic_cast<const osg::Node*>(&object);
    return node != nullptr ? writeNode(*node, file, options) : WriteResult(WriteResult::FILE_NOT_HANDLED);
  }

  WriteResult writeNode(const osg::Node& node, const std::string& file, const Options*) const override {
    if (!acceptsExtension(osgDB::getLowerCaseFileExtension(file))) return WriteResult::FILE_NOT_HANDLED;
    try {
      const osg::ref_ptr<osg::Node> copy = osg::clone(&node, osg::CopyOp::DEEP_COPY_NODES);
      detail::CheckedScene made = detail::checkedScene(*copy, {.refit = false});
      if (made.scene.instances.empty()) return std::string(file + ": the scene holds no triangles");
      fitup::Model model;
      model.assembly = std::move(made.scene.assembly);
      model.collisionModels = std::move(made.scene.models);
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
