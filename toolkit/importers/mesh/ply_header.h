#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitup::importers {

enum class PlyFormat { text, littleEndian, bigEndian };
enum class PlyNumber { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t byteCount(PlyNumber type);

struct PlyProperty {
  std::string name;
  PlyNumber type = PlyNumber::float32;
  std::optional<PlyNumber> count;  ///< for a list: the type of its length
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::text;
  std::vector<PlyElement> elements;
  std::size_t size = 0;   ///< bytes: the data begin there
  std::size_t lines = 0;  ///< lines of the header
};

/// Throws InputError that names the line.
PlyHeader readPlyHeader(std::string_view text);

}  // namespace fitup::importers
