import Glibc

/// Assigns processors to processes (taskset(1)): one to the measured processes, and all other processors to the other
/// processes.
struct Processors {
    private let program: String
    private let outputPath: String
    private let count = Self.count

    /// True if one processor can be reserved for the measured processes.
    static var areEnough: Bool { count > 1 }

    private static var count: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    /// - Throws: an error if taskset is not installed.
    init(_ scratch: ScratchDirectory) throws(BenchError) {
        program = try Programs.require("taskset", at: ["taskset"], package: "util-linux")
        outputPath = scratch.file("taskset")
    }

    func keepMeasured(_ processes: [pid_t]) throws(BenchError) {
        try move(processes, to: "0")
    }

    func keepAway(_ processes: [pid_t]) throws(BenchError) {
        try move(processes, to: count == 2 ? "1" : "1-\(count - 1)")
    }

    func free(_ processes: [pid_t]) throws(BenchError) {
        try move(processes, to: "0-\(count - 1)")
    }

    /// Moves all current threads of the processes to the processors in `list`. Later threads inherit the processors of
    /// the thread that creates them.
    private func move(_ processes: [pid_t], to list: String) throws(BenchError) {
        for process in processes {
            _ = try ChildProcess.run([program, "-a", "-p", "-c", list, "\(process)"], outputPath: outputPath)
        }
    }
}
