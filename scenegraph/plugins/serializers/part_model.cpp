#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <sstream>
#include <string>

#include <osgFitup/part_model.h>
#include <osgDB/InputStream>
#include <osgDB/ObjectWrapper>
#include <osgDB/OutputStream>

#include <fitup/base/error.h>

namespace {

using osgFitup::PartModel;

// One property holds everything, because hierarchies and their data make sense only together. The mesh, its
// hierarchies and the warnings are the bytes of a model file, so they are exact in text formats too (there in
// base64, RFC 4648). The bytes are not in an osg::Array: streams identify objects by their addresses, and
// another object may get the address of a temporary one.

constexpr std::string_view base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? base64Digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

/// Throws fitup::InputError.
std::string fromBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = base64Digits.find(c);
    if (digit == std::string_view::npos) throw fitup::InputError("the model is damaged");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

/// Returns a text such as "0/0/1 0/0/2".
std::string pathsText(const std::vector<osgFitup::ChildPath>& paths) {
  std::string text;
  for (const osgFitup::ChildPath& path : paths) {
    if (!text.empty()) text += ' ';
    for (std::size_t i = 0; i < path.size(); ++i) text += (i > 0 ? "/" : "") + std::to_string(path[i]);
  }
  return text;
}

/// Throws fitup::InputError.
std::vector<osgFitup::ChildPath> pathsOf(const std::string& text) {
  std::vector<osgFitup::ChildPath> paths;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    osgFitup::ChildPath& path = paths.emplace_back();
    for (const char *at = word.data(), *end = at + word.size();; ++at) {
      unsigned int step = 0;
      const auto [stop, error] = std::from_chars(at, end, step);
      if (error != std::errc{} || (stop != end && *stop != '/'))
        throw fitup::InputError("the path to a drawable is damaged");
      path.push_back(step);
      at = stop;
      if (at == end) break;
    }
  }
  return paths;
}

bool checkContents(const PartModel& part) { return part.getCollisionModel() != nullptr; }

fitup::Model asModel(const PartModel& part) {
  fitup::Model model;
  model.assembly.addPart(part.getCollisionModel()->sharedMesh());
  model.collisionModels.push_back(part.getCollisionModel());
  model.warnings = part.getWarnings();
  return model;
}

bool writeContents(osgDB::OutputStream& os, const PartModel& part) {
  const std::string bytes = fitup::modelFileBytes(asModel(part));
  if (bytes.size() > std::numeric_limits<unsigned int>::max()) {
    os.throwException("osgFitup::PartModel: the model has more than 4 GB");
    return false;
  }
  os << os.BEGIN_BRACKET << std::endl;
  os << os.PROPERTY("Numbering") << static_cast<unsigned int>(part.getPrimitiveNumbering()) << std::endl;
  os << os.PROPERTY("SurfacePaths");
  os.writeWrappedString(pathsText(part.getSurfacePaths()));
  os << std::endl << os.PROPERTY("Model");
  if (os.isBinary()) {
    os << static_cast<unsigned int>(bytes.size());
    os.writeCharArray(bytes.data(), static_cast<unsigned int>(bytes.size()));
  } else {
    os.writeWrappedString(toBase64(bytes));
  }
  os << std::endl << os.END_BRACKET << std::endl;
  return true;
}

/// A damaged length must not allocate memory that the file does not fill.
std::string readBytes(osgDB::InputStream& is, unsigned int size) {
  constexpr unsigned int piece = 1U << 20;
  std::string bytes;
  while (bytes.size() < size && is.getException() == nullptr) {
    const std::size_t at = bytes.size();
    bytes.resize(at + std::min<std::size_t>(piece, size - at));
    is.readCharArray(bytes.data() + at, static_cast<unsigned int>(bytes.size() - at - 1));
    is >> bytes.back();  // this detects the end of the stream, unlike reading arrays
  }
  return bytes;
}

bool readContents(osgDB::InputStream& is, PartModel& part) {
  unsigned int numbering = 0, size = 0;
  std::string paths, bytes;
  is >> is.BEGIN_BRACKET;
  is >> is.PROPERTY("Numbering") >> numbering;
  is >> is.PROPERTY("SurfacePaths");
  is.readWrappedString(paths);
  is >> is.PROPERTY("Model");
  if (is.isBinary()) {
    is >> size;
    bytes = readBytes(is, size);
  } else {
    is.readWrappedString(bytes);
  }
  is >> is.END_BRACKET;
  if (is.getException() != nullptr) return false;
  try {
    if (!is.isBinary()) bytes = fromBase64(bytes);
    if (numbering > 1) throw fitup::InputError("the numbering of primitives is unknown");
    fitup::Model model = fitup::readModelBytes(std::as_bytes(std::span(bytes)), "model");
    if (model.collisionModels.size() != 1) throw fitup::InputError("does not hold exactly one model");
    part.fill(std::move(model.collisionModels.front()), pathsOf(paths),
              static_cast<osgFitup::PrimitiveNumbering>(numbering), std::move(model.warnings));
    return true;
  } catch (const std::exception& error) {
    is.throwException(std::string("osgFitup::PartModel: ") + error.what());
    return false;
  }
}

}  // namespace

REGISTER_OBJECT_WRAPPER(osgFitup_PartModel, new osgFitup::PartModel, osgFitup::PartModel,
                        "osg::Object osgFitup::PartModel") {
  ADD_USER_SERIALIZER(Contents);
}
