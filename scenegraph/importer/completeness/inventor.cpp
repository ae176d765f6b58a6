#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "unread.h"

namespace fitup::importers {
namespace {

/// The nodes and engines of Inventor 2.1, VRML 1 and VRML 97 that Coin knows; sorted.
constexpr std::array<std::string_view, 292> knownNodes{"AlphaTest",
                                                       "Anchor",
                                                       "Annotation",
                                                       "AntiSquish",
                                                       "Appearance",
                                                       "AppearanceKit",
                                                       "Array",
                                                       "AsciiText",
                                                       "AudioClip",
                                                       "Background",
                                                       "BaseColor",
                                                       "BaseKit",
                                                       "Billboard",
                                                       "Blinker",
                                                       "BoolOperation",
                                                       "Box",
                                                       "BumpMap",
                                                       "BumpMapCoordinate",
                                                       "BumpMapTransform",
                                                       "CacheHint",
                                                       "Calculator",
                                                       "Callback",
                                                       "CameraKit",
                                                       "CenterballDragger",
                                                       "CenterballManip",
                                                       "ClipPlane",
                                                       "ClipPlaneManip",
                                                       "Collision",
                                                       "Color",
                                                       "ColorIndex",
                                                       "ColorInterpolator",
                                                       "Complexity",
                                                       "ComposeMatrix",
                                                       "ComposeRotation",
                                                       "ComposeRotationFromTo",
                                                       "ComposeVec2f",
                                                       "ComposeVec3f",
                                                       "ComposeVec4f",
                                                       "ComputeBoundingBox",
                                                       "Concatenate",
                                                       "Cone",
                                                       "Coordinate",
                                                       "Coordinate3",
                                                       "Coordinate4",
                                                       "CoordinateInterpolator",
                                                       "Counter",
                                                       "Cube",
                                                       "Cylinder",
                                                       "CylinderSensor",
                                                       "DecomposeMatrix",
                                                       "DecomposeRotation",
                                                       "DecomposeVec2f",
                                                       "DecomposeVec3f",
                                                       "DecomposeVec4f",
                                                       "DepthBuffer",
                                                       "DirectionalLight",
                                                       "DirectionalLightDragger",
                                                       "DirectionalLightManip",
                                                       "DragPointDragger",
                                                       "DragSensor",
                                                       "DrawStyle",
                                                       "ElapsedTime",
                                                       "ElevationGrid",
                                                       "Environment",
                                                       "EventCallback",
                                                       "ExtSelection",
                                                       "Extrusion",
                                                       "FaceSet",
                                                       "File",
                                                       "Fog",
                                                       "Font",
                                                       "FontStyle",
                                                       "ForeignFileKit",
                                                       "FragmentShader",
                                                       "FrustumCamera",
                                                       "Gate",
                                                       "GeoCoordinate",
                                                       "GeoLocation",
                                                       "GeoOrigin",
                                                       "GeoSeparator",
                                                       "Geometry",
                                                       "GeometryShader",
                                                       "Group",
                                                       "HandleBoxDragger",
                                                       "HandleBoxManip",
                                                       "HeightMapToNormalMap",
                                                       "Image",
                                                       "ImageTexture",
                                                       "IndexedFaceSet",
                                                       "IndexedLine",
                                                       "IndexedLineSet",
                                                       "IndexedMarkerSet",
                                                       "IndexedNurbsCurve",
                                                       "IndexedNurbsSurface",
                                                       "IndexedPointSet",
                                                       "IndexedTriangleStripSet",
                                                       "Info",
                                                       "Inline",
                                                       "InteractionKit",
                                                       "Interpolate",
                                                       "InterpolateFloat",
                                                       "InterpolateRotation",
                                                       "InterpolateVec2f",
                                                       "InterpolateVec3f",
                                                       "InterpolateVec4f",
                                                       "Interpolator",
                                                       "JackDragger",
                                                       "JackManip",
                                                       "LOD",
                                                       "Label",
                                                       "LightKit",
                                                       "LightModel",
                                                       "LineSet",
                                                       "LinearProfile",
                                                       "Listener",
                                                       "LocateHighlight",
                                                       "MField",
                                                       "MarkerSet",
                                                       "Material",
                                                       "MaterialBinding",
                                                       "MatrixTransform",
                                                       "MovieTexture",
                                                       "MultipleCopy",
                                                       "NavigationInfo",
                                                       "Node",
                                                       "NodeVisualize",
                                                       "Normal",
                                                       "NormalBinding",
                                                       "NormalInterpolator",
                                                       "NurbsCurve",
                                                       "NurbsProfile",
                                                       "NurbsSurface",
                                                       "OnOff",
                                                       "OneShot",
                                                       "OrientationInterpolator",
                                                       "OrthographicCamera",
                                                       "PackedColor",
                                                       "PackedColorV20",
                                                       "Parent",
                                                       "Path",
                                                       "PathSwitch",
                                                       "Pendulum",
                                                       "PerspectiveCamera",
                                                       "PickStyle",
                                                       "PixelTexture",
                                                       "PlaneSensor",
                                                       "PointLight",
                                                       "PointLightDragger",
                                                       "PointLightManip",
                                                       "PointSet",
                                                       "PolygonOffset",
                                                       "PositionInterpolator",
                                                       "ProfileCoordinate2",
                                                       "ProfileCoordinate3",
                                                       "ProfilerOverlayKit",
                                                       "ProfilerStats",
                                                       "ProfilerTopEngine",
                                                       "ProfilerTopKit",
                                                       "ProfilerVisualizeKit",
                                                       "ProximitySensor",
                                                       "QuadMesh",
                                                       "ResetTransform",
                                                       "ReversePerspectiveCamera",
                                                       "RotateCylindricalDragger",
                                                       "RotateDiscDragger",
                                                       "RotateSphericalDragger",
                                                       "Rotation",
                                                       "RotationXYZ",
                                                       "Rotor",
                                                       "SField",
                                                       "STLFileKit",
                                                       "ScalarInterpolator",
                                                       "Scale",
                                                       "Scale1Dragger",
                                                       "Scale2Dragger",
                                                       "Scale2UniformDragger",
                                                       "ScaleUniformDragger",
                                                       "SceneKit",
                                                       "SceneTexture2",
                                                       "SceneTextureCubeMap",
                                                       "Script",
                                                       "ScrollingGraphKit",
                                                       "SelectOne",
                                                       "Selection",
                                                       "Sensor",
                                                       "Separator",
                                                       "SeparatorKit",
                                                       "ShaderObject",
                                                       "ShaderParameter",
                                                       "ShaderParameter1f",
                                                       "ShaderParameter1i",
                                                       "ShaderParameter2f",
                                                       "ShaderParameter2i",
                                                       "ShaderParameter3f",
                                                       "ShaderParameter3i",
                                                       "ShaderParameter4f",
                                                       "ShaderParameter4i",
                                                       "ShaderParameterArray1f",
                                                       "ShaderParameterArray1i",
                                                       "ShaderParameterArray2f",
                                                       "ShaderParameterArray2i",
                                                       "ShaderParameterArray3f",
                                                       "ShaderParameterArray3i",
                                                       "ShaderParameterArray4f",
                                                       "ShaderParameterArray4i",
                                                       "ShaderParameterMatrix",
                                                       "ShaderParameterMatrixArray",
                                                       "ShaderProgram",
                                                       "ShaderStateMatrixParameter",
                                                       "ShadowCulling",
                                                       "ShadowDirectionalLight",
                                                       "ShadowGroup",
                                                       "ShadowSpotLight",
                                                       "ShadowStyle",
                                                       "Shape",
                                                       "ShapeHints",
                                                       "ShapeHintsV10",
                                                       "ShapeKit",
                                                       "Shuttle",
                                                       "Sound",
                                                       "Sphere",
                                                       "SphereSensor",
                                                       "SpotLight",
                                                       "SpotLightDragger",
                                                       "SpotLightManip",
                                                       "SurroundScale",
                                                       "Switch",
                                                       "TabBoxDragger",
                                                       "TabBoxManip",
                                                       "TabPlaneDragger",
                                                       "Text",
                                                       "Text2",
                                                       "Text3",
                                                       "Texture",
                                                       "Texture2",
                                                       "Texture2Convert",
                                                       "Texture2Transform",
                                                       "Texture3",
                                                       "Texture3Transform",
                                                       "TextureCombine",
                                                       "TextureCoordinate",
                                                       "TextureCoordinate2",
                                                       "TextureCoordinate3",
                                                       "TextureCoordinateBinding",
                                                       "TextureCoordinateCube",
                                                       "TextureCoordinateCylinder",
                                                       "TextureCoordinateDefault",
                                                       "TextureCoordinateEnvironment",
                                                       "TextureCoordinateFunction",
                                                       "TextureCoordinateNormalMap",
                                                       "TextureCoordinateObject",
                                                       "TextureCoordinatePlane",
                                                       "TextureCoordinateReflectionMap",
                                                       "TextureCoordinateSphere",
                                                       "TextureCubeMap",
                                                       "TextureMatrixTransform",
                                                       "TextureScalePolicy",
                                                       "TextureTransform",
                                                       "TextureUnit",
                                                       "TimeCounter",
                                                       "TimeSensor",
                                                       "TouchSensor",
                                                       "TrackballDragger",
                                                       "TrackballManip",
                                                       "Transform",
                                                       "TransformBoxDragger",
                                                       "TransformBoxManip",
                                                       "TransformManip",
                                                       "TransformSeparator",
                                                       "TransformVec3f",
                                                       "TransformerDragger",
                                                       "TransformerManip",
                                                       "Translate1Dragger",
                                                       "Translate2Dragger",
                                                       "Translation",
                                                       "TransparencyType",
                                                       "TriangleStripSet",
                                                       "TriggerAny",
                                                       "UniformShaderParameter",
                                                       "Units",
                                                       "VertexAttribute",
                                                       "VertexAttributeBinding",
                                                       "VertexLine",
                                                       "VertexPoint",
                                                       "VertexProperty",
                                                       "VertexShader",
                                                       "Viewpoint",
                                                       "VisibilitySensor",
                                                       "WWWAnchor",
                                                       "WWWInline",
                                                       "WorldInfo",
                                                       "WrapperKit"};

/// Reads the words, braces and brackets of a text; skips comments and quoted texts.
class Inventor {
 public:
  Inventor(std::string_view text, UnreadLog& log) : text_(text), log_(log) {}

