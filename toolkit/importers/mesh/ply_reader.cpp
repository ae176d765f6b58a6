#include "ply_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "ply_header.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void failAt(const PlyElement& element, std::uint64_t i, const std::string& problem) {
  throw InputError(element.name + " " + std::to_string(i), "", problem);
}

/// The numbers of a file's data in sequence. Every type of number fits a double exactly.
class Values {
 public:
  virtual ~Values() = default;
  virtual void begin(const PlyElement& element, std::uint64_t i) = 0;
  virtual double next(PlyNumber type) = 0;
  /// Throws if anything of an element is left over.
  virtual void end() = 0;
  [[nodiscard]] virtual bool hasMore() const = 0;
  [[nodiscard]] virtual double fraction() const = 0;
};

class TextValues : public Values {
 public:
  TextValues(std::string_view text, std::size_t headerLines) : lines_(text), headerLines_(headerLines) {}

  void begin(const PlyElement& element, std::uint64_t i) override {
    do {
      if (!lines_.next(line_))
        throw InputError("the file is cut off: " + std::to_string(i) + " of " +
                         std::to_string(element.count) + " elements " + element.name + " are present");
    } while (trimmed(line_).empty());
  }
  double next(PlyNumber) override {
    const std::string_view word = nextWord(line_);
    if (word.empty()) fail("the line has too few values");
    const std::optional<double> value = numberOf(word);
    if (!value) fail("'" + validUtf8(word) + "' is not a number");
    return *value;
  }
  void end() override {
    if (!trimmed(line_).empty()) fail("the line has too many values");
  }
  [[nodiscard]] bool hasMore() const override {
    return lines_.rest().find_first_not_of(" \t\r\n\v\f") != std::string_view::npos;
  }
  [[nodiscard]] double fraction() const override { return lines_.fraction(); }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError("line " + std::to_string(headerLines_ + lines_.number()), "", problem);
  }

  TextLines lines_;
  std::string_view line_;
  std::size_t headerLines_;
};

class BinaryValues : public Values {
 public:
  BinaryValues(std::string_view bytes, bool isBigEndian)
      : bytes_(bytes), size_(bytes.size()), isBigEndian_(isBigEndian) {}

  void begin(const PlyElement& element, std::uint64_t i) override {
    element_ = &element;
    ordinal_ = i;
  }
  double next(PlyNumber type) override {
    switch (type) {
      case PlyNumber::int8:
        return take<std::int8_t>();
      case PlyNumber::uint8:
        return take<std::uint8_t>();
      case PlyNumber::int16:
        return take<std::int16_t>();
      case PlyNumber::uint16:
        return take<std::uint16_t>();
      case PlyNumber::int32:
        return take<std::int32_t>();
      case PlyNumber::uint32:
        return take<std::uint32_t>();
      case PlyNumber::float32:
        return static_cast<double>(take<float>());
      case PlyNumber::float64:
        break;
    }
    return take<double>();
  }
  void end() override {}
  [[nodiscard]] bool hasMore() const override {
    // Some writers end a binary file like a text.
    return bytes_.find_first_not_of("\r\n") != std::string_view::npos;
  }
  [[nodiscard]] double fraction() const override {
    return 1 - static_cast<double>(bytes_.size()) / static_cast<double>(std::max<std::size_t>(1, size_));
  }

 private:
  template <typename T>
  T take() {
    if (bytes_.size() < sizeof(T))
      throw InputError("the file is cut off: " + std::to_string(ordinal_) + " of " +
                       std::to_string(element_->count) + " elements " + element_->name + " are present");
    std::array<char, sizeof(T)> bytes;
    std::copy_n(bytes_.begin(), sizeof(T), bytes.begin());
    bytes_.remove_prefix(sizeof(T));
    if (isBigEndian_) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }

  std::string_view bytes_;
  std::size_t size_;
  bool isBigEndian_;
  const PlyElement* element_ = nullptr;
  std::uint64_t ordinal_ = 0;
};

class PlyReader {
 public:
  PlyReader(const PlyHeader& header, Values& values, ProgressLines& progress)
      : header_(header), values_(values), progress_(progress) {}

