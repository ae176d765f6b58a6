#pragma once

#include <string>
#include <vector>

namespace fitup::bench {

enum class Gnuplot { well, badly, notThere };

/// Runs gnuplot with these arguments and waits for it.
Gnuplot runGnuplot(std::vector<std::string> arguments);

}  // namespace fitup::bench
