/// The kind of work that the lives (see `Life`) of one store do most. A focus makes some rare syncs frequent. This is
/// necessary because a test of a sync needs a power cut right after it.
enum Focus: Int, CaseIterable {
    case everything
    /// Rotations, backups, restores and changes of keys.
    case administration
    /// Writes to files of the vault.
    case contents
    /// Works that remove nothing, so that SQLite restarts the WAL instead of truncating it.
    case additions
    /// A life may damage the journal, and the next one accepts the loss. There are no vault contents, because a lost
    /// work may have released a content whose file is already deleted.
    case losses

    init(ofStore seed: UInt64) {
        self = Self(rawValue: Int(seed % 5)) ?? .everything
    }

    /// Returns n: on average, the client sends works in one of n rounds.
    func rarity(of client: Client) -> Int {
        switch self {
        case .everything: client.isSlow ? 12 : 2
        case .administration: client.isSlow ? 24 : 6
        case .contents: client.isSlow ? 2 : 6
        case .additions: client.onlyAdds ? 1 : 1_000
        case .losses: client.isSlow ? .max : 2
        }
    }
}
