// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// The compiler settings of every target: Swift 6 mode, warnings as errors, and imports that must be declared
/// (`InternalImportsByDefault`, `MemberImportVisibility`). The last two make sure that the target graph stays as
/// docs/ARCHITECTURE.md describes it.
let checked: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// True in the build of scripts/build-tests, which is not optimized.
let isBuiltForTests = Context.environment["TEST_TIER"] != nil

/// The build for tests compiles each target file by file, so that a change recompiles only the files that depend on it.
let strict =
    checked
    + (isBuiltForTests
        ? [.unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"])] : [])

/// Settings for targets that compute much: they are optimized in the build for tests too. This frontend option
/// overrides the build's `-Onone`.
let optimized: [SwiftSetting] = isBuiltForTests ? [.unsafeFlags(["-Xfrontend", "-O"])] : []

/// Settings for small targets that compute much and change rarely: each is optimized as a whole in the build for tests.
let computing = checked + optimized

/// Resolves all symbols at start and makes the GOT read-only (`-z now`), which hardens programs that parse hostile
/// bytes.
let hardenedLink: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

/// The folder in which scripts/install creates a link to SQLCipher under the name of Debian 12, and in which the
/// package of ghoststore-sync installs its libnats. With this run path, a build from Debian 12 also runs on Debian 13.
let installedLibraries: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-rpath=/usr/lib/ghoststore"])]

/// True in the build of `make fuzz-long`.
let isFuzzed = Context.environment["GHOSTSTORE_FUZZER"] != nil

/// The fuzzer uses the allocator of the address sanitizer, so the C code must be compiled for it.
let fuzzedC: [CSetting] = isFuzzed ? [.unsafeFlags(["-fsanitize=address"])] : []

/// Declares a program. For the fuzzer, which has its own `main` and calls into programs, the target is a library
/// instead.
func program(_ name: String, _ dependencies: [Target.Dependency], link: [LinkerSetting] = []) -> Target {
    guard isFuzzed else {
        return .executableTarget(
            name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: hardenedLink + link)
    }
    let renamedMain = ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "main_of_\(name.filter(\.isLetter))"]
    return .target(name: name, dependencies: dependencies, swiftSettings: strict + [.unsafeFlags(renamedMain)])
}

/// Conditions for dependencies that only some targets need. An application that depends on this package with `traits:
/// []` or `traits: ["Macros"]` does not even resolve the packages that it does not need.
let forPrograms: TargetDependencyCondition? = .when(traits: ["Programs"])
let forMacros: TargetDependencyCondition? = .when(traits: ["Macros"])

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let swiftSyntax: [Target.Dependency] = [
    .product(name: "SwiftSyntax", package: "swift-syntax", condition: forMacros),
    .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: forMacros),
    .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: forMacros),
    .product(name: "SwiftParser", package: "swift-syntax", condition: forMacros),
    .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: forMacros),
    .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: forMacros),
]
let argumentParser: Target.Dependency =
    .product(name: "ArgumentParser", package: "swift-argument-parser", condition: forPrograms)
let lifecycle: Target.Dependency =
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: forPrograms)

/// Dependencies of the packages below. No code of this project imports them. They are declared only to fix their
/// versions, and a test target depends on them because the package manager warns about unused dependencies.
let neededByOthers: [Target.Dependency] = [
    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: forPrograms),
    .product(name: "Atomics", package: "swift-atomics", condition: forPrograms),
    .product(name: "SystemPackage", package: "swift-system", condition: forPrograms),
]

/// True if an application uses this package by its URL or from libghoststore-swift-dev. Then newer versions of the
/// dependencies are allowed.
let isOfAnApplication =
    Context.packageDirectory.contains("/checkouts/") || Context.packageDirectory.hasPrefix("/usr/share/")

/// Returns a range that contains only the version with which everything is built and tested, so that a build is
/// reproducible. For an application, the range also contains all later versions before the next major one.
func tested(_ version: Version) -> Range<Version> {
    let nextPatch = Version(version.major, version.minor, version.patch + 1)
    return version..<(isOfAnApplication ? Version(version.major + 1, 0, 0) : nextPatch)
}

/// The folders with their own README.md, in addition to the README.md of their target.
let documentedFolders: [String: [String]] = [
    "StoreEngine": [
        "Core", "Durability", "Terms", "Vault", "Areas", "Search", "Schema", "Archives", "Transfers", "Replication",
        "Idempotency", "Backups", "Maintenance", "Engine",
    ],
    "StoreServer": ["Connection", "Harness", "Watch"],
    "StoreClient": ["Connection", "Watching"],
    "ghoststorectl": ["Output", "Shell"],
]

