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

/// What `osgDB::InputStream` reads a file by. Other than the ones of osgDB's plugin, which skip to the end of
/// a block without a word, take anything for a number and go on behind the end of the file, these keep
/// account of what the classes' serializers leave unread, and throw InputError, with the place in the file,
/// for what is not as it must be.
class StrictInput : public osgDB::InputIterator {
 public:
  UnreadLog unread;

  /// To be called when the scene has been read: notes what stands behind it, throws InputError for a file
  /// that ends too early.
  virtual void finish() = 0;

 protected:
  /// A block that is open: of an object, which bears its class, or of a property.
  struct Block {
    std::string name;
    bool holdsGeometry = true;
    bool isObject = false;
    std::size_t begin = 0, size = 0;  ///< as the kind of file needs them
  };

  ~StrictInput() override = default;

  /// "line 12"
  [[nodiscard]] virtual std::string where() const = 0;
  [[noreturn]] void fail(const std::string& problem) const;
  /// Throws InputError for blocks too deep to be read by calls of calls.
  void open(std::string_view name, std::size_t begin, std::size_t size);
  /// Throws InputError if none is open.
  Block close();
  /// Notes a property of a block that has been closed; true if others of it are to be noted as well, and not
  /// all of it at once.
  bool noteUnread(const Block& block, std::string_view property);
  /// To be called where an object's number is about to be read, and when it has been: one that is of another
  /// class than an object of that number before is refused, as osgDB would take it for that one.
  void expectNumberOf(const std::string& name);
  void takeNumber(unsigned int number);
  /// True for an object whose class osgDB has not.
  static bool isOfUnknownClass(const Block& block);

  std::vector<Block> open_;

 private:
  std::string numbered_;  ///< class of the object whose number comes next; empty: none does
  std::map<unsigned int, std::string> classes_;
};

/// Of words. What is a word, and where blocks end, is up to the kind of file.
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

  /// The next word, which stays the next one; empty at the end. Valid until the next call of anything.
  virtual std::string_view peek() = 0;
  /// Passes over the word that `peek` gave.
  virtual void skip() = 0;
  /// The next word, passed over. Throws InputError at the end.
  std::string_view take();
  /// Where the wrapped string ends that begins at `at` of a text, with a quote: behind the closing quote, or
  /// npos. `value`, if given, is what is within.
  static std::size_t endOfWrapped(std::string_view text, std::size_t at, std::string* value);

  std::string last_;  ///< the last word that was no number: what a block that begins now is called

 private:
  template <typename T>
  T integer();
  template <typename T>
  T real();
  /// Throws InputError for a value that the enumeration of the property just matched has not: osgDB takes it
  /// for zero, which is a point for the kind of a primitive.
  void expectKnownValue(const std::string& value) const;
  [[nodiscard]] static bool isNamed(const std::string& group, const std::string& word);

  bool matched_ = false;        ///< what was read last is the name of a property
  bool followsMatch_ = false;   ///< it was before the last word was taken
  std::istringstream nothing_;  ///< osgDB asks it whether it failed
};

}  // namespace fitup::importers
