#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <fitup/scene/scene.h>

namespace fitup::cli {

/// --move, which may be given more than once.
void addMoveOption(CLI::App& app, std::vector<std::string>& moves);

/// Each of the moves in turn: "PATH=x,y,z" or "PATH=x,y,z,ax,ay,az,degrees", a shift in the world, and a turn
/// about the middle of the box around the placed boxes of the parts below PATH. Throws InputError.
void applyMoves(const Scene& scene, const std::vector<std::string>& moves, Poses& poses);

}  // namespace fitup::cli
