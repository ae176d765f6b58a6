#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <osgFitup/conversions.h>
#include <osgFitup/part_node.h>
#include <osgDB/InputStream>
#include <osgDB/ObjectWrapper>
#include <osgDB/OutputStream>

namespace {

using osgFitup::PartNode;

bool checkInstancePath(const PartNode& node) { return !node.getInstancePath().empty(); }
bool writeInstancePath(osgDB::OutputStream& os, const PartNode& node) {
  os.writeWrappedString(node.getInstancePath());
  os << std::endl;
  return true;
}
bool readInstancePath(osgDB::InputStream& is, PartNode& node) {
  std::string path;
  is.readWrappedString(path);
  node.setInstancePath(std::move(path));
  return true;
}

/// Returns twelve numbers, the rows of the linear part and the translation, in the shortest form that
/// restores each bit.
std::string exactText(const fitup::Transform& transform) {
  std::string text;
  const auto add = [&](double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    if (!text.empty()) text += ' ';
    text.append(buffer, end);
  };
  for (const auto& row : transform.m)
    for (const double value : row) add(value);
  for (int i = 0; i < 3; ++i) add(transform.t[i]);
  return text;
}

std::optional<fitup::Transform> exactPlacement(std::string_view text) {
  fitup::Transform transform;
  const auto take = [&](double& value) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return error == std::errc{} && std::isfinite(value);
  };
  for (auto& row : transform.m)
    for (double& value : row)
      if (!take(value)) return std::nullopt;
  for (int i = 0; i < 3; ++i)
    if (!take(transform.t[i])) return std::nullopt;
  return transform;
}

/// Text formats print matrices with six digits or more.
bool isSamePrinted(const osg::Matrixd& printed, const osg::Matrixd& exact) {
  constexpr double relativeError = 1e-5;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      if (std::abs(printed(row, column) - exact(row, column)) > relativeError * std::abs(exact(row, column)))
        return false;
  return true;
}

// "DesignPlacement" and "ExactMatrix" are texts in all formats. "ExactMatrix" restores what text formats
// round, unless the matrix was edited in the file.

bool checkDesignPlacement(const PartNode&) { return true; }
bool writeDesignPlacement(osgDB::OutputStream& os, const PartNode& node) {
  os.writeWrappedString(exactText(node.getDesignPlacement()));
  os << std::endl;
  return true;
}
bool readDesignPlacement(osgDB::InputStream& is, PartNode& node) {
  std::string text;
  is.readWrappedString(text);
  const auto placement = exactPlacement(text);
  if (!placement) {
    is.throwException("osgFitup::PartNode: the design placement is damaged");
    return false;
  }
  node.setDesignPlacement(*placement);
  return true;
}

bool checkExactMatrix(const PartNode& node) {
  const osg::Matrixd& m = node.getMatrix();
  return m(0, 3) == 0 && m(1, 3) == 0 && m(2, 3) == 0 && m(3, 3) == 1;  // otherwise it is not a placement
}
bool writeExactMatrix(osgDB::OutputStream& os, const PartNode& node) {
  os.writeWrappedString(exactText(node.getPlacement()));
  os << std::endl;
  return true;
}
bool readExactMatrix(osgDB::InputStream& is, PartNode& node) {
  std::string text;
  is.readWrappedString(text);
  const auto placement = exactPlacement(text);
  if (!placement) {
    is.throwException("osgFitup::PartNode: the matrix is damaged");
    return false;
  }
  if (isSamePrinted(node.getMatrix(), osgFitup::toMatrix(*placement))) node.setPlacement(*placement);
  return true;
}

}  // namespace

REGISTER_OBJECT_WRAPPER(
    osgFitup_PartNode, new osgFitup::PartNode, osgFitup::PartNode,
    "osg::Object osg::Node osg::Group osg::Transform osg::MatrixTransform osgFitup::PartNode") {
  wrapper->addSerializer(new osgDB::ObjectSerializer<MyClass, osgFitup::PartModel>(
                             "PartModel", nullptr, &MyClass::getSavedPartModel, &MyClass::setPartModel),
                         osgDB::BaseSerializer::RW_OBJECT);
  ADD_USER_SERIALIZER(InstancePath);
  ADD_USER_SERIALIZER(DesignPlacement);
  ADD_USER_SERIALIZER(ExactMatrix);
}
