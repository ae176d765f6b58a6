#include "strict_input.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include <osgDB/ObjectWrapper>
#include <osgDB/Registry>

#include <fitup/base/error.h>
#include <fitup/base/text.h>

namespace fitup::importers {
namespace {

osgDB::ObjectWrapperManager& wrappers() { return *osgDB::Registry::instance()->getObjectWrapperManager(); }

/// Enumerations may have values without a name.
bool isNumber(const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

/// Whether nothing below the property has an area: colours and textures, data of applications, callbacks, and
/// texts other than solid ones.
bool isBesideGeometry(std::string_view name) {
  return name.ends_with("StateSet") ||
         (name.starts_with("osgText::") && name.find("3D") == std::string_view::npos) ||
         name.find("UserData") != std::string_view::npos || name.find("Callback") != std::string_view::npos;
}

}  // namespace

void StrictInput::fail(const std::string& problem) const {
  throw InputError(where() + ": " + validUtf8(problem));
}

void StrictInput::open(std::string_view name, std::size_t begin, std::size_t size) {
  constexpr std::size_t deepest = 2500;  // each level of a scene has two blocks or three
  if (open_.size() >= deepest) fail("nested too deeply");
  const bool above = open_.empty() || open_.back().holdsGeometry;
  open_.push_back({std::string(name), above && !isBesideGeometry(name), false, begin, size});
}

StrictInput::Block StrictInput::close() {
  if (open_.empty()) fail("a block ends that was not begun");
  Block block = std::move(open_.back());
  open_.pop_back();
  return block;
}

bool StrictInput::isOfUnknownClass(const Block& block) {
  return block.isObject && wrappers().findWrapper(block.name) == nullptr;
}

void StrictInput::expectNumberOf(const std::string& name) {
  numbered_ = name;
  // The number of an object is the first in its block; that of an image is in the block of a property.
  if (!open_.empty() && open_.back().name == name) open_.back().isObject = true;
}

void StrictInput::takeNumber(unsigned int number) {
  if (numbered_.empty()) return;
  const auto [known, isNew] = classes_.emplace(number, numbered_);
  if (!isNew && known->second != numbered_)
    fail("UniqueID " + std::to_string(number) + " is used for " + known->second + " and for " + numbered_);
  numbered_.clear();
}

bool StrictInput::noteUnread(const Block& block, std::string_view property) {
  if (isOfUnknownClass(block)) {
    // osgDB would pass null to a geometry, which does not expect that.
    if (!block.holdsGeometry) return false;
    for (const Block& above : open_)
      if (above.name.ends_with("Geometry")) fail("OpenSceneGraph has no class " + block.name);
    unread.add(block.name, "not read: OpenSceneGraph has no such class", where());
    return false;
  }
  if (!block.holdsGeometry || isBesideGeometry(property)) return true;
  unread.add(block.name,
             property.empty() ? "has contents that are not read"
                              : "its property " + std::string(property.substr(0, 200)) +
                                    " is not read: unknown or misplaced",
             where());
  return true;
}

std::string_view TextInput::take() {
  const std::string_view word = peek();
  if (word.empty()) fail("the file ends too early");
  followsMatch_ = std::exchange(matched_, false);
  skip();
  return word;
}

template <typename T>
T TextInput::integer() {
  const std::string_view word = take();
  std::string_view digits = word;
  const bool isNegative = digits.starts_with('-');
  if (isNegative || digits.starts_with('+')) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.front() == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  // Masks are written with or without a sign.
  using Limits = std::numeric_limits<std::make_unsigned_t<T>>;
  const std::uint64_t largest = isNegative ? std::uint64_t{Limits::max()} / 2 + 1 : Limits::max();
  if (error != std::errc{} || end != digits.data() + digits.size() || value > largest)
    fail("'" + std::string(word) + "' is not a whole number, or is too large");
  return static_cast<T>(isNegative ? std::uint64_t{0} - value : value);
}

template <typename T>
T TextInput::real() {
  const std::string_view word = take();
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  T value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size()) return value;
  if (error == std::errc::result_out_of_range) {  // as a machine number it is zero or infinite
    double wide = 0;
    const auto again = std::from_chars(digits.data(), digits.data() + digits.size(), wide);
    if (again.ec == std::errc{}) return static_cast<T>(wide);
    return digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos
               ? T{0}
               : std::numeric_limits<T>::infinity();
  }
  // The text that compilers of Microsoft write for infinity and NaN.
  if (digits.starts_with("1.#") || digits.starts_with("-1.#")) return std::numeric_limits<T>::quiet_NaN();
  fail("'" + std::string(word) + "' is not a number");
}

void TextInput::readBool(bool& b) {
  const std::string_view word = take();
  b = word == "TRUE";
  if (!b && word != "FALSE") fail("'" + std::string(word) + "' is neither TRUE nor FALSE");
}
void TextInput::readChar(char& c) { c = static_cast<char>(integer<short>()); }
void TextInput::readSChar(signed char& c) { c = static_cast<signed char>(integer<short>()); }
void TextInput::readUChar(unsigned char& c) { c = static_cast<unsigned char>(integer<short>()); }
void TextInput::readShort(short& s) { s = integer<short>(); }
void TextInput::readUShort(unsigned short& s) { s = integer<unsigned short>(); }
void TextInput::readInt(int& i) { i = integer<int>(); }
void TextInput::readUInt(unsigned int& i) {
  i = integer<unsigned int>();
  takeNumber(i);
}
void TextInput::readLong(long& l) { l = integer<long>(); }
void TextInput::readULong(unsigned long& l) { l = integer<unsigned long>(); }
void TextInput::readFloat(float& f) { f = real<float>(); }
void TextInput::readDouble(double& d) { d = real<double>(); }

void TextInput::readString(std::string& s) {
  s = take();
  if (followsMatch_) expectKnownValue(s);
  last_ = s;
}

void TextInput::expectKnownValue(const std::string& value) const {
  if (open_.empty() || !open_.back().isObject) return;
  osgDB::ObjectWrapper* const wrapper = wrappers().findWrapper(open_.back().name);
  osgDB::BaseSerializer* const property = wrapper == nullptr ? nullptr : wrapper->getSerializer(last_);
  osgDB::IntLookup* const values = property == nullptr ? nullptr : property->getIntLookup();
  if (values != nullptr && !values->getStringToValue().contains(value) && !isNumber(value))
    fail("'" + value + "' is not a value of " + last_);
}

bool TextInput::isNamed(const std::string& group, const std::string& word) {
  const auto& tables = wrappers().getLookupMap();
  auto table = tables.find(group);
  if (table == tables.end()) table = tables.find("GL");
  if (table == tables.end()) return false;
  return table->second.getStringToValue().contains(word) || isNumber(word);
}

void TextInput::readGLenum(osgDB::ObjectGLenum& value) {
  const std::string word(take());
  if (!isNamed("GL", word)) fail("'" + word + "' is not an OpenGL constant");
  value.set(static_cast<GLenum>(wrappers().getValue("GL", word)));
}

void TextInput::readProperty(osgDB::ObjectProperty& property) {
  std::string word(take());
  if (property._mapProperty) {
    if (!isNamed(property._name, word)) fail("'" + word + "' is not a value of " + property._name);
    property.set(wrappers().getValue(property._name, word));
    return;
  }
  if (word != property._name && '#' + word != property._name)
    fail("'" + word + "' found where " + property._name + " is expected");
  property.set(0);
  if (word == "UniqueID") expectNumberOf(last_);
  last_ = std::move(word);
}

bool TextInput::matchString(const std::string& text) {
  if (peek() != text) return false;
  skip();
  last_ = text;
  matched_ = true;
  return true;
}

std::size_t TextInput::endOfWrapped(std::string_view text, std::size_t at, std::string* value) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && ++at == text.size()) break;
    if (value != nullptr) *value += text[at];
  }
  return at < text.size() ? at + 1 : std::string_view::npos;
}

}  // namespace fitup::importers
