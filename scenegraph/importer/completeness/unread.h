#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

#include "unread_log.h"

namespace fitup::importers {

/// Finds what OpenSceneGraph's plugins silently leave out of a file, by examining its bytes: elements that
/// they do not know or find damaged, and what is missing because the file is cut off. Each finding is a
/// warning, which is incomplete unless no area can be missing. Takes time and memory in proportion to the
/// file, whatever it holds. Returns nothing for extensions that it does not examine. Throws FileError,
/// std::bad_alloc.
std::vector<ImportWarning> unreadOf(const std::filesystem::path& file);

/// One function for the bytes of each format. OpenFlight: a chain of records that ends with the file, levels
/// that end, and no record with an area that is not read.
void noteUnreadOpenFlight(std::string_view bytes, UnreadLog& log);
/// AC3D: as many objects, points and surfaces as their counts declare.
void noteUnreadAc3d(std::string_view text, UnreadLog& log);
/// DXF: entities with an area that are not read, in sections and blocks, and the end.
void noteUnreadDxf(std::string_view text, UnreadLog& log);
/// Inventor and VRML: nodes that neither Coin knows nor the file defines; brackets that close.
void noteUnreadInventor(std::string_view text, UnreadLog& log);
/// LightWave objects: chunks that end with the file, patches, layers with the same number.
void noteUnreadLightWave(std::string_view bytes, UnreadLog& log);
/// COLLADA: geometry of kinds that are not read, tags that close.
void noteUnreadCollada(std::string_view text, UnreadLog& log);
/// OpenSceneGraph's old text format: nodes and drawables of unknown classes, braces that close.
void noteUnreadOldOsg(std::string_view text, UnreadLog& log);

}  // namespace fitup::importers