  void read() {
    const std::string_view header = text_.substr(0, std::min(text_.find('\n'), text_.size()));
    const bool isText = header.starts_with("#VRML") ||
                        (header.starts_with("#Inventor") && header.find("binary") == std::string_view::npos);
    if (!isText)
      return log_.add("file",
                      "is binary, so it is unknown what OpenSceneGraph's reader leaves out. Convert it to "
                      "text (ivcat), .osgt or glTF",
                      "");
    std::string_view previous;
    while (true) {
      const std::string_view word = next();
      if (word.empty()) break;
      if (word == "{" || word == "[") {
        if (word == "{" && isName(previous)) look(previous);
        open_ += word;
        constexpr std::size_t deepest = 1'000'000;
        if (open_.size() > deepest) return say("is nested too deeply");
      } else if (word == "}" || word == "]") {
        if (open_.empty() || (open_.back() == '{') != (word == "}"))
          return say("has an unmatched closing bracket");
        open_.pop_back();
      } else if (previous == "PROTO" || previous == "EXTERNPROTO") {
        own_.insert(word);
        if (previous == "EXTERNPROTO")
          log_.add("EXTERNPROTO " + std::string(word), "is not read from its file", where());
      }
      previous = word;
    }
    if (isCutOff_ || !open_.empty()) say("is cut off: a bracket or a text in quotes is not closed");
  }

