#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <fitup/io/detail/block_file.h>

namespace fitup::test {

/// An entry of a model file's directory (docs/reference/model-file.md).
struct ModelFileBlock {
  std::uint32_t kind, index;
  std::uint64_t offset, size, checksum;
};

/// Returns the file with the right size and checksums, for all blocks that it has, so that readers reach the
/// damage behind them. `change` may alter entries of the directory before.
std::string sealedModelFile(std::string_view file, const std::function<void(ModelFileBlock&)>& change = {},
                            std::uint32_t version = detail::modelFileVersion);

/// Rewrites a file of one mesh with one block changed (dropped, if `change` leaves it empty) and right
/// checksums.
void rewriteModelFile(const std::filesystem::path& from, const std::filesystem::path& to,
                      detail::BlockKind changed, const std::function<void(std::string&)>& change);

}  // namespace fitup::test
