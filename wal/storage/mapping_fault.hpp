// What becomes of a process that touches a page of a mapped file which cannot be read: the disk
// failed, or somebody cut the file. The system's answer is a signal and a core file; this one is a
// line that names the file, and an exit code.
#pragma once

namespace netml::wal {

inline constexpr int kMappingFaultExitCode = 1;

// For the whole process, from now on. Other causes of the signal end it as ever.
void end_on_mapping_faults();

}  // namespace netml::wal
