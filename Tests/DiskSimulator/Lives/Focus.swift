/// What the lives of one store do most: some syncs are rare, and a cut has to come right behind one.
enum Focus: Int, CaseIterable {
    case everything
    /// Rotations, backups, restores, keys.
    case administration
    /// Files of the vault.
    case contents
    /// Nothing is removed, so that the log of the database is not emptied but starts over.
    case additions
    /// Somebody damages the journal now and then, and what is missing is accepted. Contents of the vault that a lost
    /// work has given up are gone, so there are none.
    case losses

    init(ofStore seed: UInt64) {
        self = Self(rawValue: Int(seed % 5)) ?? .everything
    }

    /// A client sends in one of so many rounds.
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
