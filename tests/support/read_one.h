#pragma once

/// Reads the file without its cache, as an application would; prints "read", or the reason why not. Returns
/// an exit code. For tests of where importers are looked for.
[[gnu::visibility("default")]] int readOne(const char* file);