let package = Package(
    name: "ghoststore",
    products: [
        .executable(name: "ghoststored", targets: ["ghoststored"]),
        .executable(name: "ghoststorectl", targets: ["ghoststorectl"]),
        .executable(name: "ghoststore-sync", targets: ["ghoststore-sync"]),
        .library(name: "StoreClient", targets: ["StoreClient"]),
        .library(name: "StoreClientTesting", targets: ["StoreClientTesting"]),
        .library(name: "ConversationStorage", targets: ["ConversationStorage"]),
        .library(name: "AppendLog", targets: ["AppendLog"]),
        .library(name: "BlobStorage", targets: ["BlobStorage"]),
        .library(name: "FileVault", targets: ["FileVault"]),
        .library(name: "SceneStorage", targets: ["SceneStorage"]),
        .library(name: "SceneStorageMacros", targets: ["SceneStorageMacros", "SceneStorage"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs", "Macros"]),
        .trait(name: "Programs", description: "The daemon, ghoststorectl, ghoststore-sync, and all tests."),
        .trait(name: "Macros", description: "The library SceneStorageMacros."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", tested("2.101.2")),
        .package(url: "https://github.com/apple/swift-protobuf", tested("1.39.0")),
        .package(url: "https://github.com/apple/swift-log", tested("1.16.2")),
        .package(url: "https://github.com/apple/swift-collections", tested("1.6.0")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", tested("2.13.0")),
        .package(url: "https://github.com/apple/swift-argument-parser", tested("1.8.2")),
        .package(
            url: "https://github.com/apple/swift-configuration", tested("1.4.0"), traits: ["CommandLineArguments"]),
        .package(url: "https://github.com/swiftlang/swift-syntax", tested("603.0.1")),
        .package(url: "https://github.com/apple/swift-async-algorithms", tested("1.1.4")),
        .package(url: "https://github.com/apple/swift-atomics", tested("1.3.0")),
        .package(url: "https://github.com/apple/swift-system", tested("1.8.1")),
    ],
    targets: [
        // System libraries, and C code that offers what Swift cannot do.
        .systemLibrary(
            name: "CSQLCipher", pkgConfig: "sqlcipher", providers: [.apt(["libsqlcipher-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .target(name: "CLinuxShims"),
        .target(name: "CWipedMemory", cSettings: fuzzedC),

        // The basics, on which every other target may depend. This target depends on none.
        .target(name: "StoreBasics", swiftSettings: computing),

        // File formats that other programs read and write too. This code does no I/O.
        .target(name: "Interchange", dependencies: ["StoreBasics"], swiftSettings: computing),

        // Reads configuration files as entries with their line numbers.
        .target(name: "YAMLReading", dependencies: ["CYAML", "StoreBasics"], swiftSettings: strict),

        // The records that stores of a replica group exchange, and the rules for merging them. This code does no I/O.
        .target(name: "ReplicaModel", dependencies: ["StoreBasics"], swiftSettings: computing),

        // The store, from single database pages up to the engine.
        .target(name: "SQLCipher", dependencies: ["CSQLCipher", "StoreBasics"], swiftSettings: computing),
        .target(
            name: "StoreCrypto", dependencies: ["CSodium", "ReplicaModel", "Interchange", "StoreBasics"],
            swiftSettings: computing),
        .target(
            name: "StoreEngine",
            dependencies: [
                "StoreCrypto", "SQLCipher", "ReplicaModel", "Interchange", "StoreBasics", "CLinuxShims", logging,
                .product(name: "DequeModule", package: "swift-collections", condition: forPrograms),
                .product(name: "HeapModule", package: "swift-collections", condition: forPrograms),
            ],
            swiftSettings: strict + optimized),

        // The stream of a replica group: sealed messages on NATS servers that other people may run.
        .target(name: "ReplicaTransport", dependencies: ["CNats", "StoreBasics"], swiftSettings: strict),

        // Support for services: logging, and status messages to the service manager.
        .target(
            name: "ServiceSupport", dependencies: ["StoreBasics", logging, lifecycle], swiftSettings: strict),

        // The protocol, and the daemon that serves it.
        .target(name: "StoreProtocol", dependencies: ["StoreBasics", protobuf], swiftSettings: strict),
        .target(
            name: "StoreServer",
            dependencies: nio + [
                "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "StoreBasics", "CLinuxShims", protobuf,
                logging, lifecycle,
                .product(name: "DequeModule", package: "swift-collections", condition: forPrograms),
            ],
            swiftSettings: strict),
        program(
            "ghoststored",
            [
                "StoreServer", "StoreEngine", "StoreCrypto", "StoreBasics", "ServiceSupport", "CLinuxShims",
                "CWipedMemory", "YAMLReading", logging, lifecycle, argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: forPrograms),
                .product(name: "Configuration", package: "swift-configuration", condition: forPrograms),
            ], link: installedLibraries),

        // Libraries for applications, and the programs that people run.
        .target(
            name: "StoreClient", dependencies: nio + ["StoreProtocol", "StoreBasics", protobuf, logging],
            swiftSettings: strict),
        .target(name: "StoreClientTesting", dependencies: ["StoreClient", "StoreBasics"], swiftSettings: strict),
        .target(name: "ConversationStorage", dependencies: ["StoreClient", "StoreBasics"], swiftSettings: strict),
        .target(
            name: "AppendLog", dependencies: ["StoreClient", "Interchange", "StoreBasics"], swiftSettings: strict),
        .target(
            name: "BlobStorage", dependencies: ["StoreClient", "Interchange", "StoreBasics"], swiftSettings: strict),
        .target(name: "FileVault", dependencies: ["StoreClient", "StoreBasics"], swiftSettings: strict),
        .target(name: "SceneStorage", dependencies: ["StoreClient", "StoreBasics"], swiftSettings: strict),
        // The macros are a separate target, so that only they and their tests compile swift-syntax.
        .macro(name: "SceneStorageMacrosPlugin", dependencies: swiftSyntax, swiftSettings: strict),
        .target(
            name: "SceneStorageMacros", dependencies: ["SceneStorage", "SceneStorageMacrosPlugin"],
            swiftSettings: strict),
        program(
            "ghoststorectl",
            ["AppendLog", "StoreClient", "Interchange", "StoreBasics", "YAMLReading", "CLinuxShims", argumentParser]),
        // The agent, which carries messages of a replica group between the daemon and the network.
        program(
            "ghoststore-sync",
            [
                "ReplicaTransport", "ReplicaModel", "ServiceSupport", "StoreClient", "YAMLReading", "StoreBasics",
                logging,
                lifecycle, argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: forPrograms),
            ], link: installedLibraries),

        // Tests. Any test may depend on TestBasics. GhostTestSupport starts the built programs, and CarriedColumns
        // compares stores column by column. Only tests import these targets. recovery-code-probe is a separate process
        // whose memory a test searches.
        .target(name: "TestBasics", dependencies: ["StoreBasics"], path: "Tests/TestBasics", swiftSettings: computing),
        .target(
            name: "GhostTestSupport", dependencies: ["StoreClient", "StoreBasics", "TestBasics"],
            path: "Tests/GhostTestSupport", swiftSettings: strict),
        .target(
            name: "CarriedColumns",
            dependencies: ["StoreEngine", "StoreCrypto", "SQLCipher", "StoreBasics", "TestBasics", logging],
            path: "Tests/CarriedColumns", swiftSettings: strict),
        .executableTarget(
            name: "recovery-code-probe", dependencies: ["StoreClient"], path: "Tests/RecoveryCodeProbe",
            swiftSettings: strict),
        // The examples. Each also has its own package with the same sources.
        .executableTarget(
            name: "chat-example", dependencies: ["StoreClient"], path: "Examples/chat/Sources/chat",
            swiftSettings: strict),
        .executableTarget(
            name: "talk-example", dependencies: ["StoreClient"], path: "Examples/tutorial/Sources/talk",
            swiftSettings: strict),
        .target(name: "CSimulatedDisk", path: "Tests/SimulatedDisk"),
        .executableTarget(
            name: "disk-simulator",
            dependencies: ["StoreEngine", "StoreCrypto", "StoreBasics", "CSimulatedDisk", logging],
            path: "Tests/DiskSimulator", swiftSettings: strict,
            // Exports the program's symbols, so that libraries too call its replacements for system calls.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
        test("StoreBasicsTests", ["StoreBasics"]),
        test("InterchangeTests", ["Interchange", "StoreBasics"]),
        test("SQLCipherTests", ["SQLCipher", "StoreBasics"]),
        test("StoreCryptoTests", ["StoreCrypto", "CSodium", "ReplicaModel", "Interchange", "StoreBasics"]),
        test(
            "StoreEngineTests",
            [
                "StoreEngine", "StoreCrypto", "SQLCipher", "CSQLCipher", "ReplicaModel", "Interchange", "StoreBasics",
                "CarriedColumns", logging,
            ], exclude: ["Opening/schema-1.tar.gz"]),
        test("ReplicaModelTests", ["ReplicaModel", "StoreBasics"]),
        test(
            "ReplicaTransportTests",
            [
                "ghoststore-sync", "ReplicaTransport", "StoreClient", "StoreEngine", "StoreCrypto", "ReplicaModel",
                "CNats", "GhostTestSupport", "StoreBasics", logging, lifecycle,
            ]),
        test("StoreProtocolTests", ["StoreProtocol", "StoreBasics", protobuf]),
        test(
            "StoreServerTests",
            nio + [
                "StoreServer", "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "StoreBasics", protobuf,
                logging, lifecycle,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        test(
            "DaemonConfigurationTests",
            ["ghoststored", "StoreServer", "ServiceSupport", "StoreBasics", logging, lifecycle]),
        test(
            "StoreClientTests",
            nio + ["StoreClient", "StoreClientTesting", "StoreProtocol", "GhostTestSupport", "StoreBasics", protobuf]),
        test("ConversationStorageTests", ["ConversationStorage", "StoreClient", "GhostTestSupport", "StoreBasics"]),
        test("SceneStorageTests", ["SceneStorage", "StoreClient", "GhostTestSupport", "StoreBasics"]),
        test(
            "SceneStorageMacrosTests",
            [
                "SceneStorageMacros", "SceneStorageMacrosPlugin", "SceneStorage", "StoreClient", "GhostTestSupport",
                "StoreBasics",
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: forMacros),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax", condition: forMacros),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax", condition: forMacros),
            ]),
        test("AppendLogTests", ["AppendLog", "StoreClient", "Interchange", "GhostTestSupport", "StoreBasics"]),
        test("BlobStorageTests", ["BlobStorage", "StoreClient", "Interchange", "GhostTestSupport", "StoreBasics"]),
        test("FileVaultTests", ["FileVault", "StoreClient", "GhostTestSupport", "StoreBasics"]),
        test("IntegrationTests", ["StoreClient", "StoreProtocol", "GhostTestSupport", "StoreBasics", protobuf]),
        test(
            "CommandLineTests", ["StoreClient", "GhostTestSupport", "CarriedColumns", "StoreBasics", "ghoststorectl"]),
        test("ExampleTests", ["StoreClient", "StoreClientTesting", "GhostTestSupport", "StoreBasics"]),
        test(
            "FuzzTests",
            [
                "StoreServer", "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "Interchange",
                "StoreBasics",
                "ghoststored",
            ], exclude: ["Fuzzer.swift", "Findings", "Targets/JSONLinesTarget.swift"]),
        test("TidyTests", neededByOthers),
    ]
)

// A README.md in a folder of sources is documentation and not a resource of the target.
for target in package.targets where [.regular, .executable, .macro].contains(target.type) && target.path == nil {
    target.exclude += ["README.md"] + (documentedFolders[target.name] ?? []).map { $0 + "/README.md" }
}

func test(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestBasics"], exclude: exclude, swiftSettings: strict)
}

// `make fuzz-long` builds only the fuzz targets, as one program.
if isFuzzed {
    package.targets.removeAll { $0.type == .test || $0.name == "recovery-code-probe" }
    package.products.removeAll { $0 is Product.Executable }
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
        .executableTarget(
            name: "store-fuzzer",
            dependencies: [
                "StoreServer", "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "Interchange",
                "StoreBasics",
                "ghoststored", "ghoststorectl", "StoreClient", "CFuzzer",
            ], path: "Tests/FuzzTests", exclude: ["Findings", "FuzzSmokeTests.swift"],
            swiftSettings: strict + [.define("FUZZER")],
            // The default linker, gold, fails on code with sanitizer instrumentation.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    ]
}

// The package in Benchmarks uses this product. Applications do not get it, because the protocol's declarations are
// `package` and not public.
if !isOfAnApplication {
    package.products.append(.library(name: "_StoreProtocol", targets: ["StoreProtocol", "StoreBasics"]))
}

// `TESTS_ONLY=StoreEngineTests swift test` builds and runs one test target. Several are separated by commas.
let testsOnly = Context.environment["TESTS_ONLY"]?.split(separator: ",").map(String.init)
if let testsOnly {
    package.targets.removeAll { $0.type == .test && !testsOnly.contains($0.name) }
}

// `swift test` builds every target. swift-syntax takes minutes, and with a macro in the package all dependencies of the
// tests are compiled twice. Therefore only `make test-macros` builds the targets with macros.
if isBuiltForTests || testsOnly.map({ !$0.contains("SceneStorageMacrosTests") }) ?? false {
    package.targets.removeAll { $0.name.hasPrefix("SceneStorageMacros") }
    package.products.removeAll { $0.name == "SceneStorageMacros" }
}

// `make docs` alone needs this plugin. Other builds neither fetch nor resolve it.
if Context.environment["GHOSTSTORE_DOCS"] != nil {
    package.dependencies += [
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", tested("1.5.0")),
        .package(url: "https://github.com/swiftlang/swift-docc-symbolkit", tested("1.0.0")),
    ]
}
