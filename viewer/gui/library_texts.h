#pragma once

#include <string_view>

#include <QString>

namespace fitup::viewer {

/// Translates a text that the library or the session writes for people: a verdict, a shape or a face, why a
/// verdict is undecided, a change that can be undone. A text that is not in the list of library_texts.cpp, such
/// as an error, is shown as it is, in English. As for `shown`, widgets treat the result as plain text.
QString translated(std::string_view text);

}  // namespace fitup::viewer
