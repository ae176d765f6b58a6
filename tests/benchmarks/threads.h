#pragma once

#include "statistics.h"

namespace fitup::bench {

/// The gain of sharing one query between threads: all triangles of the wrinkled pair.
struct ThreadsResult {
  unsigned threads = 2;
  MedianInterval oneMilliseconds, sharedMilliseconds;
  MedianInterval gain;         ///< time on one thread / time of the shared query, round by round
  MedianInterval controlGain;  ///< the same for `threads` independent queries at once, in the same rounds
  MedianInterval ofControl;    ///< gain / controlGain
};

/// Wall-clock time; each round takes all three measures one after the other.
ThreadsResult runThreads(unsigned threads, int rounds);

/// Prints to standard output.
void print(const ThreadsResult& result);

}  // namespace fitup::bench
