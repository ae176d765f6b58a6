#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/scene/scene.h>

namespace fitup::cli {

/// Adds the option --move, which may be repeated.
void addMoveOption(CLI::App& app, std::vector<std::string>& moves);

/// Applies the moves in order: "PATH=x,y,z" or "PATH=x,y,z,ax,ay,az,degrees", a translation in the world, and
/// a rotation about the centre of the box around the placed boxes of the parts below PATH. Throws InputError.
void applyMoves(const Scene& scene, const std::vector<std::string>& moves, Poses& poses);

}  // namespace fitup::cli
