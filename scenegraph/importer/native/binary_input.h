#pragma once

#include <memory>
#include <streambuf>

#include "strict_input.h"

namespace fitup::importers {

/// Reads files of kind .osgb after their first eight bytes. Keeps a reference to the bytes.
class BinaryInput : public StrictInput {
 public:
  BinaryInput(std::string_view bytes, bool isSwapped);
  bool isBinary() const override { return true; }
  void readBool(bool& b) override;
  void readChar(char& c) override { c = plain<char>(); }
  void readSChar(signed char& c) override { c = plain<signed char>(); }
  void readUChar(unsigned char& c) override { c = plain<unsigned char>(); }
  void readShort(short& s) override { s = plain<short>(); }
  void readUShort(unsigned short& s) override { s = plain<unsigned short>(); }
  void readInt(int& i) override { i = plain<int>(); }
  void readUInt(unsigned int& i) override {
    i = plain<unsigned int>();
    takeNumber(i);
  }
  void readLong(long& l) override { l = plain<int>(); }
  void readULong(unsigned long& l) override { l = plain<unsigned int>(); }
  void readFloat(float& f) override { f = plain<float>(); }
  void readDouble(double& d) override { d = plain<double>(); }
  void readString(std::string& s) override;
  void readStream(std::istream& (*)(std::istream&)) override {}
  void readBase(std::ios_base& (*)(std::ios_base&)) override {}
  void readGLenum(osgDB::ObjectGLenum& value) override { value.set(plain<GLenum>()); }
  void readProperty(osgDB::ObjectProperty& property) override;
  void readMark(osgDB::ObjectMark& mark) override;
  void readCharArray(char* s, unsigned int size) override;
  void readWrappedString(std::string& text) override { readString(text); }
  void advanceToCurrentEndBracket() override;
  void finish() override;

 protected:
  ~BinaryInput() override = default;
  [[nodiscard]] std::string where() const override;

 private:
  template <typename T>
  T plain();
  /// Returns the number of bytes left, of the file or of its unpacked contents.
  [[nodiscard]] std::size_t left() const;
  void take(char* to, std::size_t size);
  /// Skips what is left of a block. Returns false if nothing was left.
  bool skipRest(const Block& block);

  class Bytes;
  std::shared_ptr<Bytes> bytes_;
  std::istream stream_;
  std::string last_;
};

}  // namespace fitup::importers
