#include <viewer/core/undo_stack.h>

#include <catch2/catch.hpp>

namespace undo_stack_tests {

using fitup::viewer::UndoStack;

TEST_CASE("edits are taken back and done again", "[viewer][undo]") {
  UndoStack<int> stack(0);
  CHECK_FALSE(stack.canUndo());
  stack.push(1, "one");
  stack.push(2, "two");
  CHECK(stack.undoLabel() == "two");
  stack.undo();
  CHECK(stack.state() == 1);
  CHECK(stack.redoLabel() == "two");
  stack.redo();
  CHECK(stack.state() == 2);
  stack.undo();
  stack.undo();
  CHECK(stack.state() == 0);
  stack.undo();  // nothing is left
  CHECK(stack.state() == 0);
  stack.push(5, "five");  // the undone states are gone
  CHECK_FALSE(stack.canRedo());
  stack.undo();
  CHECK(stack.state() == 0);
}

TEST_CASE("a drag is one step, two drags are two", "[viewer][undo]") {
  UndoStack<int> stack(0);
  for (int i = 1; i <= 5; ++i) stack.push(i, "drag", "drag");
  stack.endMerging();
  for (int i = 6; i <= 9; ++i) stack.push(i, "drag", "drag");
  stack.undo();
  CHECK(stack.state() == 5);
  stack.undo();
  CHECK(stack.state() == 0);
  stack.redo();
  stack.push(6, "drag", "drag");  // not merged with a step that was undone and redone
  stack.undo();
  CHECK(stack.state() == 5);
}

TEST_CASE("what was saved is remembered through undo and redo", "[viewer][undo]") {
  UndoStack<int> stack(0, 4);
  CHECK(stack.isClean());
  stack.push(1, "one");
  CHECK_FALSE(stack.isClean());
  stack.setClean();
  stack.push(2, "two", "key");
  CHECK_FALSE(stack.isClean());
  stack.undo();
  CHECK(stack.isClean());
  stack.undo();
  CHECK_FALSE(stack.isClean());
  stack.push(7, "seven");  // the saved state is unreachable from here on
  stack.undo();
  CHECK_FALSE(stack.isClean());
  stack.setClean();
  for (int i = 0; i < 4; ++i) stack.push(i, "more");
  for (int i = 0; i < 4; ++i) stack.undo();
  CHECK(stack.isClean());
  stack.redo();
  for (int i = 0; i < 4; ++i) stack.push(i, "more");  // the oldest step, which was saved, is dropped
  while (stack.canUndo()) {
    CHECK_FALSE(stack.isClean());
    stack.undo();
  }
  CHECK_FALSE(stack.isClean());
}

TEST_CASE("the edits that are not saved are named, the last one first", "[viewer][undo]") {
  UndoStack<int> stack(0);
  using Labels = std::vector<std::string>;
  CHECK(stack.unsavedLabels(3).empty());
  for (const char* label : {"move", "hide", "hide", "status", "comment"}) stack.push(1, label);
  CHECK(stack.unsavedLabels(3) == Labels{"comment", "status", "hide"});
  CHECK(stack.unsavedLabels(9) == Labels{"comment", "status", "hide", "move"});
  stack.undo();
  CHECK(stack.unsavedLabels(2) == Labels{"status", "hide"});
  stack.setClean();
  CHECK(stack.unsavedLabels(3).empty());
  stack.push(2, "turn");
  CHECK(stack.unsavedLabels(3) == Labels{"turn"});
  stack.undo();
  stack.undo();  // before the saved state
  CHECK(stack.unsavedLabels(3).empty());
}

TEST_CASE("edits of what is not saved leave nothing to save", "[viewer][undo]") {
  UndoStack<int> stack(0);
  using Labels = std::vector<std::string>;
  stack.push(1, "guide", {}, false);
  CHECK(stack.isClean());
  CHECK(stack.unsavedLabels(3).empty());
  stack.push(2, "move");
  stack.push(3, "guide again", {}, false);
  CHECK_FALSE(stack.isClean());
  CHECK(stack.unsavedLabels(3) == Labels{"move"});
  stack.undo();
  CHECK_FALSE(stack.isClean());
  stack.undo();
  CHECK(stack.isClean());
  CHECK(stack.state() == 1);
  stack.undo();
  CHECK(stack.isClean());
  // Saved behind such an edit, then before it: an edit from there begins at the saved state.
  stack.redo();
  stack.setClean();
  stack.undo();
  CHECK(stack.isClean());
  stack.push(5, "move");
  CHECK_FALSE(stack.isClean());
  stack.undo();
  CHECK(stack.isClean());
  // From before an edit of what is saved, the saved state is out of reach.
  stack.redo();
  stack.setClean();
  stack.undo();
  CHECK_FALSE(stack.isClean());
  stack.push(6, "guide", {}, false);
  CHECK_FALSE(stack.isClean());
  stack.undo();
  CHECK_FALSE(stack.isClean());
  // An edit that joins such a step is one of what is saved.
  UndoStack<int> merged(0);
  merged.push(1, "guide", "drag", false);
  merged.push(2, "move", "drag");
  CHECK(merged.isClean() == false);
}

TEST_CASE("an edit after saving does not change what was saved", "[viewer][undo]") {
  UndoStack<int> stack(0);
  stack.push(1, "drag", "drag");
  stack.setClean();
  stack.push(2, "drag", "drag");
  CHECK_FALSE(stack.isClean());
  stack.undo();
  CHECK(stack.state() == 1);
  CHECK(stack.isClean());
}

}  // namespace undo_stack_tests
