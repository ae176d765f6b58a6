#pragma once

/// Reads the file without its cache, as a program of somebody else does; says "read", or why not. Returns an
/// exit code. For tests of where importers are looked for.
[[gnu::visibility("default")]] int readOne(const char* file);
