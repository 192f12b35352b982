import GhostTestSupport
import Glibc
import StoreClient
import TestBasics

/// A fault that a test causes in the daemon, at the chosen call of a function.
struct Fault: Sendable {
    let function: String
    /// The number of the call, counted from 1.
    let call: Int
    /// The errno of the failure, if the function is a system call.
    var error = EIO
    var effect = Effect.fails
    /// True to count the calls from the start on, instead of only while the fault is armed.
    var isFromStart = false

    /// The effect of the fault, with the names that faults.c uses.
    enum Effect: String {
        case fails = ""
        /// The chosen `pwrite` writes half of its bytes and then fails.
        case failsHalfway = "half"
        /// The chosen `pwrite` and every later one write half of their bytes and then fail.
        case failsHalfwayFromThere = "half lasts"
        /// The chosen `ftruncate` succeeds, and the process is killed right after it.
        case killsBehind = "kill"
    }
}

extension TestDaemon {
    private var armPath: String { directory.file("fault-armed") }
    private var hitPath: String { directory.file("fault-hit") }

    /// Starts the daemon with a fault and returns at once.
    /// - Parameter options: options for this start, without the environment of the fault.
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

    /// Starts counting calls.
    func arm() throws {
        try directory.write([], to: "fault-armed")
    }

    /// Stops counting calls, so that none fails.
    func disarm() {
        unlink(armPath)
    }

    /// True once the fault has happened.
    var hasFailed: Bool {
        access(hitPath, F_OK) == 0
    }

    /// Waits until the daemon answers or has ended.
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