  RawScene read(std::string name) {
    part_.name = std::move(name);
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      if (element.name == "vertex")
        readPoints(element);
      else if (element.name == "face" || element.name == "tristrips")
        readPolygons(element);
      else
        passOver(element);
    }
    cutFaces();
    if (pointsAndLines_ > 0)
      scene_.warnings.push_back(
          {"file",
           std::to_string(pointsAndLines_) +
               " faces of fewer than three corners are left out because they have no area",
           false});
    if (values_.hasMore())
      scene_.warnings.push_back(
          {"file", "holds more data than its header declares; geometry may be missing", true});
    if (!part_.triangles.empty())
      scene_.parts.push_back(std::move(part_));
    else if (!part_.points.empty())
      throw InputError("holds no triangles, only " + std::to_string(part_.points.size()) + " points");
    return std::move(scene_);
  }

 private:
  struct Polygon {
    const PlyElement* element;
    std::uint64_t ordinal;
    std::size_t firstCorner, cornerCount;
  };

  /// Calls `take(property, value)` for each number of an element, except the lengths of lists.
  template <typename Take>
  void readElement(const PlyElement& element, std::uint64_t i, const Take& take) {
    values_.begin(element, i);
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      double count = 1;
      if (property.count) count = values_.next(*property.count);
      if (!(count >= 0) || count != std::floor(count))
        failAt(element, i, "the length of list " + validUtf8(property.name) + " is not a whole number");
      for (double k = 0; k < count; ++k) take(p, values_.next(property.type));
    }
    values_.end();
    if (i % 4096 == 0) progress_.report("reading", values_.fraction());
  }

  static std::optional<std::size_t> find(const PlyElement& element, std::string_view name) {
    for (std::size_t i = 0; i < element.properties.size(); ++i)
      if (element.properties[i].name == name) return i;
    return std::nullopt;
  }

  void readPoints(const PlyElement& element) {
    std::array<std::size_t, 3> axes{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string name(1, "xyz"[axis]);
      const auto found = find(element, name);
      if (!found || element.properties[*found].count)
        throw InputError("element vertex", "", "has no number " + name);
      axes[axis] = *found;
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      Vec3 p;
      readElement(element, i, [&](std::size_t property, double value) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          if (property == axes[axis]) p[static_cast<int>(axis)] = value;
      });
      if (!isFinite(p)) failAt(element, i, "a coordinate is not finite");
      part_.points.push_back(p);
    }
  }

  void readPolygons(const PlyElement& element) {
    auto indices = find(element, "vertex_indices");
    if (!indices) indices = find(element, "vertex_index");
    if (!indices || !element.properties[*indices].count)
      throw InputError("element " + element.name, "", "has no list vertex_indices");
    for (std::uint64_t i = 0; i < element.count; ++i) {
      const std::size_t first = corners_.size();
      readElement(element, i, [&](std::size_t property, double value) {
        if (property == *indices) corners_.push_back(value);
      });
      polygons_.push_back({&element, i, first, corners_.size() - first});
    }
  }

  void passOver(const PlyElement& element) {
    for (std::uint64_t i = 0; i < element.count; ++i) readElement(element, i, [](std::size_t, double) {});
    if (element.count > 0)
      scene_.warnings.push_back({"file",
                                 std::to_string(element.count) + " elements " + validUtf8(element.name) +
                                     " are left out because only faces are checked",
                                 false});
  }

  std::uint32_t cornerAt(const Polygon& polygon, std::size_t k) const {
    const double index = corners_[polygon.firstCorner + k];
    if (!(index >= 0) || index != std::floor(index) || index >= static_cast<double>(part_.points.size()))
      failAt(*polygon.element, polygon.ordinal,
             "corner " + std::to_string(k) + " is none of the " + std::to_string(part_.points.size()) +
                 " points");
    return static_cast<std::uint32_t>(index);
  }

  void cutFaces() {
    std::vector<std::uint32_t> local;
    std::uint32_t source = 0;
    for (const Polygon& polygon : polygons_) {
      if (polygon.element->name == "tristrips") {
        cutStrips(polygon, source);
        continue;
      }
      local.clear();
      for (std::size_t k = 0; k < polygon.cornerCount; ++k) local.push_back(cornerAt(polygon, k));
      if (local.size() < 3)
        ++pointsAndLines_;
      else
        addPolygon(part_, local, source, 0);
      ++source;
    }
  }

  /// Cuts strips, separated by -1; every other triangle is reversed.
  void cutStrips(const Polygon& polygon, std::uint32_t& source) {
    std::vector<std::uint32_t> strip;
    for (std::size_t k = 0; k < polygon.cornerCount; ++k) {
      if (corners_[polygon.firstCorner + k] == -1) {
        strip.clear();
        continue;
      }
      strip.push_back(cornerAt(polygon, k));
      if (strip.size() < 3) continue;
      const std::uint32_t* last = &strip[strip.size() - 3];
      const bool isOdd = strip.size() % 2 == 0;
      part_.triangles.push_back({{last[isOdd ? 1 : 0], last[isOdd ? 0 : 1], last[2]}, source++, 0});
    }
  }

  const PlyHeader& header_;
  Values& values_;
  ProgressLines& progress_;
  RawScene scene_;
  RawPart part_;
  std::vector<double> corners_;  ///< as in the file, because the points may follow
  std::vector<Polygon> polygons_;
  std::uint64_t pointsAndLines_ = 0;
};

}  // namespace

RawScene readPly(const std::filesystem::path& file, ProgressLines& progress) {
  const auto contents = FileBytes::map(file);
  const std::string_view text = withoutByteOrderMark(contents->text());
  if (text.empty()) throw InputError("the file is empty");
  const PlyHeader header = readPlyHeader(text);
  const std::string_view data = text.substr(header.size);
  std::unique_ptr<Values> values;
  if (header.format == PlyFormat::text)
    values = std::make_unique<TextValues>(data, header.lines);
  else
    values = std::make_unique<BinaryValues>(data, header.format == PlyFormat::bigEndian);
  return PlyReader(header, *values, progress).read(validUtf8(file.stem().string()));
}

}  // namespace fitup::importers
