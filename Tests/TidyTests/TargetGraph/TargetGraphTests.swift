import Testing

@Suite struct TargetGraphTests {
    @Test func `every target of both packages has only dependencies that the design allows`() throws {
        let targets = try PackageManifest.declaredInRepository()
        for (target, declared) in targets where !target.hasSuffix("Tests") {
            let allowed = try #require(TargetGraphLaw.dependencies[target], "\(target) is not in the design")
            let excess = declared.subtracting(allowed).sorted()
            #expect(excess.isEmpty, "\(target) declares \(excess)")
        }
        #expect(targets["StoreServer"]?.contains("NIOCore") == true)
        #expect(targets["ghoststored"]?.contains("Configuration") == true)
        #expect(targets["ghoststore-bench"]?.isSuperset(of: ["Histogram", "StoreProtocol"]) == true)
        #expect(targets["StoreEngineTests"]?.contains("StoreEngine") == true)
    }

    @Test func `every import of a source file is a dependency its target declares`() throws {
        let targets = try PackageManifest.declaredInRepository()
        let findings = try Repository.sources().flatMap { source in
            ImportRule.findings(source, declared: targets[source.target] ?? [])
        }
        expectNone(findings)
    }

    @Test func `a program that uses only the client resolves only the packages of the client`() throws {
        let manifest = try Repository.text("Package.swift")
        let products = manifest.matches(of: /\.product\(\s*name: "\w+", package: "([\w-]+)"(, condition: for\w+)?\)/)
        let unconditional = Set(products.filter { $0.2 == nil }.map { String($0.1) })
        #expect(unconditional == ["swift-nio", "swift-protobuf", "swift-log"])
        #expect(products.count == manifest.matches(of: /\.product\(/).count)
    }

    @Test func `NIO, protobuf, SQLCipher, libsodium and libnats stay where the design puts them`() {
        func users(_ module: String) -> Set<String> {
            Set(TargetGraphLaw.dependencies.filter { $0.value.contains(module) }.keys)
                .subtracting(["store-fuzzer", "disk-simulator", "CarriedColumns"])
        }
        #expect(users("NIOCore") == ["StoreServer", "StoreClient"])
        #expect(users("NIOPosix") == ["StoreServer", "StoreClient"])
        #expect(users("SwiftProtobuf") == ["StoreProtocol", "StoreServer", "StoreClient"])
        #expect(users("CSQLCipher") == ["SQLCipher"])
        #expect(users("CSodium") == ["StoreCrypto"])
        #expect(users("CNats") == ["ReplicaTransport"])
        #expect(users("SQLCipher") == ["StoreEngine"])
        #expect(users("StoreEngine") == ["StoreServer", "ghoststored"])
    }

    @Test func `only the macros and their tests use swift-syntax`() throws {
        let declared = PackageManifest(text: try Repository.text("Package.swift")).declared
        func users(_ module: String) -> Set<String> {
            Set(declared.filter { $0.value.contains(module) }.keys)
        }
        #expect(users("SwiftSyntax") == ["SceneStorageMacrosPlugin", "SceneStorageMacrosTests"])
        #expect(users("SceneStorageMacrosPlugin") == ["SceneStorageMacros", "SceneStorageMacrosTests"])
        #expect(users("SceneStorageMacros") == ["SceneStorageMacrosTests"])
    }

    @Test func `tests use Swift Testing, not XCTest`() throws {
        let findings = try Repository.tests().flatMap { source in
            source.imports.filter { $0.module == "XCTest" }
                .map { Finding(path: source.path, line: $0.line, message: "imports XCTest") }
        }
        expectNone(findings)
    }

    @Test(arguments: wrongImports) func `a wrong import is found`(_ example: WrongImport) {
        let source = SwiftSource(path: "Sources/\(example.target)/Bad.swift", text: example.line)
        #expect(ImportRule.findings(source, declared: example.declared).count == 1)
    }

    @Test func `an import inside a comment or a string is not one`() {
        let source = SwiftSource(
            path: "Sources/StoreEngine/Good.swift", text: "// import NIOCore\nlet a = \"\"\"\nimport NIOCore\n\"\"\"\n")
        #expect(ImportRule.findings(source, declared: []).isEmpty)
    }

    @Test func `dependencies are read from a manifest`() {
        let manifest = PackageManifest(
            text: """
                let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
                let nio: [Target.Dependency] = [
                    .product(name: "NIOCore", package: "swift-nio"),
                ]
                .target(name: "StoreEngine", dependencies: nio + ["SQLCipher", logging], swiftSettings: strict),
                test("OneTests", ["StoreEngine"]),
                """)
        #expect(manifest.declared["StoreEngine"] == ["NIOCore", "SQLCipher", "Logging"])
        #expect(manifest.declared["OneTests"] == ["StoreEngine"])
    }

    struct WrongImport: Sendable, CustomTestStringConvertible {
        var target: String
        var line: String
        var declared: Set<String> = []
        var testDescription: String { "\(target): \(line)" }
    }

    static let wrongImports = [
        WrongImport(target: "StoreEngine", line: "import NIOCore"),
        WrongImport(target: "StoreEngine", line: "@preconcurrency internal import NIOPosix"),
        WrongImport(target: "StoreServer", line: "import struct CSQLCipher.sqlite3"),
        WrongImport(target: "ghoststored", line: "import Foundation"),
        WrongImport(target: "StoreClient", line: "public import NIOCore", declared: ["NIOCore"]),
        WrongImport(target: "StoreServer", line: "@_exported import StoreEngine", declared: ["StoreEngine"]),
        WrongImport(target: "ghoststorectl", line: "import StoreProtocol", declared: ["StoreClient"]),
    ]
}
