#include <fitup/io/surface_model.h>

#include <utility>

namespace fitup {

Model surfaceModel(const Assembly& assembly, std::shared_ptr<const TriangleMesh> mesh,
                   const std::string& name) {
  Model model;
  model.assembly = Assembly(name);
  model.assembly.setUnit(assembly.unit());
  model.assembly.setUpAxis(assembly.upAxis());
  const PartId part = model.assembly.addPart(std::move(mesh));
  model.assembly.addNode(name, {}, {}, part);
  return model;
}

}  // namespace fitup
