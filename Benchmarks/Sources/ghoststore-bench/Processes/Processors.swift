import Glibc

/// Which processors processes use (taskset(1)): one for what is measured, all others for what is not.
struct Processors {
    private let program: String
    private let outputPath: String
    private let count = Self.count

    /// One can be kept for what is measured.
    static var areEnough: Bool { count > 1 }

    private static var count: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    /// - Throws: where there is no taskset.
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

    /// Every thread that there is; later ones are where those are that begin them.
    private func move(_ processes: [pid_t], to list: String) throws(BenchError) {
        for process in processes {
            _ = try ChildProcess.run([program, "-a", "-p", "-c", list, "\(process)"], outputPath: outputPath)
        }
    }
}
