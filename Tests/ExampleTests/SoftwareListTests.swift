import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Tests the list of third-party software that `make sbom` writes, and the versions in Package.swift.
@Suite struct SoftwareListTests {
    private struct Document: Decodable {
        struct Package: Decodable {
            let SPDXID: String
            let name: String
            let versionInfo: String
        }

        struct Relationship: Decodable {
            let spdxElementId: String
            let relatedSpdxElement: String
        }

        let spdxVersion: String
        let packages: [Package]
        let relationships: [Relationship]
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable {
                let version: String
            }

            let identity: String
            let state: State
        }

        let pins: [Pin]
    }

    private static func text(_ path: String) throws -> String {
        let data = FileManager.default.contents(atPath: "\(BuiltPrograms.packageDirectory)/\(path)")
        return String(decoding: try #require(data), as: UTF8.self)
    }

    private static func pins() throws -> [Resolved.Pin] {
        try JSONDecoder().decode(Resolved.self, from: Data(text("Package.resolved").utf8)).pins
    }

    @Test func `the list has every linked package, the runtime and the libraries exactly once`() async throws {
        let place = try TemporaryDirectory()
        let daemon = try BuiltPrograms.path("ghoststored")
        let made = try await Program.run(
            "\(BuiltPrograms.packageDirectory)/scripts/make-sbom",
            [String(daemon.prefix(upTo: daemon.lastIndex(of: "/") ?? daemon.endIndex)), place.file("list.json")])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let list = try JSONDecoder().decode(Document.self, from: Data(place.read("list.json").utf8))
        #expect(list.spdxVersion == "SPDX-2.3")
        let versions = Dictionary(list.packages.map { ($0.name, $0.versionInfo) }) { first, _ in first }
        let pins = try Self.pins()
        #expect(pins.count > 10)
        for pin in pins {
            #expect(versions[pin.identity] == pin.state.version, "\(pin.identity)")
        }
        for name in ["ghoststore", "swift", "libsodium23", "libc6"] {
            #expect(versions[name]?.isEmpty == false, "\(name)")
        }
        for library in ["libsqlcipher", "libnats"] {
            #expect(versions.keys.contains { $0.hasPrefix(library) }, "\(library)")
        }
        let ids = Set(list.packages.map(\.SPDXID))
        #expect(ids.count == list.packages.count)
        let named = list.relationships.flatMap { [$0.spdxElementId, $0.relatedSpdxElement] }
        #expect(Set(named) == ids.union(["SPDXRef-DOCUMENT"]))
    }

    @Test func `the manifest names exactly the resolved versions`() throws {
        // The rest of the manifest is left out, because it contains packages that only `make docs` resolves.
        let manifest = try Self.text("Package.swift").split(separator: "// `make docs` alone")[0]
        let stated = manifest.matches(of: /url: "[^"]*\/([a-z-]+)", tested\("([^"]+)"\)/)
            .map { (String($0.1), String($0.2)) }
        let resolved = try Self.pins().map { ($0.identity, $0.state.version) }
        #expect(Dictionary(stated) { first, _ in first } == Dictionary(resolved) { first, _ in first })
        #expect(stated.count > 10)
    }
}
