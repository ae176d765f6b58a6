#include "tds_declaration.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

enum Chunk : std::uint16_t {
  primary = 0x4D4D,
  editor = 0x3D3D,
  object = 0x4000,
  mesh = 0x4100,
  pointList = 0x4110,
  faceList = 0x4120
};

constexpr std::size_t headerSize = 6, pointSize = 12, faceSize = 8;

class TdsScanner {
 public:
  explicit TdsScanner(std::string_view file) : file_(file) {}

  std::vector<TdsMesh> read() {
    if (file_.size() < headerSize || number<std::uint16_t>(0) != primary) throw InputError("not a 3DS file");
    const std::size_t size = number<std::uint32_t>(2);
    if (size > file_.size())
      throw InputError("the file is cut off: it has " + std::to_string(file_.size()) + " of " +
                       std::to_string(size) + " bytes");
    forEachChunk(headerSize, std::max(size, headerSize), [&](Chunk id, std::size_t begin, std::size_t end) {
      if (id == editor) readEditor(begin, end);
    });
    return std::move(meshes_);
  }

 private:
  template <typename T>
  [[nodiscard]] T number(std::size_t at) const {
    T value;
    std::memcpy(&value, file_.data() + at, sizeof value);
    return value;
  }

  template <typename Take>
  void forEachChunk(std::size_t begin, std::size_t end, const Take& take) const {
    while (begin < end) {
      const std::size_t size = end - begin < headerSize ? 0 : number<std::uint32_t>(begin + 2);
      if (size < headerSize || size > end - begin)
        throw InputError("the chunk at byte " + std::to_string(begin), "",
                         "is larger than the chunk that contains it");
      take(static_cast<Chunk>(number<std::uint16_t>(begin)), begin + headerSize, begin + size);
      begin += size;
    }
  }

  void readEditor(std::size_t begin, std::size_t end) {
    forEachChunk(begin, end, [&](Chunk id, std::size_t first, std::size_t last) {
      if (id != object) return;
      const std::size_t zero = file_.substr(first, last - first).find('\0');
      if (zero == std::string_view::npos)
        throw InputError("the object at byte " + std::to_string(first), "", "has no name");
      const std::string name = validUtf8(file_.substr(first, zero));
      forEachChunk(first + zero + 1, last, [&](Chunk part, std::size_t a, std::size_t b) {
        if (part == mesh) readMesh(name, a, b);
      });
    });
  }

  void readMesh(const std::string& name, std::size_t begin, std::size_t end) {
    TdsMesh result{name, 0, 0};
    std::size_t faces = 0;  // where they begin
    const auto fail = [&](const std::string& problem) {
      throw InputError("object '" + name + "'", "", problem);
    };
    forEachChunk(begin, end, [&](Chunk id, std::size_t first, std::size_t last) {
      if (id != pointList && id != faceList) return;
      const std::size_t room = last - first, size = id == pointList ? pointSize : faceSize;
      const std::size_t count = room < 2 ? 0 : number<std::uint16_t>(first);
      if (room < 2 || count * size > room - 2)
        fail("announces " + std::to_string(count) + (id == pointList ? " points" : " faces") +
             ", which do not fit");
      if (id == faceList) faces = first + 2;
      (id == pointList ? result.points : result.faces) = count;
    });
    for (std::size_t i = 0; i < result.faces; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (const auto index = number<std::uint16_t>(faces + faceSize * i + 2 * k); index >= result.points)
          fail("face " + std::to_string(i) + ": index " + std::to_string(index) + " of " +
               std::to_string(result.points) + " points");
    meshes_.push_back(std::move(result));
  }

  std::string_view file_;
  std::vector<TdsMesh> meshes_;
};

}  // namespace

std::vector<TdsMesh> readTdsDeclaration(const std::filesystem::path& file) {
  const auto contents = FileBytes::map(file);
  if (contents->bytes().empty()) throw InputError("the file is empty");
  return TdsScanner(contents->text()).read();
}

}  // namespace fitup::importers
