import Foundation
import Testing

@Suite struct LinkageTests {
    @Test func `the daemon uses nothing of full Foundation, which would cost it 15 MB`() throws {
        let daemon = ".build-tests/release/ghoststored"
        try #require(Repository.exists(daemon), "\(daemon) is not built; hint: make test-build")
        let names = SymbolNames.read(try Data(contentsOf: Repository.root.appending(path: daemon)))
        #expect(names.contains { $0.hasPrefix("$s20FoundationEssentials") }, "the check reads the wrong table")
        #expect(names.filter(Self.isOfFullFoundation) == [])
    }

    @Test func `the test process itself, which uses Foundation, would be found`() throws {
        let names = SymbolNames.read(try Data(contentsOf: URL(filePath: "/proc/self/exe")))
        // Depending on its version, Swift runs a test bundle as a program or loads it into a helper process. So the
        // symbols of both files are read.
        let bundle = try Data(contentsOf: URL(filePath: CommandLine.arguments[0]))
        let own = names + SymbolNames.read(bundle)
        #expect(own.contains(where: Self.isOfFullFoundation))
    }

    @Test func `symbols of full Foundation and of FoundationEssentials are distinguished`() {
        #expect(Self.isOfFullFoundation("$s10Foundation7ProcessC3runyyKF"))
        #expect(!Self.isOfFullFoundation("$s20FoundationEssentials4DataV5countSivg"))
    }

    /// Checks that no program changes its environment before it has read its arguments. A statically linked program
    /// finds its arguments in memory next to the environment. Setting a variable moves the environment, after which a
    /// release build finds no arguments. A command that accepts sockets from the service manager has already read its
    /// arguments.
    @Test func `a program changes its environment only after it has read its arguments`() throws {
        let allowed: Set = [
            "Sources/StoreBasics/System/ProgramArguments.swift",
            "Sources/StoreServer/Systemd/SocketActivation.swift",
            "Benchmarks/Sources/ghoststore-bench/Hostile/HostileCommand.swift",
        ]
        let paths = try ["Sources", "Benchmarks/Sources"].flatMap { folder in
            try [".swift", ".c", ".h"].flatMap { try Repository.files(below: folder, suffix: $0) }
        }
        let changing = try paths.filter { path in
            guard !path.contains("/Generated/") else { return false }
            let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
            return text.contains(#/\b(setenv|putenv|unsetenv|clearenv)\(/#)
        }
        #expect(Set(changing) == allowed)
    }

    private static func isOfFullFoundation(_ name: String) -> Bool {
        name.hasPrefix("$s10Foundation") || name.hasPrefix("$sSo") && name.contains("10Foundation")
    }
}
