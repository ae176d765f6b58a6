#include "early_tessellation.h"

#include <Interface_EntityIterator.hxx>
#include <Interface_Graph.hxx>
#include <Standard_Failure.hxx>
#include <StepShape_AdvancedBrepShapeRepresentation.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <TopExp.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>

#include <algorithm>
#include <exception>

#include <tbb/task_arena.h>

namespace fitup::importers {
namespace {

/// Whether the solid belongs to an advanced B-rep, which is healed solid by solid; other representations are
/// healed as a whole, afterwards.
bool isOfAdvancedBreps(const Handle(Standard_Transient) & solid, const Interface_Graph& graph) {
  Interface_EntityIterator users = graph.Sharings(solid);
  bool isHeld = false;
  for (users.Start(); users.More(); users.Next()) {
    if (!users.Value()->IsKind(STANDARD_TYPE(StepRepr_Representation))) continue;
    if (!users.Value()->IsKind(STANDARD_TYPE(StepShape_AdvancedBrepShapeRepresentation))) return false;
    isHeld = true;
  }
  return isHeld;
}

}  // namespace

EarlyTessellation::EarlyTessellation(const CadOptions& options)
    : options_(options),
      threads_(options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency())) {
  if (threads_ > 1 && !options.mergeSolids) thread_ = std::thread([this] { run(); });
}

void EarlyTessellation::take(const Transfer_TransientProcess& transfers) {
  constexpr std::size_t mostBegun = 64;  // some solids of damaged files never become complete
  if (!thread_.joinable() || looked_ == transfers.NbMapped()) return;
  for (; looked_ < transfers.NbMapped(); ++looked_) {
    const Handle(Standard_Transient)& item = transfers.Mapped(looked_ + 1);
    const bool isThere = !item.IsNull();  // a damaged file may refer to nothing
    if (isThere && item->IsKind(STANDARD_TYPE(StepShape_ManifoldSolidBrep))) begun_.push_back(item);
  }
  const auto isTaken = [&](const Handle(Standard_Transient) & item) {
    const Handle(Transfer_Binder) binder = transfers.Find(item);
    if (binder.IsNull() || !binder->HasResult()) return false;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(binder);
    if (!shape.IsNull() && isOfAdvancedBreps(item, transfers.Graph())) take(shape);
    return true;
  };
  begun_.erase(std::remove_if(begun_.begin(), begun_.end(), isTaken), begun_.end());
  while (begun_.size() > mostBegun) begun_.pop_front();
}

void EarlyTessellation::take(const TopoDS_Shape& shape) {
  Solid solid;
  TopExp::MapShapes(shape, TopAbs_FACE, solid.faces);
  if (solid.faces.IsEmpty()) return;
  const std::lock_guard lock(mutex_);
  if (!solidOfFace_.emplace(solid.faces(1).TShape().get(), solids_.size()).second) return;
  solids_.push_back(std::move(solid));
  changed_.notify_one();
}

void EarlyTessellation::run() {
  tbb::task_arena arena(static_cast<int>(threads_ - 1));  // one thread transfers
  std::unique_lock lock(mutex_);
  for (std::size_t next = 0;; ++next) {
    changed_.wait(lock, [&] { return isStopped_ || next < solids_.size(); });
    if (isStopped_) return;
    Solid& solid = solids_[next];  // a deque keeps its elements in place
    lock.unlock();
    try {
      solid.deflection = deflectionFor(compoundOf(solid.faces), options_);
      arena.execute([&] { triangulate(solid.faces, solid.deflection, {}); });
      solid.isDone = true;
    } catch (...) {  // it is tried again later, and then the error is reported
    }
    lock.lock();
  }
}

void EarlyTessellation::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool EarlyTessellation::claim(const PartShape& part, const Deflection& deflection) {
  if (part.faces.IsEmpty()) return false;
  const auto found = solidOfFace_.find(part.faces(1).TShape().get());
  if (found == solidOfFace_.end()) return false;
  Solid& solid = solids_[found->second];
  bool isSame = solid.isDone && solid.deflection == deflection && solid.faces.Extent() == part.faces.Extent();
  for (int i = 1; isSame && i <= part.faces.Extent(); ++i) isSame = solid.faces(i).IsEqual(part.faces(i));
  solid.isDone = solid.isDone && !isSame;
  return isSame;
}

}  // namespace fitup::importers
