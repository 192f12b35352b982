/// The modules that each target may import. The tests check Package.swift and every import line against this list. The
/// picture in docs/ARCHITECTURE.md shows the most important ones.
enum TargetGraphLaw {
    /// Modules that every target may import without declaring them: the standard library with its modules, and the C
    /// library.
    static let systemModules: Set<String> = ["Swift", "Glibc", "Synchronization", "Dispatch", "FoundationEssentials"]

    static let dependencies: [String: Set<String>] = [
        "CSQLCipher": [],
        "CSodium": [],
        "CYAML": [],
        "CNats": [],
        "CEpoll": [],
        "CLinuxShims": [],
        "CWipedMemory": [],
        "StoreBasics": [],
        "Interchange": ["StoreBasics"],
        "ReplicaModel": ["StoreBasics"],
        "YAMLReading": ["CYAML", "StoreBasics"],
        "ReplicaTransport": ["CNats", "StoreBasics"],
        "SQLCipher": ["CSQLCipher", "StoreBasics"],
        "StoreCrypto": ["CSodium", "ReplicaModel", "Interchange", "StoreBasics"],
        "StoreEngine": [
            "StoreCrypto", "SQLCipher", "ReplicaModel", "Interchange", "StoreBasics", "CLinuxShims", "Logging",
            "DequeModule", "HeapModule",
        ],
        "StoreProtocol": ["StoreBasics", "SwiftProtobuf"],
        "StoreServer": [
            "NIOCore", "NIOPosix", "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "StoreBasics",
            "CLinuxShims", "SwiftProtobuf", "Logging", "ServiceLifecycle", "DequeModule",
        ],
        "ServiceSupport": ["StoreBasics", "Logging", "ServiceLifecycle"],
        // The composition root, which also imports the modules that it puts together.
        "ghoststored": [
            "StoreServer", "StoreEngine", "StoreCrypto", "StoreBasics", "ServiceSupport", "CLinuxShims", "CWipedMemory",
            "YAMLReading", "Logging", "ServiceLifecycle", "UnixSignals", "ArgumentParser", "Configuration",
        ],
        "StoreClient": ["NIOCore", "NIOPosix", "StoreProtocol", "StoreBasics", "SwiftProtobuf", "Logging"],
        "StoreClientTesting": ["StoreClient", "StoreBasics"],
        "ConversationStorage": ["StoreClient", "StoreBasics"],
        "SceneStorage": ["StoreClient", "StoreBasics"],
        "SceneStorageMacros": ["SceneStorage", "SceneStorageMacrosPlugin"],
        "SceneStorageMacrosPlugin": [
            "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftParser", "SwiftDiagnostics",
            "SwiftCompilerPlugin",
        ],
        "AppendLog": ["StoreClient", "Interchange", "StoreBasics"],
        "BlobStorage": ["StoreClient", "Interchange", "StoreBasics"],
        "FileVault": ["StoreClient", "StoreBasics"],
        "ghoststorectl": [
            "AppendLog", "StoreClient", "Interchange", "StoreBasics", "YAMLReading", "CLinuxShims", "ArgumentParser",
        ],
        "ghoststore-bench": ["StoreClient", "StoreProtocol", "StoreBasics", "CEpoll", "ArgumentParser", "Histogram"],
        "ghoststore-sync": [
            "ReplicaTransport", "ReplicaModel", "ServiceSupport", "StoreClient", "YAMLReading", "StoreBasics",
            "Logging",
            "ServiceLifecycle", "UnixSignals", "ArgumentParser",
        ],
        "TestBasics": ["StoreBasics"],
        "GhostTestSupport": ["StoreClient", "StoreBasics", "TestBasics"],
        "CarriedColumns": ["StoreEngine", "StoreCrypto", "SQLCipher", "StoreBasics", "TestBasics", "Logging"],
        "recovery-code-probe": ["StoreClient"],
        "chat-example": ["StoreClient"],
        "talk-example": ["StoreClient"],
        "CSimulatedDisk": [],
        "disk-simulator": ["StoreEngine", "StoreCrypto", "StoreBasics", "CSimulatedDisk", "Logging"],
        "CFuzzer": [],
        "store-fuzzer": [
            "StoreServer", "StoreProtocol", "StoreEngine", "StoreCrypto", "ReplicaModel", "Interchange", "StoreBasics",
            "ghoststored", "ghoststorectl", "StoreClient", "CFuzzer",
        ],
    ]

    /// Full Foundation costs the daemon 15 MB of resident memory, so nothing that it links, and nothing that an
    /// application links through StoreClient, may import it.
    static let mayImportFoundation: Set<String> = ["GhostTestSupport"]

    /// Modules whose types must not appear in the interface of StoreClient and of the libraries that use it.
    static let hiddenFromApplications: Set<String> = ["NIOCore", "NIOPosix", "SwiftProtobuf", "StoreProtocol"]

    /// The only module that another one re-exports: its few public types are part of StoreClient's interface.
    static let mayBeExported: [String: String] = ["StoreClient": "StoreBasics"]

    static let applicationLibraries: Set<String> = [
        "StoreClient", "StoreClientTesting", "ConversationStorage", "SceneStorage", "AppendLog", "BlobStorage",
        "FileVault",
    ]

    /// Files whose declarations may be public although their target is no product, because `StoreClient` re-exports
    /// them.
    static let publicOutsideProducts: [String: Set<String>] = [
        "StoreBasics": ["ExactDictionary", "HistoryID", "Timestamp", "UUIDv7"]
    ]
}
