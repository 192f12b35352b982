import GhostTestSupport
import Glibc
import StoreClient
import TestBasics

/// One call of one function that fails in the daemon.
struct Fault: Sendable {
    let function: String
    /// The number of the call, from 1.
    let call: Int
    /// What it fails with, where it is a system call.
    var error = EIO
    var effect = Effect.fails
    /// Counts the calls from the start on, and not only while it is armed.
    var isFromStart = false

    /// As faults.c has them.
    enum Effect: String {
        case fails = ""
        /// A `pwrite` that has written half of its bytes.
        case failsHalfway = "half"
        /// The same, and every one after it.
        case failsHalfwayFromThere = "half lasts"
        /// An `ftruncate` that does what it should, and nothing is done after it.
        case killsBehind = "kill"
    }
}

extension TestDaemon {
    private var armPath: String { directory.file("fault-armed") }
    private var hitPath: String { directory.file("fault-hit") }

    /// Starts it with a fault in it and does not wait for anything.
    /// - Parameter options: for this life, without the environment of the fault.
    func launch(with fault: Fault, _ options: TestDaemonOptions = TestDaemonOptions()) async throws -> ChildProcess {
        unlink(armPath)
        unlink(hitPath)
        var options = options
        options.environment.merge([
            "LD_PRELOAD": try await PreloadedLibrary.faults.path, "FAULT_FUNCTION": fault.function,
            "FAULT_AT": "\(fault.call)", "FAULT_ERRNO": "\(fault.error)", "FAULT_FOLDER": stateDirectory,
            "FAULT_ARM": fault.isFromStart ? "" : armPath, "FAULT_HIT": hitPath,
            "FAULT_EFFECT": fault.effect.rawValue,
        ]) { $1 }
        return try launch(options)
    }

    /// Calls count from now on.
    func arm() throws {
        try directory.write([], to: "fault-armed")
    }

    /// Calls do not count any more, and none fails.
    func disarm() {
        unlink(armPath)
    }

    /// The fault has happened.
    var hasFailed: Bool {
        access(hitPath, F_OK) == 0
    }

    /// Waits until it answers or has ended.
    /// - Returns: whether it answers.
    func answers(_ child: ChildProcess) async throws -> Bool {
        var isAnswering = false
        try await eventually("the daemon answers or ends") {
            if let client = try? await connect() {
                await client.close()
                isAnswering = true
            }
            return isAnswering || !child.isRunning
        }
        return isAnswering
    }
}
