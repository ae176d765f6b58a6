#include <models/process_plant.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <models/plant/parts.h>
#include <models/solids/tessellate.h>

namespace fitup::models {

double flangeGap(double clearance) {
  if (!(clearance > 0) || !(clearance <= largestPlantClearance))
    throw InputError("plant", "clearance " + numberText(clearance),
                     "it must be above 0 and at most " + numberText(largestPlantClearance) + " mm");
  return std::ceil(clearance * (33.0 / 32) / coordinateGrid) * coordinateGrid;
}

std::vector<PartDescription> describeProcessPlant(const ProcessPlantOptions& options) {
  const double spoolHalf = options.clearance
                               ? plant::spoolHalfLength - plant::matingOverlap - flangeGap(*options.clearance)
                               : plant::spoolHalfLength;
  return {plant::frame(), plant::dripTray(),    plant::tank(),          plant::drum(),
          plant::pump(),  plant::suctionLine(), plant::dischargeLine(), plant::spool(spoolHalf)};
}

std::string subassemblyOf(const std::string& part) {
  if (part == "frame" || part == "drip-tray") return "structure";
  if (part == "tank" || part == "drum" || part == "pump") return "equipment";
  return "piping";
}

Assembly makeProcessPlant(const ProcessPlantOptions& options) {
  Assembly assembly("process-plant");
  const NodeId root = assembly.addNode("process-plant", {});
  std::map<std::string, NodeId> groups;
  for (const char* group : {"structure", "equipment", "piping"})
    groups[group] = assembly.addNode(group, {}, root);
  for (const PartDescription& part : describeProcessPlant(options)) {
    const PartId id = assembly.addPart(std::make_shared<const TriangleMesh>(tessellate(part)));
    assembly.addNode(part.name, part.worldFromPart, groups.at(subassemblyOf(part.name)), id, part.colour);
  }
  return assembly;
}

}  // namespace fitup::models