 private:
  static bool isName(std::string_view word) {
    return !word.empty() && word.find_first_of("{}[]\"") == std::string_view::npos;
  }

  void look(std::string_view node) {
    if (own_.contains(node)) return;
    // In its library, Coin also knows nodes of VRML 97 by these names.
    constexpr std::string_view prefix = "VRML";
    if (node.starts_with(prefix)) node.remove_prefix(prefix.size());
    const bool isKnown = std::binary_search(knownNodes.begin(), knownNodes.end(), node);
    if (!isKnown)
      log_.add(std::string(node), "not read: unknown node", where());
    else if (node == "Text3")
      log_.add(std::string(node), "solid text is not supported", where());
  }

  /// Returns the next word, empty at the end. A quoted text is a word.
  std::string_view next() {
    constexpr std::string_view blanks = " \t\n\v\f\r,", ends = " \t\n\v\f\r,{}[]\"#";
    while (true) {
      at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
      if (at_ == text_.size()) return {};
      if (text_[at_] != '#') break;
      at_ = std::min(text_.find_first_of("\n\r", at_), text_.size());
    }
    const std::size_t begin = at_;
    if (text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      isCutOff_ = isCutOff_ || at_ >= text_.size();
      at_ = std::min(at_ + 1, text_.size());
    } else if (std::string_view("{}[]").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(ends, at_ + 1), text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string where() {
    lines_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    counted_ = at_;
    return "line " + std::to_string(lines_);
  }
  void say(const std::string& problem) { log_.add("file", problem + "; parts may be missing", where()); }

  std::string_view text_;
  UnreadLog& log_;
  std::size_t at_ = 0, counted_ = 0, lines_ = 1;
  bool isCutOff_ = false;
  std::string open_;                ///< open brackets
  std::set<std::string_view> own_;  ///< nodes that the file defines
};

}  // namespace

void noteUnreadInventor(std::string_view text, UnreadLog& log) { Inventor(text, log).read(); }

}  // namespace fitup::importers
