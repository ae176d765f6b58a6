#pragma once

#include <initializer_list>

namespace fitup::viewer {

// Commands that the menu bar, the tool bars and the context menus list in the same order.

inline constexpr std::initializer_list<const char*> sideIds{
    "view isometric", "view front", "view back", "view left", "view right", "view top", "view bottom"};
inline constexpr std::initializer_list<const char*> displayIds{"display shaded-edges", "display shaded",
                                                               "display hidden-line", "display wireframe",
                                                               "display transparent"};
inline constexpr std::initializer_list<const char*> sectionIds{
    "section toggle", "section flip", "section here",   "section across",
    "section add",    "section box",  "section remove", "section off"};

}  // namespace fitup::viewer
