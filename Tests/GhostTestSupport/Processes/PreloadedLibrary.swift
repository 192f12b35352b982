import TestBasics

/// A library of Tests/FaultLibrary that is loaded into a program with LD_PRELOAD. It is compiled once for all tests.
package enum PreloadedLibrary: String {
    /// A library that lets one call of a chosen function fail.
    case faults
    /// A library that records writes to files.
    case writes
    /// A library that shifts the wall clock.
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
        // The fallback is clang, which is part of Swift's toolchain.
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
