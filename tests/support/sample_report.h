#pragma once

#include <fitup/io/report_document.h>

namespace fitup::test {

/// A report of three instances that uses every field; a replay has two steps.
ReportDocument fullReport(ReportKind kind);

/// A finding between the n-th face of one part and the m-th of the other; faces of a part differ in place.
ReportedFinding sampleFinding(const std::string& pathA, std::uint32_t n, const std::string& pathB,
                              std::uint32_t m);

/// A complete check of the instances "a", "b", "c" that found nothing.
ReportDocument emptyCheck();

}  // namespace fitup::test
