#include "stl_reader.h"

#include <cstring>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/mapped_file.h>

#include "assimp_file.h"

namespace fitup::importers {
namespace {

constexpr std::size_t binaryHeader = 84, binaryFacet = 50;

/// Facets that the file says or shows to hold. Throws InputError for what is neither form of STL.
std::size_t expectedFacets(std::span<const std::byte> bytes) {
  std::uint32_t announced = 0;
  if (bytes.size() >= binaryHeader)
    std::memcpy(&announced, bytes.data() + binaryHeader - 4, sizeof announced);
  const std::size_t binarySize = binaryHeader + binaryFacet * std::size_t{announced};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (bytes.size() >= binaryHeader && bytes.size() == binarySize) return announced;
  if (!text.starts_with("solid"))
    throw InputError("neither ASCII STL nor binary STL: it announces " + std::to_string(announced) +
                     " facets, which take " + std::to_string(binarySize) + " bytes, but has " +
                     std::to_string(bytes.size()));
  std::size_t count = 0;
  for (std::size_t at = text.find("facet"); at != std::string_view::npos; at = text.find("facet", at + 5)) {
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    // At the start of a line: not in "endfacet", not in a name.
    if (before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r') ++count;
  }
  return count;
}

RawPart partOf(const aiMesh& mesh, const std::string& fallbackName, std::uint32_t& source) {
  RawPart part;
  part.name = validUtf8(mesh.mName.length > 0 ? mesh.mName.C_Str() : fallbackName);
  for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
    const aiVector3D& v = mesh.mVertices[i];
    part.points.push_back({v.x, v.y, v.z});
  }
  for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
    const aiFace& face = mesh.mFaces[i];
    if (face.mNumIndices != 3) throw InputError("facet " + std::to_string(source), "", "is no triangle");
    part.triangles.push_back({{face.mIndices[0], face.mIndices[1], face.mIndices[2]}, source++, 0});
  }
  weld(part);
  return part;
}

}  // namespace

std::vector<RawPart> readStl(const std::filesystem::path& file, std::vector<ImportWarning>& warnings,
                             ProgressLines& progress) {
  const auto mapped = MappedFile::open(file);
  if (mapped->bytes().empty()) throw InputError("the file is empty");
  const std::size_t expected = expectedFacets(mapped->bytes());

  const AssimpFile read(file, "STL", progress);
  const aiScene& scene = read.scene();
  std::vector<RawPart> parts;
  std::uint32_t source = 0;
  for (unsigned i = 0; i < scene.mNumMeshes; ++i)
    if (scene.mMeshes[i]->mNumFaces > 0)
      parts.push_back(partOf(*scene.mMeshes[i], file.stem().string(), source));
  if (source != expected)
    warnings.push_back({"file",
                        "holds " + std::to_string(expected) + " facets, of which " + std::to_string(source) +
                            " could be read",
                        true});
  return parts;
}

}  // namespace fitup::importers
