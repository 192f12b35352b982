import FoundationEssentials
import Glibc
import StoreBasics
import StoreEngine

/// Changes to the files of a closed store that the store itself did not make.
enum Tampering {
    /// One changed byte in the header of a segment that is in use.
    case damagedSegment
    /// A copy of the database file, which `olderDatabase` uses later.
    case keptDatabase
    /// The copy that `keptDatabase` made, in place of the current database file.
    case olderDatabase
    /// All folders that the vault may need, as killed processes leave them: they exist, but their names were not made
    /// durable.
    case foldersOfVault

    private static let headerBytes = 128
    /// An offset within the salt in the header.
    private static let damagedPlace = 100
    private static let sequencePlace = 24

    /// - Parameter state: the state directory of the store.
    func perform(on state: String, _ seed: UInt64, _ ledger: Ledger) throws(StoreError) {
        let (database, kept) = (state + "/store.db", state + ".kept")
        switch self {
        case .damagedSegment:
            guard let path = Self.segment(of: state + "/journal", seed),
                let byte = Self.bytes(of: path)?[Self.damagedPlace]
            else { return }
            ledger.isTamperedWith = true
            try Self.write([byte ^ 1], at: Self.damagedPlace, to: path)
        case .keptDatabase:
            try Self.write(Self.bytes(of: database) ?? [], at: 0, to: kept)
            ledger.isDatabaseKept = true
        case .olderDatabase:
            ledger.isTamperedWith = true
            guard let older = Self.bytes(of: kept) else { throw Self.failed }
            unlink(database + "-wal")
            unlink(database + "-shm")
            try Self.write(older, at: 0, to: database, O_TRUNC)
        case .foldersOfVault:
            mkdir(state + "/vault", 0o700)
            for byte in UInt8.min...UInt8.max {
                mkdir("\(state)/vault/\(Hexadecimal.encode([byte]))", 0o700)
            }
        }
    }

    /// Returns the path of a segment that is in use, chosen by the seed among the segments sorted by their numbers.
    private static func segment(of journal: String, _ seed: UInt64) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []
        let segments = names.compactMap { name -> (path: String, sequence: [UInt8])? in
            let path = "\(journal)/\(name)"
            guard let header = bytes(of: path)?.prefix(headerBytes), header.contains(where: { $0 != 0 }) else {
                return nil
            }
            return (path, Array(header.dropFirst(sequencePlace).prefix(8)))
        }
        let inOrder = segments.sorted { $0.sequence.lexicographicallyPrecedes($1.sequence) }
        return inOrder.isEmpty ? nil : inOrder[Int(seed % UInt64(inOrder.count))].path
    }

    private static func bytes(of path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Writes bytes and makes them and the file's name durable, so that no later power cut undoes the change.
    private static func write(
        _ bytes: [UInt8], at offset: Int, to path: String, _ flags: Int32 = 0
    ) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw failed }
        defer { close(descriptor) }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard written == bytes.count, fsync(descriptor) == 0 else { throw failed }
        let folder = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw failed }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failed }
    }

    private static var failed: StoreError { StoreError(.internal, "a file cannot be changed") }
}
