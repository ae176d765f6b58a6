#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <fitup/io/model_file.h>

#include "unread_log.h"

namespace fitup::importers {

/// What OpenSceneGraph's plugins leave out of a file without a word, by a look of our own at its bytes:
/// elements that they do not know, or know to be damaged, and what is missing because the file is cut off.
/// Each is a warning that is incomplete unless no area can be missing. Takes time and memory in proportion to
/// the file, whatever is in it. Nothing for extensions that are not looked at here. Throws FileError,
/// std::bad_alloc.
std::vector<ImportWarning> unreadOf(const std::filesystem::path& file);

/// The same of each format's bytes.
/// OpenFlight: a chain of records that ends with the file, levels that end, and no record with an area that
/// is not read.
void noteUnreadOpenFlight(std::string_view bytes, UnreadLog& log);
/// AC3D: as many objects, points and surfaces as their counts say.
void noteUnreadAc3d(std::string_view text, UnreadLog& log);
/// DXF: entities with an area that are not read, in sections and blocks, and the end.
void noteUnreadDxf(std::string_view text, UnreadLog& log);
/// Inventor and VRML: nodes that Coin does not know and that the file does not define; brackets that close.
void noteUnreadInventor(std::string_view text, UnreadLog& log);
/// LightWave objects: chunks that end with the file, patches, layers of one number.
void noteUnreadLightWave(std::string_view bytes, UnreadLog& log);
/// COLLADA: geometry of kinds that are not read, tags that close.
void noteUnreadCollada(std::string_view text, UnreadLog& log);
/// OpenSceneGraph's old text format: nodes and drawables of unknown classes, braces that close.
void noteUnreadOldOsg(std::string_view text, UnreadLog& log);

}  // namespace fitup::importers
