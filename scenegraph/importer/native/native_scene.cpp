#include "native_scene.h"

#include <cstring>
#include <string>
#include <string_view>

#include <osg/Array>
#include <osg/PrimitiveSet>
#include <osgDB/InputStream>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/file_bytes.h>
#include <fitup/io/formats.h>

#include "ascii_input.h"
#include "binary_input.h"
#include "xml_input.h"

namespace fitup::importers {
namespace {

/// Knows the objects that were read.
class Stream : public osgDB::InputStream {
 public:
  using InputStream::InputStream;
  ~Stream() override { resetSchema(); }  // the schema of a file would apply to all that are read later

  void check() const {
    if (const osgDB::InputException* exception = getException())
      throw InputError(validUtf8(exception->getError() + ", in " + exception->getField()));
  }

  /// Notes objects that were read but belong to no other object, because objects of their kind have no place
  /// there.
  void noteDropped(UnreadLog& log) const {
    for (const auto& [number, object] : _identifierMap)
      if (object.valid() && object->referenceCount() == 1 && isGeometry(*object))
        log.add(std::string(object->libraryName()) + "::" + object->className(),
                "left out: OpenSceneGraph cannot hold it at this place",
                object->getName().empty() ? "UniqueID " + std::to_string(number) : object->getName());
  }

 private:
  static bool isGeometry(const osg::Object& object) {
    return object.asNode() != nullptr || dynamic_cast<const osg::PrimitiveSet*>(&object) != nullptr ||
           dynamic_cast<const osg::Array*>(&object) != nullptr;
  }
};

osg::ref_ptr<StrictInput> inputFor(std::string_view text, std::string_view extension) {
  constexpr std::string_view asciiStart = "#Ascii";
  if (extension == "osgx") return new XmlInput(text);
  if (extension == "osgb") {
    std::uint32_t header[2] = {};
    if (text.size() >= sizeof header) {
      std::memcpy(header, text.data(), sizeof header);
      const auto swapped = [](std::uint32_t v) {
        return v << 24 | (v & 0xff00U) << 8 | (v >> 8 & 0xff00U) | v >> 24;
      };
      for (const bool isSwapped : {false, true}) {
        const auto is = [&](std::uint32_t got, std::uint32_t wanted) {
          return (isSwapped ? swapped(got) : got) == wanted;
        };
        if (is(header[0], OSG_HEADER_LOW) && is(header[1], OSG_HEADER_HIGH))
          return new BinaryInput(text.substr(sizeof header), isSwapped);
      }
    }
  }
  // osgDB's own reader accepts text for .osgb as well.
  const std::size_t start = text.find_first_not_of(" \t\n\v\f\r");
  if (start != std::string_view::npos && text.substr(start).starts_with(asciiStart))
    return new AsciiInput(text.substr(start + asciiStart.size()));
  if (text.starts_with("<?xml")) return new XmlInput(text);
  throw InputError("is not a scene in one of OpenSceneGraph's own formats");
}

}  // namespace

bool isNativeScene(std::string_view extension) {
  return extension == "osgt" || extension == "osgb" || extension == "osgx";
}

NativeScene readNativeScene(const std::filesystem::path& file, const osgDB::Options* options) {
  const auto bytes = FileBytes::map(file);
  const std::string extension = lowerExtension(file);
  const osg::ref_ptr<StrictInput> input =
      inputFor(bytes->text(), std::string_view(extension).substr(extension.empty() ? 0 : 1));
  const osg::ref_ptr<osgDB::Options> own = options != nullptr ? options->cloneOptions() : new osgDB::Options;
  own->getDatabasePathList().push_front(file.parent_path().string());
  Stream stream(own);
  const auto kind = stream.start(input);
  stream.check();
  if (kind != osgDB::InputStream::READ_SCENE && kind != osgDB::InputStream::READ_OBJECT)
    throw InputError("holds no scene");
  stream.decompress();
  stream.check();
  NativeScene scene;
  scene.node = stream.readObjectOfType<osg::Node>();
  stream.check();
  input->finish();
  stream.noteDropped(input->unread);
  scene.warnings = input->unread.warnings();
  return scene;
}

}  // namespace fitup::importers
