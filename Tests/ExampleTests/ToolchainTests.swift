import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Tests scripts/fetch-swift, which scripts/check-containers runs, with a test site and test keys from
/// Tests/Fixtures/toolchain.
@Suite struct ToolchainTests {
    private static let fixtures = "\(BuiltPrograms.packageDirectory)/Tests/Fixtures/toolchain"
    /// The fingerprint of the key that made `expired-key.sig` before it expired.
    private static let key = "70CAB5B0E4B854613A2C91069C7210B204720B92"

    /// - Parameter change: a shell command that changes the toolchain after it was signed.
    private func fetch(
        _ place: TemporaryDirectory, signature: String, key: String = Self.key, change: String = "true",
        version: String = "1.2.3", platform: String = "test12.04"
    ) async throws -> ProgramResult {
        let script = """
            set -e; name=swift-\(version)-RELEASE; platform=\(platform)
            folder=$SITE/swift-\(version)-release/${platform//./}/$name; mkdir -p $folder
            file=$folder/$name-$platform.tar.gz
            cp '\(Self.fixtures)/toolchain.tar.gz' $file; cp '\(Self.fixtures)/\(signature)' $file.sig; \(change)
            '\(BuiltPrograms.packageDirectory)/scripts/fetch-swift' $platform '\(place.file("swift"))'
            """
        return try await Program.run(
            "/bin/bash", ["-c", script],
            environment: [
                "SITE": place.file("site"), "SWIFT_SITE": "file://\(place.file("site"))", "SWIFT_VERSION": version,
                "SWIFT_KEYS": "file://\(Self.fixtures)/keys.asc", "SWIFT_KEY": key,
            ])
    }

    @Test func `a toolchain is unpacked even if the key of its signature has expired since`() async throws {
        let place = try TemporaryDirectory()
        let result = try await fetch(place, signature: "expired-key.sig")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        #expect(try await Program.run(place.file("swift/usr/bin/swift")).output == "a toolchain\n")
    }

    @Test(arguments: [
        ("another-key.sig", "true"), ("expired-key.sig", "echo >>$file"), ("keys.asc", "true"),
    ]) func `an unsigned or changed toolchain is not unpacked`(signature: String, change: String) async throws {
        let place = try TemporaryDirectory()
        let result = try await fetch(place, signature: signature, change: change)
        #expect(result.exitCode == 1 && !place.exists("swift"), "\(result)")
        #expect(result.errorOutput.contains("is not signed by \(Self.key)"), "\(result.errorOutput)")
    }

    @Test(arguments: [("1.2.4", "test12.04"), ("1.2.3", "test13.04"), ("1.2", "test12.04"), ("1.2.3", "test12")])
    func `a signed toolchain of another version or platform is not unpacked`(
        version: String, platform: String
    ) async throws {
        let place = try TemporaryDirectory()
        let result = try await fetch(place, signature: "expired-key.sig", version: version, platform: platform)
        #expect(result.exitCode == 1 && !place.exists("swift"), "\(result)")
        #expect(
            result.errorOutput.contains(".tar.gz has in it what is not swift-\(version)-RELEASE-\(platform); hint: "),
            "\(result.errorOutput)")
    }

    @Test func `a toolchain is not unpacked without a signature, or if the key is unknown`() async throws {
        let place = try TemporaryDirectory()
        let key = "0000\(Self.key.dropFirst(4))"
        let result = try await fetch(place, signature: "expired-key.sig", key: key)
        #expect(result.exitCode == 1 && result.errorOutput.contains("is not signed by \(key)"), "\(result)")
        #expect(try await fetch(place, signature: "expired-key.sig", change: "rm $file.sig").exitCode != 0)
        #expect(!place.exists("swift"))
    }
}
