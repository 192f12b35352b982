/// The order of folders. It decides which types of other folders a folder may use.
enum FolderGraphLaw {
    /// The rooms of StoreEngine in their order. Each may use types of earlier rooms only.
    static let roomsOfEngine = [
        "Core", "Durability", "Terms", "Vault", "Areas", "Search", "Schema", "Archives", "Transfers", "Replication",
        "Idempotency", "Backups", "Maintenance", "Engine",
    ]

    /// Earlier rooms that a room must not use, although the order would allow it.
    static let strangers: [String: Set<String>] = [
        "Terms": ["Durability"],
        "Vault": ["Durability", "Terms"],
        "Areas": ["Durability"],
        "Search": ["Durability", "Vault"],
        "Archives": ["Search", "Schema"],
        "Replication": ["Durability", "Search", "Archives", "Transfers"],
    ]

    /// The number of arrows on cycles, for targets whose folders have no order yet. The numbers may only fall.
    static let knownArrows = [
        "SQLCipher": 8, "StoreClient": 14, "StoreCrypto": 7, "StoreServer": 27, "ghoststore-sync": 2,
        "ghoststorectl": 88, "ghoststore-bench": 58,
    ]
}
