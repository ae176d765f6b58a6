#pragma once

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_TShape.hxx>
#include <Transfer_TransientProcess.hxx>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "cad_options.h"
#include "tessellate.h"

namespace fitup::importers {

/// Tessellates solids of a STEP file on a thread of its own while others are still being transferred, which
/// Open CASCADE does on one thread: the two take about as long as each other. Parts have the same triangles
/// whether this comes to them in time or not.
///
/// Takes nothing but solids of advanced B-rep representations, whose shapes Open CASCADE shares with nothing
/// else and does not change after it has healed them.
class EarlyTessellation {
 public:
  /// Does nothing where there is no thread for it, or where products become one part.
  explicit EarlyTessellation(const CadOptions& options);
  ~EarlyTessellation() { stop(); }
  EarlyTessellation(const EarlyTessellation&) = delete;
  EarlyTessellation& operator=(const EarlyTessellation&) = delete;
  EarlyTessellation(EarlyTessellation&&) = delete;
  EarlyTessellation& operator=(EarlyTessellation&&) = delete;

  /// Begins with the solids that have become whole since the last call. On the thread that transfers.
  void take(const Transfer_TransientProcess& transfers);
  /// Ends what has begun and leaves the rest.
  void stop();
  /// The part's faces have the triangulations of this deflection. Once it is stopped.
  /// True once for each solid, for `tessellate` removes them. For parts without common faces, from any thread.
  [[nodiscard]] bool claim(const PartShape& part, const Deflection& deflection);

 private:
  struct Solid {
    TopTools_IndexedMapOfShape faces;
    Deflection deflection;
    bool isDone = false;
  };
  void take(const TopoDS_Shape& solid);
  void run();

  CadOptions options_;
  unsigned threads_;
  Standard_Integer looked_ = 0;                   ///< items of the transfer
  std::deque<Handle(Standard_Transient)> begun_;  ///< solids that are not whole yet
  std::deque<Solid> solids_;
  std::map<const TopoDS_TShape*, std::size_t> solidOfFace_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool isStopped_ = false;
  std::thread thread_;
};

}  // namespace fitup::importers
