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

/// Tessellates solids of a STEP file on threads of its own while Open CASCADE transfers others on one thread;
/// both take about the same time. Parts get the same triangles whether or not they are tessellated early.
///
/// Takes only solids of advanced B-rep representations, because Open CASCADE shares their shapes with nothing
/// else and does not change them after healing.
class EarlyTessellation {
 public:
  /// Does nothing if no thread is available or if each product becomes one part.
  explicit EarlyTessellation(const CadOptions& options);
  ~EarlyTessellation() { stop(); }
  EarlyTessellation(const EarlyTessellation&) = delete;
  EarlyTessellation& operator=(const EarlyTessellation&) = delete;
  EarlyTessellation(EarlyTessellation&&) = delete;
  EarlyTessellation& operator=(EarlyTessellation&&) = delete;

  /// Starts with the solids completed since the last call. Call it on the thread that transfers.
  void take(const Transfer_TransientProcess& transfers);
  /// Finishes what has begun and drops the rest.
  void stop();
  /// Returns whether the faces of the part have triangulations of this deflection. Returns true once for each
  /// solid, because `tessellate` removes them. Call it after `stop`; thread-safe for parts without common
  /// faces.
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
  std::deque<Handle(Standard_Transient)> begun_;  ///< solids that are not complete yet
  std::deque<Solid> solids_;
  std::map<const TopoDS_TShape*, std::size_t> solidOfFace_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool isStopped_ = false;
  std::thread thread_;
};

}  // namespace fitup::importers
