// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// Every target of ours is compiled the same way: Swift 6 mode, warnings as errors, and imports that must
/// be declared (`InternalImportsByDefault`, `MemberImportVisibility`) so that the target graph stays what
/// docs/ARCHITECTURE.md says.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Resolved symbols and a read-only GOT at start (`-z now`): hardening for programs that parse hostile bytes.
let hardenedLink: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let swiftSyntax: [Target.Dependency] = [
    .product(name: "SwiftSyntax", package: "swift-syntax"),
    .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
    .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
    .product(name: "SwiftParser", package: "swift-syntax"),
    .product(name: "SwiftDiagnostics", package: "swift-syntax"),
    .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
]
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
    name: "ghoststore",
    products: [
        .executable(name: "ghoststored", targets: ["ghoststored"]),
        .executable(name: "ghoststorectl", targets: ["ghoststorectl"]),
        .executable(name: "ghoststore-bench", targets: ["ghoststore-bench"]),
        .library(name: "StoreClient", targets: ["StoreClient"]),
        .library(name: "ConversationStorage", targets: ["ConversationStorage"]),
        .library(name: "AppendLog", targets: ["AppendLog"]),
        .library(name: "BlobStorage", targets: ["BlobStorage"]),
        .library(name: "SceneStorage", targets: ["SceneStorage"]),
        .library(name: "SceneStorageMacros", targets: ["SceneStorageMacros", "SceneStorage"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: ["CommandLineArguments"]),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        // System libraries and the C that Swift cannot see.
        .systemLibrary(
            name: "CSQLCipher", pkgConfig: "sqlcipher", providers: [.apt(["libsqlcipher-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .target(name: "CLinuxShims"),

        // File formats that others read and write too; pure, no I/O.
        .target(name: "Interchange", swiftSettings: strict),

        // The store, from the page up.
        .target(name: "SQLCipher", dependencies: ["CSQLCipher"], swiftSettings: strict),
        .target(name: "StoreCrypto", dependencies: ["CSodium", "Interchange"], swiftSettings: strict),
        .target(
            name: "StoreEngine",
            dependencies: [
                "StoreCrypto", "SQLCipher", "Interchange", logging,
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),

        // The wire, and the daemon on it.
        .target(name: "StoreProtocol", dependencies: [protobuf], swiftSettings: strict),
        .target(
            name: "StoreServer",
            dependencies: nio + [
                "StoreProtocol", "StoreEngine", "StoreCrypto", "CLinuxShims", protobuf, logging, lifecycle,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "ghoststored",
            dependencies: [
                "StoreServer", "StoreEngine", "StoreCrypto", "CLinuxShims", "CYAML", logging, lifecycle, argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict, linkerSettings: hardenedLink),

        // What applications link and people run.
        .target(name: "StoreClient", dependencies: nio + ["StoreProtocol", protobuf, logging], swiftSettings: strict),
        .target(name: "ConversationStorage", dependencies: ["StoreClient"], swiftSettings: strict),
        .target(name: "AppendLog", dependencies: ["StoreClient", "Interchange"], swiftSettings: strict),
        .target(name: "BlobStorage", dependencies: ["StoreClient", "Interchange"], swiftSettings: strict),
        .target(name: "SceneStorage", dependencies: ["StoreClient"], swiftSettings: strict),
        // Macros of their own, so that nothing but them and their tests compiles swift-syntax.
        .macro(name: "SceneStorageMacrosPlugin", dependencies: swiftSyntax, swiftSettings: strict),
        .target(
            name: "SceneStorageMacros", dependencies: ["SceneStorage", "SceneStorageMacrosPlugin"],
            swiftSettings: strict),
        .executableTarget(
            name: "ghoststorectl", dependencies: ["StoreClient", "Interchange", argumentParser], swiftSettings: strict,
            linkerSettings: hardenedLink),
        .executableTarget(
            name: "ghoststore-bench",
            dependencies: [
                "StoreClient", "CEpoll", argumentParser, .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: strict),

        // Tests. GhostTestSupport starts the built programs; nothing but tests imports it. The probe is one of them: a
        // process of its own whose memory is looked at.
        .target(
            name: "GhostTestSupport", dependencies: ["StoreClient"], path: "Tests/GhostTestSupport",
            swiftSettings: strict),
        .executableTarget(
            name: "recovery-code-probe", dependencies: ["StoreClient"], path: "Tests/RecoveryCodeProbe",
            swiftSettings: strict),
        test("InterchangeTests", ["Interchange"]),
        test("SQLCipherTests", ["SQLCipher"]),
        test("StoreCryptoTests", ["StoreCrypto", "Interchange"]),
        test("StoreEngineTests", ["StoreEngine", "StoreCrypto", "SQLCipher", "Interchange", logging]),
        test("StoreProtocolTests", ["StoreProtocol", protobuf]),
        test(
            "StoreServerTests",
            nio + [
                "StoreServer", "StoreProtocol", "StoreEngine", "StoreCrypto", protobuf, logging, lifecycle,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        test("DaemonConfigurationTests", ["ghoststored", "StoreServer", logging, lifecycle]),
        test("StoreClientTests", nio + ["StoreClient", "StoreProtocol", "GhostTestSupport", protobuf]),
        test("ConversationStorageTests", ["ConversationStorage", "StoreClient", "GhostTestSupport"]),
        test("SceneStorageTests", ["SceneStorage", "StoreClient", "GhostTestSupport"]),
        test(
            "SceneStorageMacrosTests",
            [
                "SceneStorageMacros", "SceneStorageMacrosPlugin", "SceneStorage", "StoreClient", "GhostTestSupport",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ]),
        test("AppendLogTests", ["AppendLog", "StoreClient", "Interchange", "GhostTestSupport"]),
        test("BlobStorageTests", ["BlobStorage", "StoreClient", "Interchange", "GhostTestSupport"]),
        test("IntegrationTests", ["StoreClient", "StoreProtocol", "GhostTestSupport", protobuf]),
        test("CommandLineTests", ["GhostTestSupport"]),
        test("ExampleTests", ["StoreClient", "GhostTestSupport"]),
        test("TidyTests", []),
    ]
)

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

// `TESTS_ONLY=StoreEngineTests swift test` builds and runs one test target: a short loop while working on it.
if let only = Context.environment["TESTS_ONLY"] {
    package.targets.removeAll { $0.type == .test && $0.name != only }
    // `swift test` builds every target, and swift-syntax takes minutes.
    if only != "SceneStorageMacrosTests" {
        package.targets.removeAll { $0.name.hasPrefix("SceneStorageMacros") }
        package.products.removeAll { $0.name == "SceneStorageMacros" }
    }
}
