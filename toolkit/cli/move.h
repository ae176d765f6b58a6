#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/motion/track.h>
#include <fitup/scene/scene.h>

namespace fitup::cli {

/// Adds the option --move, which may be repeated.
void addMoveOption(CLI::App& app, std::vector<std::string>& moves);

/// Reads "x,y,z" or "x,y,z,ax,ay,az,degrees": a shift in the world, and a turn about the centre of a box.
/// Throws InputError, which names the option and the element.
RigidMotion motionFrom(const std::string& option, const std::string& element, std::string_view text,
                       const Box& box);

/// Applies the moves in order: "PATH=x,y,z" or "PATH=x,y,z,ax,ay,az,degrees", a translation in the world, and
/// a rotation about the centre of the box around the placed boxes of the parts below PATH. Throws InputError.
void applyMoves(const Scene& scene, const std::vector<std::string>& moves, Poses& poses);

}  // namespace fitup::cli
