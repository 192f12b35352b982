/// Who may import whom. The arrows of docs/ARCHITECTURE.md, as data: Package.swift and every import line are held
/// against it.
enum TargetGraphLaw {
    /// Modules every target may import without declaring them: the standard library's and the C library.
    static let systemModules: Set<String> = ["Glibc", "Synchronization", "Dispatch", "FoundationEssentials"]

    static let dependencies: [String: Set<String>] = [
        "CSQLCipher": [],
        "CSodium": [],
        "CYAML": [],
        "CEpoll": [],
        "CLinuxShims": [],
        "Interchange": [],
        "SQLCipher": ["CSQLCipher"],
        "StoreCrypto": ["CSodium", "Interchange"],
        "StoreEngine": ["StoreCrypto", "SQLCipher", "Interchange", "Logging", "DequeModule"],
        "StoreProtocol": ["SwiftProtobuf"],
        "StoreServer": [
            "NIOCore", "NIOPosix", "StoreProtocol", "StoreEngine", "StoreCrypto", "CLinuxShims", "SwiftProtobuf",
            "Logging", "ServiceLifecycle",
        ],
        // The composition root: it also names what it puts together.
        "ghoststored": [
            "StoreServer", "StoreEngine", "StoreCrypto", "CLinuxShims", "CYAML", "Logging", "ServiceLifecycle",
            "UnixSignals", "ArgumentParser", "Configuration",
        ],
        "StoreClient": ["NIOCore", "NIOPosix", "StoreProtocol", "SwiftProtobuf", "Logging"],
        "ConversationStorage": ["StoreClient"],
        "SceneStorage": ["StoreClient"],
        "SceneStorageMacros": ["SceneStorage", "SceneStorageMacrosPlugin"],
        "SceneStorageMacrosPlugin": [
            "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftParser", "SwiftDiagnostics",
            "SwiftCompilerPlugin",
        ],
        "AppendLog": ["StoreClient", "Interchange"],
        "BlobStorage": ["StoreClient", "Interchange"],
        "ghoststorectl": ["StoreClient", "Interchange", "ArgumentParser"],
        "ghoststore-bench": ["StoreClient", "CEpoll", "ArgumentParser", "Histogram"],
        "GhostTestSupport": ["StoreClient"],
        "recovery-code-probe": ["StoreClient"],
    ]

    /// Full Foundation costs the daemon 15 MB of resident memory, so nothing that it links, and nothing that an
    /// application links through StoreClient, may import it.
    static let mayImportFoundation: Set<String> = ["GhostTestSupport"]

    /// Modules that must not show in the interface of StoreClient and what stands on it.
    static let hiddenFromApplications: Set<String> = ["NIOCore", "NIOPosix", "SwiftProtobuf", "StoreProtocol"]
    static let applicationLibraries: Set<String> = [
        "StoreClient", "ConversationStorage", "SceneStorage", "AppendLog",
        "BlobStorage",
    ]
}
