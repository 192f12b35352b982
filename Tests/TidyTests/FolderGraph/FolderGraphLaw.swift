/// Which folder may know which.
enum FolderGraphLaw {
    /// The rooms of StoreEngine. Each may use types of rooms before it, and of no other.
    static let roomsOfEngine = [
        "Core", "Durability", "Terms", "Vault", "Areas", "Search", "Schema", "Archives", "Transfers", "Replication",
        "Idempotency", "Backups", "Maintenance", "Engine",
    ]

    /// Rooms that do not know each other although the order would allow it.
    static let strangers: [String: Set<String>] = [
        "Terms": ["Durability"],
        "Vault": ["Durability", "Terms"],
        "Areas": ["Durability"],
        "Search": ["Durability", "Vault"],
        "Archives": ["Search", "Schema"],
        "Replication": ["Durability", "Search", "Archives", "Transfers"],
    ]

    /// How many arrows between folders lie on cycles in targets that were not put in order yet. The numbers may only
    /// become lower.
    static let knownArrows = [
        "SQLCipher": 8, "StoreClient": 14, "StoreCrypto": 7, "StoreServer": 27, "ghoststore-sync": 2,
        "ghoststorectl": 90, "ghoststore-bench": 58,
    ]
}
