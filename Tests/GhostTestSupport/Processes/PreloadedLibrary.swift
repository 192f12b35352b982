import TestBasics

/// A library of Tests/FaultLibrary that a program is started with (LD_PRELOAD), compiled once for all tests.
package enum PreloadedLibrary: String {
    /// Fails a call of one function.
    case faults
    /// Records what is done to files.
    case writes
    /// Moves the wall clock.
    case clock

    private struct Built {
        let directory: TemporaryDirectory
        let path: String
    }

    private static let builtFaults = Task { try await build(.faults) }
    private static let builtWrites = Task { try await build(.writes) }
    private static let builtClock = Task { try await build(.clock) }

    private static func build(_ library: PreloadedLibrary) async throws -> Built {
        let directory = try TemporaryDirectory()
        let path = directory.file("\(library.rawValue).so")
        let source = BuiltPrograms.packageDirectory + "/Tests/FaultLibrary/\(library.rawValue).c"
        // Swift's own toolchain has clang.
        let result = try await Program.shell(
            "$(command -v cc || command -v clang) -shared -fPIC -O1 -o '\(path)' '\(source)' -ldl")
        guard result.exitCode == 0 else { throw TestSupportError("\(source) was not compiled: \(result.errorOutput)") }
        return Built(directory: directory, path: path)
    }

    package var path: String {
        get async throws {
            switch self {
            case .faults: try await Self.builtFaults.value.path
            case .writes: try await Self.builtWrites.value.path
            case .clock: try await Self.builtClock.value.path
            }
        }
    }
}
