#pragma once

#include <optional>
#include <string_view>

#include <fitup/scene/assembly.h>

// What the writer and the reader of glTF files agree upon.
namespace fitup::detail {

/// The frame of glTF (metres, y up) from that of an assembly; nothing for a unit that is none of
/// `lengthUnits`.
std::optional<Transform> gltfFromWorld(std::string_view unit, UpAxis up) noexcept;

/// The member of `extras` that holds what this project notes beside what the format has.
inline constexpr const char* gltfNotes = "fitup";

}  // namespace fitup::detail
