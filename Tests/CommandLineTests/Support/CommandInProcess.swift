import GhostTestSupport
import Glibc
import StoreBasics
import TestBasics

@testable import ghoststorectl

extension Control {
    /// Runs the program's `main` code in this process, with a file that contains `input` as its standard input.
    ///
    /// - Parameter environment: Variables in addition to the minimal environment of `Program.run`. With `TZ`, the
    ///   command runs in a new process instead, because the C library reads `TZ` from the environment of the process.
    static func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        guard environment["TZ"] == nil else {
            return try await Program.run(path, arguments, input: input, environment: environment)
        }
        let folder = try TemporaryDirectory()
        let file = try OpenFile(try folder.write(input, to: "in"), O_RDONLY)
        return try await run(arguments, reading: file, environment: environment)
    }

    /// Runs the program's `main` code in this process, with the open file `input` as its standard input.
    static func run(
        _ arguments: [String], reading input: OpenFile, environment: [String: String]
    ) async throws -> ProgramResult {
        let folder = try TemporaryDirectory()
        // `ChildProcess` also opens the output files of a started program with O_APPEND.
        let flags = O_WRONLY | O_CREAT | O_APPEND
        let (output, errors) = (try OpenFile(folder.file("out"), flags), try OpenFile(folder.file("err"), flags))
        defer { withExtendedLifetime((input, output, errors)) {} }
        let run = ProgramRun(
            input: input.descriptor, output: output.descriptor, errors: errors.descriptor,
            environment: ChildEnvironment.minimal(adding: environment))
        let status = try await ProgramRun.$current.withValue(run) { try await exitStatus(of: arguments) }
        return ProgramResult(
            status: .exited(status.rawValue), output: folder.read("out"), errorOutput: folder.read("err"))
    }

    /// - Throws: an error if the command exceeds the time limit for programs.
    private static func exitStatus(of arguments: [String]) async throws -> ghoststorectl.ExitStatus {
        let command = Task { await EntryPoint.run(arguments) }
        let limit = Task {
            try await Task.sleep(for: .seconds(60))
            command.cancel()
        }
        let status = await command.value
        limit.cancel()
        guard !command.isCancelled else { throw TestSupportError("not within 60 seconds: \(arguments)") }
        return status
    }

    /// Runs a command with the open file `input` as its standard input, and returns its result, whatever its exit
    /// status is.
    func run(_ arguments: [String], reading input: OpenFile) async throws -> ProgramResult {
        try await Control.run(arguments, reading: input, environment: ["GHOSTSTORE_SOCKET": socketPath])
    }
}

/// A descriptor that is closed when the object is released.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws {
        descriptor = try withoutInterruption { open(path, flags | O_CLOEXEC, 0o600) }
    }

    /// Opens a pipe whose writing end is already closed, so that reads return no bytes.
    init() throws {
        var ends: [Int32] = [-1, -1]
        try withoutInterruption { pipe(&ends) }
        close(ends[1])
        descriptor = ends[0]
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }
}
