import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Checks that scripts do not change the machine, and that the checks inside them can fail.
@Suite struct ScriptTests {
    private static func text(_ path: String) throws -> String {
        let data = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)")
        return String(decoding: try #require(data), as: UTF8.self)
    }

    private static let guest = "\(BuiltPrograms.packageDirectory)/scripts/check-boot-guest"

    /// A restricted shell without programs can neither write a file nor start a program.
    @Test func `the guest of check-boot does nothing outside of its virtual machine`() async throws {
        let nothing = try TemporaryDirectory()
        let result = try await Program.run("/bin/bash", ["-r", Self.guest], environment: ["PATH": nothing.path])
        let lines = result.errorOutput.split(separator: "\n")
        #expect(result.exitCode == 1 && result.output.isEmpty && lines.count == 1, "\(result)")
        #expect(lines.last?.contains("scripts/check-boot runs it") == true, "\(result.errorOutput)")
        let marker = try #require(try Self.text("scripts/check-boot-guest").firstMatch(of: /marker=(\S+)/)).1
        #expect(try Self.text("scripts/check-boot").contains("\"$1\(marker)\""))
    }

    /// The output of scripts/build-previous stays on disk, and the version that it was built from may no longer be the
    /// previous one.
    @Test func `an upgrade is checked only from an earlier version`() async throws {
        let place = try TemporaryDirectory()
        let script = """
            set -e; cd '\(place.path)'; mkdir -p new/DEBIAN old/DEBIAN debs before
            fields='Package: p\nArchitecture: all\nMaintainer: nobody\nDescription: none\n'
            printf "$fields"'Version: 1.2~1\n' >new/DEBIAN/control; printf "$fields"'Version: 1.2\n' >old/DEBIAN/control
            dpkg-deb --build new debs >&2; dpkg-deb --build old before >&2
            DEB=$PWD/debs PREVIOUS_DEB=$PWD/before '\(BuiltPrograms.packageDirectory)/scripts/check-boot'
            """
        let result = try await Program.run("/bin/bash", ["-c", script])
        #expect(result.exitCode == 1, "\(result)")
        #expect(
            result.errorOutput.hasSuffix("/before are 1.2, no earlier version; hint: remove the folder\n"),
            "\(result.errorOutput)")
    }

    static let verdicts: [(check: String, passes: Bool)] = [
        ("lacks d secret echo public", true), ("lacks d secret echo the secret", false),
        ("lacks d secret false", false), ("lacks d secret true", false),
        ("lacks d secret sh -c 'echo public; exit 1'", false), ("lacks d secret no-such-program", false),
        ("between d 1 2 echo one", true), ("between d 1 2 printf '1\\n2\\n3\\n'", false), ("between d 1 2 true", false),
        ("between d 1 2 sh -c 'echo one; exit 1'", false), ("check d true", true), ("check d false", false),
        ("refused d 3 why sh -c 'echo why; exit 3'", true), ("refused d 3 why sh -c 'echo why; exit 4'", false),
        ("refused d 3 why sh -c 'exit 3'", false), ("refused d 3 why true", false),
    ]

    /// A check that something is absent must fail if the command that would show it fails.
    @Test func `a check of the guest passes only if its statement is true`() async throws {
        let place = try TemporaryDirectory()
        let script =
            "source '\(Self.guest)'; work='\(place.path)'\n" + Self.verdicts.map(\.check).joined(separator: "\n")
        let result = try await Program.run("/bin/bash", ["-c", script])
        let found = result.output.split(separator: "\n").compactMap { line -> Bool? in
            line.hasPrefix("ok ") ? true : line.hasPrefix("FAILED ") ? false : nil
        }
        #expect(found.count == Self.verdicts.count, "\(result)")
        for (verdict, passed) in zip(Self.verdicts, found) {
            #expect(passed == verdict.passes, "\(verdict.check)")
        }
        // A check does not notice that a command failed if the command is on the left side of a pipe or negated.
        let parts = ["check-boot-guest", "check-boot-packages", "check-boot-upgrade", "check-boot-group"]
        let text = try parts.map { try Self.text("scripts/\($0)") }.joined()
        for line in text.split(separator: "\n") where line.contains("bash -") && line.contains("check \"") {
            #expect(!line.contains("! "), "\(line)")
            #expect(!line.contains("|") || line.contains("pipefail"), "\(line)")
        }
    }

    /// Targets that sanitizers leave out. Their tests run separate programs, which are built without a sanitizer, or
    /// they test no code of this project at run time.
    private static let unsanitized: Set = [
        "CommandLineTests", "DaemonConfigurationTests", "ExampleTests", "IntegrationTests", "ReplicaTransportTests",
        "SceneStorageMacrosTests", "TidyTests",
    ]

    @Test func `every test target runs under the sanitizers or is listed as left out`() throws {
        let sanitized = try #require(try Self.text("scripts/sanitize").firstMatch(of: /TARGETS=\(([^)]*)\)/)).1
        let targets = try Self.text("Package.swift").matches(of: /\b(?:test\(|testTarget\(\s*name: )\s*"(\w+)"/)
        #expect(targets.count > 15)
        #expect(
            Set(sanitized.split(whereSeparator: \.isWhitespace).map(String.init)).union(Self.unsanitized)
                == Set(targets.map { String($0.1) }))
    }

    @Test func `every test that the sanitizers leave out by name exists`() throws {
        let list = try #require(try Self.text("scripts/sanitize").firstMatch(of: /LEFT_OUT=\(\n([^)]*)\n\)/)).1
        let names = list.matches(of: /"([^"]+)"/).map { String($0.1) }
        #expect(names.count == list.split(separator: "\n").count { !$0.contains("#") })
        let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(BuiltPrograms.packageDirectory)/Tests")
        var missing = Set(names)
        for path in paths where path.hasSuffix(".swift") {
            let text = try Self.text("Tests/\(path)")
            missing = missing.filter { !text.contains("func `\($0)`") }
        }
        #expect(missing == [])
    }
}
