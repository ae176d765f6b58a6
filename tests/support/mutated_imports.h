#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::test {

/// The results of damaged files.
struct MutationTally {
  std::size_t complete = 0;        ///< an answer without a warning about missing geometry
  std::size_t incomplete = 0;      ///< an answer with a warning about missing geometry
  std::size_t refused = 0;         ///< a clear error
  std::size_t crashed = 0;         ///< an error that says that the importer crashed ...
  std::size_t outOfMemory = 0;     ///< ... or needed too much memory
  std::size_t hung = 0;            ///< ... or made no progress
  std::vector<std::string> wrong;  ///< forbidden results, with the number of the mutation

  [[nodiscard]] std::string text() const;
};

/// Reads a file; throws like `readAssembly`.
using ImportFunction = std::function<Model(const std::filesystem::path&)>;

/// Imports `count` mutations of a valid file (`bytes`, with the name's extension) in a folder of its own. The
/// seed of mutation i is `seed + i`, so that each can be reproduced alone. These results are wrong: an
/// exception that is not an error of the toolkit or has no text, an unusable result, and an answer that is
/// marked as complete although the text declares more than what arrived (`declaredElements`) or holds what no
/// reader can read completely.
MutationTally importMutations(const std::string& name, const std::string& bytes, std::size_t count,
                              std::uint64_t seed, const ImportFunction& import);

/// The elements that the text alone, examined without the readers' code, declares.
struct DeclaredElements {
  std::size_t count = 0;   ///< triangles of an OBJ or STL file, faces of a STEP or IGES file
  bool malformed = false;  ///< OBJ, text STL: a line that no reader can read completely
};
DeclaredElements declaredElements(const std::string& extension, const std::string& bytes);

}  // namespace fitup::test
