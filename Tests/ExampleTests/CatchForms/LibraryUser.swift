import FoundationEssentials
import GhostTestSupport
import TestBasics

/// Compiles source code against the built modules of this package's libraries, as a program outside this repository
/// would.
struct LibraryUser {
    private let arguments: [String]
    /// True if the macros are built. The build of `make test` does not contain them.
    let hasMacros: Bool

    init() throws {
        let build = try BuiltPrograms.path("ghoststored").split(separator: "/").dropLast().joined(separator: "/")
        let modules = ["/\(build)/Modules-tool", "/\(build)/Modules"].first {
            FileManager.default.fileExists(atPath: "\($0)/AppendLog.swiftmodule")
        }
        guard let modules else { throw TestSupportError("AppendLog is not built: looked in /\(build)") }
        let plugin = "/\(build)/SceneStorageMacrosPlugin-tool"
        hasMacros = FileManager.default.fileExists(atPath: plugin)
        let macros = hasMacros ? ["-load-plugin-executable", "\(plugin)#SceneStorageMacrosPlugin"] : []
        arguments = ["-I", modules] + macros + (try Self.moduleMaps(build: "/\(build)"))
    }

    /// Compiles `source` and returns the compiler's messages, which are empty if it found nothing to report. Functions
    /// are compiled as in a debug build, and the compiler verifies its intermediate code after every step.
    func compile(_ source: String) async throws -> (isCompiled: Bool, said: String) {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array(source.utf8), to: "Source.swift")
        let options = [
            "swiftc", "-c", "-Onone", "-parse-as-library", "-swift-version", "6", "-Xfrontend", "-sil-verify-all", path,
            "-o", directory.file("Source.o"),
        ]
        let result = try await Program.run("/usr/bin/env", options + arguments)
        return (result.exitCode == 0, result.errorOutput)
    }

    /// Returns the module maps of the C targets that the libraries depend on. Some are written by the build, others are
    /// part of the checked-out sources.
    private static func moduleMaps(build: String) throws -> [String] {
        let written = try folders(of: build).filter { $0.hasSuffix(".build") }
        let checkouts = "\(build)/../../checkouts"
        let shipped = try folders(of: checkouts).flatMap { package in
            try folders(of: "\(package)/Sources").map { "\($0)/include" }
        }
        var isMapped: Set<String> = []
        return (written + shipped).flatMap { folder -> [String] in
            let map = "\(folder)/module.modulemap"
            let module = String(folder.split(separator: "/").dropLast(folder.hasSuffix("/include") ? 1 : 0).last ?? "")
            guard FileManager.default.fileExists(atPath: map),
                isMapped.insert(module.replacing("-tool", with: "").replacing(".build", with: "")).inserted
            else { return [] }
            return ["-Xcc", "-fmodule-map-file=\(map)"]
        } + shipped.flatMap { ["-Xcc", "-I\($0)"] }
    }

    private static func folders(of path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { "\(path)/\($0)" }
    }
}
