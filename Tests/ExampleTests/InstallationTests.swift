import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// `make install` calls scripts/install.
@Suite struct InstallationTests {
    private func install(_ options: String, _ place: TemporaryDirectory) async throws {
        // Programs that can be stripped; what is in them does not matter.
        let script = """
            set -e; mkdir -p '\(place.path)/bin'
            for name in ghoststored ghoststorectl ghoststore-bench; do cp /bin/true "$BIN/$name"; done
            '\(BuiltPrograms.packageDirectory)/scripts/install' \(options)
            """
        let result = try await Program.run(
            "/bin/bash", ["-c", script],
            environment: ["DESTDIR": place.file("root"), "PREFIX": "/usr", "BIN": place.file("bin")])
        #expect(result.exitCode == 0, "\(result.errorOutput)")
    }

    private func programs(_ folder: String, _ place: TemporaryDirectory) -> [String] {
        let path = place.file("root/usr/\(folder)")
        return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    @Test func `the bench is installed where it is asked for and not into the path`() async throws {
        let place = try TemporaryDirectory()
        try await install("", place)
        #expect(programs("bin", place) == ["ghoststorectl", "ghoststored"])
        #expect(programs("libexec/ghoststore", place).isEmpty)
        try await install("--bench", place)
        #expect(programs("bin", place) == ["ghoststorectl", "ghoststored"])
        #expect(programs("libexec/ghoststore", place) == ["ghoststore-bench"])
        try await install("--uninstall", place)
        #expect(programs("bin", place).isEmpty && programs("libexec/ghoststore", place).isEmpty)
    }
}
