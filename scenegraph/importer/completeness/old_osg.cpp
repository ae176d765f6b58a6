#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "unread.h"
#include "words.h"

namespace fitup::importers {
namespace {

/// Whether osgDB's readers of .osg know the node; sorted. Nodes of other node kits are recognised by the kit.
bool isKnownNode(std::string_view name) {
  constexpr std::array<std::string_view, 53> nodes{"AutoTransform",
                                                   "Billboard",
                                                   "BlinkSequence",
                                                   "Camera",
                                                   "CameraNode",
                                                   "CameraView",
                                                   "ClearNode",
                                                   "ClipNode",
                                                   "CoordinateSystemNode",
                                                   "DCS",
                                                   "DOFTransform",
                                                   "Drawable",
                                                   "EarthSky",
                                                   "Geode",
                                                   "Geometry",
                                                   "Group",
                                                   "Impostor",
                                                   "LOD",
                                                   "LightPointNode",
                                                   "LightSource",
                                                   "MatrixTransform",
                                                   "MultiSwitch",
                                                   "Node",
                                                   "ObjectRecordData",
                                                   "OccluderNode",
                                                   "OcclusionQueryNode",
                                                   "OverlayNode",
                                                   "PagedLOD",
                                                   "ParticleEffect",
                                                   "ParticleProcessor",
                                                   "ParticleSystem",
                                                   "PositionAttitudeTransform",
                                                   "Projection",
                                                   "ProxyNode",
                                                   "Sequence",
                                                   "SequenceGroup",
                                                   "ShadowedScene",
                                                   "ShapeDrawable",
                                                   "SphereSegment",
                                                   "Switch",
                                                   "Terrain",
                                                   "TerrainTile",
                                                   "TexGenNode",
                                                   "Text",
                                                   "Text3D",
                                                   "Transform",
                                                   "View",
                                                   "VisibilityGroup",
                                                   "Volume",
                                                   "VolumeTile",
                                                   "FadeText",
                                                   "Effect",
                                                   "TextBase"};
  if (name.starts_with("osgAnimation::") || name.starts_with("osgFX::") ||
      name.starts_with("osgParticle::") || name.starts_with("osgSim::") || name.starts_with("osgText::") ||
      name.starts_with("osgTerrain::") || name.starts_with("osgVolume::") ||
      name.starts_with("osgShadow::") || name.starts_with("osg::"))
    return true;
  return std::find(nodes.begin(), nodes.end(), name) != nodes.end();
}

/// Whether the word is a part of a node other than its children and drawables.
bool isProperty(std::string_view name) {
  return name == "StateSet" || name == "Matrix" || name == "Description" || name == "Descriptions" ||
         name == "UserData" || name == "description" || name == "UserDataContainer" || name == "RangeList" ||
         name == "Ranges" || name == "FileNameList" || name == "InitialBound" || name == "Positions" ||
         name == "ValueList" || name == "PutMatrix" || name == "DatabasePath" || name == "ClipPlane" ||
         name == "Light" || name == "TexGen" || name == "Material" || name == "EllipsoidModel" ||
         name == "InvBindMatrixInSkeletonSpace" || name == "MatrixInSkeletonSpace" ||
         name.find("Callback") != std::string_view::npos;
}

class OldOsg {
 public:
  OldOsg(std::string_view text, UnreadLog& log) : words_(text), log_(log) {}

  void read() {
    std::string_view previous;
    while (true) {
      const std::string_view word = words_.next();
      if (word.empty()) break;
      if (word.front() == '"' && !skipQuoted(word)) return;
      if (word == "{") {
        open(previous);
      } else if (word == "}") {
        if (open_.empty()) return say("has an unmatched closing brace");
        open_.pop_back();
      } else if (previous == "num_children" || previous == "num_drawables") {
        if (!open_.empty()) open_.back().holdsNodes = true;
      }
      previous = word;
    }
    if (!open_.empty()) say("is cut off within " + std::string(open_.back().name));
  }

 private:
  struct Block {
    std::string_view name;
    bool holdsNodes = false;
  };

  /// osgDB skips objects of unknown classes.
  void open(std::string_view name) {
    const bool isNode = !open_.empty() && open_.back().holdsNodes && !isProperty(name);
    if (isNode && !isKnownNode(name))
      log_.add(std::string(name), "not read: osgDB has no such class", words_.where());
    open_.push_back({name});
  }

  /// Skips to the end of a text whose first word begins with a quote.
  bool skipQuoted(std::string_view word) {
    std::string_view rest(word.data() + 1, word.size() - 1 + words_.rest().size());
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
    if (end >= rest.size()) {
      say("is cut off within a text in quotes");
      return false;
    }
    if (end + 1 > word.size() - 1) words_.skip(end + 1 - (word.size() - 1));
    return true;
  }

  void say(const std::string& problem) {
    log_.add("file", problem + "; parts may be missing", words_.where());
  }

  Words words_;
  UnreadLog& log_;
  std::vector<Block> open_;
};

}  // namespace

void noteUnreadOldOsg(std::string_view text, UnreadLog& log) { OldOsg(text, log).read(); }

}  // namespace fitup::importers
