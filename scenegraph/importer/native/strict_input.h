#pragma once

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <osgDB/DataTypes>
#include <osgDB/InputStream>
#include <osgDB/StreamOperator>

#include "completeness/unread_log.h"

namespace fitup::importers {

/// The base class of the inputs through which `osgDB::InputStream` reads a file. The inputs of osgDB's plugin
/// silently skip to the end of a block, accept anything as a number and read beyond the end of the file.
/// These keep account of what the serializers of the classes leave unread, and throw InputError, with the
/// place in the file, for any error.
class StrictInput : public osgDB::InputIterator {
 public:
  UnreadLog unread;

  /// Ends the reading of a scene: notes what follows it. Throws InputError for a file that ends too early.
  virtual void finish() = 0;

 protected:
  /// An open block: that of an object, with the name of its class, or of a property.
  struct Block {
    std::string name;
    bool holdsGeometry = true;
    bool isObject = false;
    std::size_t begin = 0, size = 0;  ///< use depends on the kind of file
  };

  ~StrictInput() override = default;

  /// Returns the place, such as "line 12".
  [[nodiscard]] virtual std::string where() const = 0;
  [[noreturn]] void fail(const std::string& problem) const;
  /// Throws InputError if blocks are nested too deep for recursive reading.
  void open(std::string_view name, std::size_t begin, std::size_t size);
  /// Throws InputError if none is open.
  Block close();
  /// Notes a property of a block that has been closed. Returns true if other properties of the block are to
  /// be noted too, and false if the whole block is noted at once.
  bool noteUnread(const Block& block, std::string_view property);
  /// Call these before an object's number is read and afterwards. A number that an earlier object of another
  /// class has is refused, because osgDB would return that object.
  void expectNumberOf(const std::string& name);
  void takeNumber(unsigned int number);
  /// Returns true for an object whose class osgDB does not have.
  static bool isOfUnknownClass(const Block& block);

  std::vector<Block> open_;

 private:
  std::string numbered_;  ///< class of the object whose number comes next; empty if none does
  std::map<unsigned int, std::string> classes_;
};

/// An input of words. The kind of file decides what a word is and where blocks end.
class TextInput : public StrictInput {
 public:
  bool isBinary() const override { return false; }
  void readBool(bool& b) override;
  void readChar(char& c) override;
  void readSChar(signed char& c) override;
  void readUChar(unsigned char& c) override;
  void readShort(short& s) override;
  void readUShort(unsigned short& s) override;
  void readInt(int& i) override;
  void readUInt(unsigned int& i) override;
  void readLong(long& l) override;
  void readULong(unsigned long& l) override;
  void readFloat(float& f) override;
  void readDouble(double& d) override;
  void readString(std::string& s) override;
  void readStream(std::istream& (*)(std::istream&)) override {}
  void readBase(std::ios_base& (*)(std::ios_base&)) override {}
  void readGLenum(osgDB::ObjectGLenum& value) override;
  void readProperty(osgDB::ObjectProperty& property) override;
  void readCharArray(char*, unsigned int) override {}
  bool matchString(const std::string& text) override;

 protected:
  static constexpr std::string_view blanks = " \t\n\v\f\r";

  TextInput() { setStream(&nothing_); }
  ~TextInput() override = default;

  /// Returns the next word without taking it; empty at the end. Valid until the next call of any function.
  virtual std::string_view peek() = 0;
  /// Skips the word that `peek` returned.
  virtual void skip() = 0;
  /// Takes the next word. Throws InputError at the end.
  std::string_view take();
  /// Returns the end of the quoted string that begins at `at` of a text: the position after the closing
  /// quote, or npos. `value`, if given, receives the text inside.
  static std::size_t endOfWrapped(std::string_view text, std::size_t at, std::string* value);

  std::string last_;  ///< the last word that was not a number: the name of a block that begins next

 private:
  template <typename T>
  T integer();
  template <typename T>
  T real();
  /// Throws InputError for a value that is not in the enumeration of the property just matched. osgDB reads
  /// it as zero, which means points for the kind of a primitive.
  void expectKnownValue(const std::string& value) const;
  [[nodiscard]] static bool isNamed(const std::string& group, const std::string& word);

  bool matched_ = false;        ///< the last word read was the name of a property
  bool followsMatch_ = false;   ///< it was, before the last word was taken
  std::istringstream nothing_;  ///< osgDB asks it for failures
};

}  // namespace fitup::importers
