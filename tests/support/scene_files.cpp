#include "scene_files.h"

#include <stdexcept>

#include "temporary_folder.h"

namespace fitup::test {
namespace {

template <typename T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string chunk(std::uint16_t id, const std::string& contents) {
  std::string bytes;
  put(bytes, id);
  put(bytes, static_cast<std::uint32_t>(6 + contents.size()));
  return bytes + contents;
}

std::string text(const std::string& name) { return name + '\0'; }

template <typename T>
std::string numbers(const std::vector<T>& values) {
  std::string bytes;
  for (const T value : values) put(bytes, value);
  return bytes;
}

std::string meshChunk(const TdsMeshChunk& mesh) {
  std::string points, faces, materials;
  put(points, static_cast<std::uint16_t>(mesh.points.size()));
  for (const auto& p : mesh.points)
    for (const float c : p) put(points, c);
  put(faces, static_cast<std::uint16_t>(mesh.faces.size()));
  for (const auto& f : mesh.faces) {
    for (const std::uint16_t i : f) put(faces, i);
    put<std::uint16_t>(faces, 0);
  }
  for (const auto& [name, of] : mesh.materials) {
    std::string group = text(name);
    put(group, static_cast<std::uint16_t>(of.size()));
    materials += chunk(0x4130, group + numbers(of));
  }
  return chunk(0x4000,
               text(mesh.name) + chunk(0x4100, chunk(0x4110, points) + chunk(0x4120, faces + materials)));
}

std::string materialChunk(const std::string& name, const std::string& colour) {
  return chunk(0xAFFF, chunk(0xA000, text(name)) + chunk(0xA020, chunk(0x0011, colour)));
}

/// Returns a track with one key at frame 0.
std::string trackChunk(std::uint16_t id, const std::vector<float>& values) {
  return chunk(id,
               std::string(10, '\0') + numbers<std::uint32_t>({1}) + std::string(6, '\0') + numbers(values));
}

std::string nodeChunk(const TdsNode& node, std::uint16_t ordinal) {
  std::string header = text(node.object);
  put<std::uint32_t>(header, 0);
  put(header, node.parent);
  return chunk(0xB002, chunk(0xB030, numbers<std::uint16_t>({ordinal})) + chunk(0xB010, header) +
                           chunk(0xB013, numbers<float>({0, 0, 0})) +
                           trackChunk(0xB020, {node.position[0], node.position[1], node.position[2]}) +
                           trackChunk(0xB021, {0, 0, 0, 1}) + trackChunk(0xB022, {1, 1, 1}));
}

}  // namespace

GltfFile::GltfFile() {
  buffer = numbers<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) + numbers<std::uint16_t>({0, 1, 2, 0, 2, 3});
  json = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"name": "machine", "children": [1, 2, 3]},
  {"name": "left", "mesh": 1, "translation": [1, 2, 3], "rotation": [0, 0, 0.70710678, 0.70710678]},
  {"name": "right", "mesh": 0, "scale": [-1, 1, 1]},
  {"mesh": 1, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]}],
 "meshes": [{"name": "plate", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]},
  {"name": "gehäuse", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0},
   {"attributes": {"POSITION": 0}, "indices": 2, "material": 1}]}],
 "materials": [{"name": "steel", "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0, 0, 1]}}, {"name": "brass"}],
 "accessors": [
  {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
  {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
 "buffers": [{"uri": "bytes.bin", "byteLength": 60}]})";
}

GltfFile& GltfFile::replace(const std::string& from, const std::string& to) {
  const std::size_t at = json.find(from);
  if (at == std::string::npos || json.find(from, at + 1) != std::string::npos)
    throw std::runtime_error("not once in the JSON: " + from);
  json.replace(at, from.size(), to);
  return *this;
}

void GltfFile::write(const std::filesystem::path& file) const {
  writeText(file, json);
  writeText(file.parent_path() / "bytes.bin", buffer);
}

std::string GltfFile::binary() const {
  GltfFile own = *this;
  own.replace(R"("uri": "bytes.bin", )", "");
  own.json.resize((own.json.size() + 3) / 4 * 4, ' ');
  own.buffer.resize((own.buffer.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  put<std::uint32_t>(bytes, 2);
  put(bytes, static_cast<std::uint32_t>(12 + 8 + own.json.size() + 8 + own.buffer.size()));
  put(bytes, static_cast<std::uint32_t>(own.json.size()));
  bytes += "JSON" + own.json;
  put(bytes, static_cast<std::uint32_t>(own.buffer.size()));
  bytes.append("BIN\0", 4);
  return bytes + own.buffer;
}

std::string tdsFile(const std::vector<TdsMeshChunk>& meshes, const std::vector<TdsNode>& nodes) {
  const std::string version = numbers<std::uint32_t>({3});
  std::string editor = chunk(0x3D3E, version) + materialChunk("steel", std::string("\xFF\0\0", 3)) +
                       materialChunk("brass", std::string("\0\0\xFF", 3));
  for (const TdsMeshChunk& mesh : meshes) editor += meshChunk(mesh);
  std::string keyframer;
  for (std::uint16_t i = 0; i < nodes.size(); ++i) keyframer += nodeChunk(nodes[i], i);
  if (!nodes.empty())
    keyframer =
        chunk(0xB000, chunk(0xB00A, numbers<std::uint16_t>({5}) + text("x") + numbers<std::uint32_t>({100})) +
                          keyframer);
  return chunk(0x4D4D, chunk(0x0002, version) + chunk(0x3D3D, editor) + keyframer);
}

}  // namespace fitup::test
