#pragma once

#include <filesystem>

namespace fitup::importers {

/// Answers requests for finer meshes until standard input ends, as `fitup/io/part_refiner.h` asks them.
/// Confines this process to `folder`, into which each answer is written. Returns the exit code.
///
/// Requests are lines, each answered by `done` or `error <text>` after lines of progress:
///
///     shape <number> <size>        followed by this many bytes: the exact shape of a model file
///     refine <number> <linear> <angular> <fine> <face>,<face>,...
///
/// The second tessellates the shape of that number: the faces (counted from 0) with a chord error of at most
/// `fine`, if the library gets there, and the others as `linear` and `angular` say. It writes a model file of
/// one part. Faces share the points of their common edges.
int answerRefinements(const std::filesystem::path& folder);

}  // namespace fitup::importers
