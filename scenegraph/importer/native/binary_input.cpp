#include "binary_input.h"

#include <algorithm>
#include <cstdint>

#include <osg/Endian>

#include <fitup/base/error.h>

namespace fitup::importers {

/// Reads forwards only.
class BinaryInput::Bytes : public std::streambuf {
 public:
  explicit Bytes(std::string_view bytes) {
    char* const begin = const_cast<char*>(bytes.data());  // a streambuf that cannot write
    setg(begin, begin, begin + bytes.size());
  }
};

BinaryInput::BinaryInput(std::string_view bytes, bool isSwapped)
    : bytes_(std::make_shared<Bytes>(bytes)), stream_(bytes_.get()) {
  setStream(&stream_);
  setByteSwap(isSwapped ? 1 : 0);
}

std::size_t BinaryInput::left() const {
  return static_cast<std::size_t>(std::max<std::streamsize>(0, getStream()->rdbuf()->in_avail()));
}

std::string BinaryInput::where() const { return std::to_string(left()) + " bytes before the end"; }

void BinaryInput::take(char* to, std::size_t size) {
  if (size > left()) fail("the file ends too early");
  getStream()->read(to, static_cast<std::streamsize>(size));
}

template <typename T>
T BinaryInput::plain() {
  T value{};
  take(reinterpret_cast<char*>(&value), sizeof value);
  if (getByteSwap() != 0) osg::swapBytes(reinterpret_cast<char*>(&value), sizeof value);
  return value;
}

void BinaryInput::readBool(bool& b) {
  const auto value = plain<unsigned char>();
  if (value > 1) fail("a value is neither true nor false");
  b = value == 1;
}

void BinaryInput::readString(std::string& s) {
  const int size = plain<int>();
  if (size < 0) fail("a text has a negative length");
  s.clear();
  if (static_cast<std::size_t>(size) > left()) fail("the file ends too early");
  s.resize(static_cast<std::size_t>(size));
  take(s.data(), s.size());
  last_ = s;
}

void BinaryInput::readProperty(osgDB::ObjectProperty& property) {
  property.set(property._mapProperty ? plain<int>() : 0);
  if (property._name == "UniqueID")
    expectNumberOf(last_.empty() && !open_.empty() ? open_.back().name : last_);
}

void BinaryInput::readCharArray(char* s, unsigned int size) { take(s, size); }

void BinaryInput::readMark(osgDB::ObjectMark& mark) {
  if (mark._name != "{") {
    const Block block = close();
    if (skipRest(block)) noteUnread(block, "");
    return;
  }
  const std::size_t begin = left();
  std::size_t size = 0;
  if (getSupportBinaryBrackets()) {
    // Since version 149 of the format, it takes eight bytes.
    const bool isLong = getInputStream() != nullptr && getInputStream()->getFileVersion() > 148;
    size = isLong ? plain<std::uint64_t>() : plain<std::uint32_t>();
    if (size > begin) fail("the file ends within " + last_);
  }
  open(last_, begin, size);
  last_.clear();
}

/// Begin and size count in bytes left.
bool BinaryInput::skipRest(const Block& block) {
  if (!getSupportBinaryBrackets()) {
    if (isOfUnknownClass(block))
      fail("OpenSceneGraph has no class " + block.name + ", and the file does not say where the object ends");
    return false;
  }
  const std::size_t end = block.begin - block.size, now = left();
  if (now < end) fail(block.name + " is longer than the file declares");
  if (now == end) return false;
  getStream()->ignore(static_cast<std::streamsize>(now - end));
  return true;
}

void BinaryInput::advanceToCurrentEndBracket() {
  const Block block = close();
  if (skipRest(block)) noteUnread(block, "");
}

void BinaryInput::finish() {
  if (left() > 0) unread.add("file", "contents after the first object are not read", where());
}

}  // namespace fitup::importers
