#include <models/process_plant.h>

#include <map>
#include <memory>

#include <models/plant/parts.h>
#include <models/solids/tessellate.h>

namespace fitup::models {

std::vector<PartDescription> describeProcessPlant() {
  return {plant::frame(), plant::dripTray(),    plant::tank(),          plant::drum(),
          plant::pump(),  plant::suctionLine(), plant::dischargeLine(), plant::spool()};
}

std::string subassemblyOf(const std::string& part) {
  if (part == "frame" || part == "drip-tray") return "structure";
  if (part == "tank" || part == "drum" || part == "pump") return "equipment";
  return "piping";
}

Assembly makeProcessPlant() {
  Assembly assembly("process-plant");
  const NodeId root = assembly.addNode("process-plant", {});
  std::map<std::string, NodeId> groups;
  for (const char* group : {"structure", "equipment", "piping"})
    groups[group] = assembly.addNode(group, {}, root);
  for (const PartDescription& part : describeProcessPlant()) {
    const PartId id = assembly.addPart(std::make_shared<const TriangleMesh>(tessellate(part)));
    assembly.addNode(part.name, part.worldFromPart, groups.at(subassemblyOf(part.name)), id, part.colour);
  }
  return assembly;
}

}  // namespace fitup::models
