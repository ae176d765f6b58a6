#include <fitup/io/keep_out.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>

namespace fitup {
namespace {

constexpr std::string_view layerOfMaker = "swept by ";

/// The instance of this path, or of this path below the node of one of several files.
NodeId makerOf(const Assembly& assembly, const std::string& path, const std::string& file) {
  std::vector<NodeId> found;
  const auto look = [&](const std::string& at) {
    const std::optional<NodeId> node = assembly.find(at);
    if (node && assembly.node(*node).part) found.push_back(*node);
  };
  look(path);
  for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i)
    if (!assembly.nodes()[i].parent) look(assembly.path(NodeId{i}) + "/" + path);
  if (found.size() == 1) return found.front();
  throw InputError(file, "'" + path + "'",
                   found.empty() ? "made this keep-out, and is not in the model"
                                 : "made this keep-out, and is in several files of the model");
}

std::string ruledPath(const Assembly& assembly, NodeId node) {
  std::string path = assembly.path(node);
  if (path.find_first_of("*?") != std::string::npos)
    throw InputError("keep-out", "'" + path + "'", "has * or ?, so that no rule can name it");
  return path;
}

}  // namespace

Model sweptVolumeModel(const Assembly& assembly, const SweptVolume& swept) {
  const std::string name = "swept volume";
  Model model;
  model.assembly = Assembly(name);
  model.assembly.setUnit(assembly.unit());
  model.assembly.setUpAxis(assembly.upAxis());
  const NodeId node = model.assembly.addNode(name, {}, {}, model.assembly.addPart(swept.outer));
  std::vector<std::string> layers;
  for (const NodeId maker : swept.makers) layers.push_back(std::string(layerOfMaker) + assembly.path(maker));
  model.assembly.setLayers(node, std::move(layers));
  return model;
}

std::vector<KeepOut> addKeepOuts(Model& model, std::span<const std::filesystem::path> files,
                                 const ReadOptions& options, const Progress& progress) {
  std::vector<KeepOut> keepOuts;
  if (files.empty()) return keepOuts;
  Assembly& assembly = model.assembly;
  // All are read, and their makers found, before the model changes.
  std::vector<Model> envelopes;
  std::vector<std::vector<std::string>> layers;
  for (const std::filesystem::path& file : files) {
    Model envelope = readAssembly(file, options, progress);
    KeepOut keepOut;
    layers.emplace_back();
    const std::vector<NodeId> instances = envelope.assembly.instances();
    if (instances.size() == 1 && envelope.assembly.nodes().size() == 1)
      layers.back() = envelope.assembly.node(instances.front()).layers;
    for (const std::string& layer : layers.back())
      if (layer.starts_with(layerOfMaker))
        keepOut.makers.push_back(makerOf(assembly, layer.substr(layerOfMaker.size()), file.string()));
    if (keepOut.makers.empty())
      throw InputError(file.string(), "keep-out",
                       "is not an envelope that names the parts that made it, as 'fitup sweep' writes it");
    if (envelope.assembly.unit() != assembly.unit())
      throw InputError(file.string(), "unit",
                       "'" + envelope.assembly.unit() + "', that of the model is '" + assembly.unit() + "'");
    keepOuts.push_back(std::move(keepOut));
    envelopes.push_back(std::move(envelope));
  }
  // A sibling of the same name would change the paths of the model.
  std::string name = "keep-out";
  for (int k = 2; assembly.find(name); ++k) name = "keep-out " + std::to_string(k);
  const NodeId root = assembly.addNode(name, {});
  for (std::size_t i = 0; i < files.size(); ++i) {
    const PartId part = assembly.addPart(envelopes[i].assembly.sharedPart(PartId{0}));
    keepOuts[i].instance = assembly.addNode(files[i].stem().string(), {}, root, part);
    assembly.setLayers(keepOuts[i].instance, layers[i]);
    if (!model.collisionModels.empty())
      model.collisionModels.insert(model.collisionModels.end(), envelopes[i].collisionModels.begin(),
                                   envelopes[i].collisionModels.end());
  }
  if (!model.exactShapes.empty()) model.exactShapes.resize(assembly.partCount());
  return keepOuts;
}

std::vector<Rule> rulesOf(std::span<const KeepOut> keepOuts, const Assembly& assembly) {
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < keepOuts.size(); ++i) {
    const std::string own = ruledPath(assembly, keepOuts[i].instance);
    for (const NodeId maker : keepOuts[i].makers)
      rules.push_back({.a = own, .b = ruledPath(assembly, maker), .reason = "it makes the keep-out"});
    for (std::size_t k = i + 1; k < keepOuts.size(); ++k)
      rules.push_back(
          {.a = own, .b = ruledPath(assembly, keepOuts[k].instance), .reason = "both are keep-outs"});
  }
  return rules;
}

}  // namespace fitup
