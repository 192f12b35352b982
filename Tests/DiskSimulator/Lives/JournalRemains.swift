import CSimulatedDisk
import FoundationEssentials
import StoreBasics
import StoreCrypto
import StoreEngine

/// The content of the journal that an attacker with the master key can still read, whatever a power cut brings back.
/// The reader follows proto-docs/JOURNAL.md and does not use the engine's code.
struct JournalRemains {
    private static let headerBytes = 112
    private static let headBytes = 56
    private static let firstOffset = 4_096

    private let contents: [[UInt8]]

    /// Reads and decrypts the journal.
    ///
    /// - Parameter state: the state directory of a store.
    init(of state: String) throws(StoreError) {
        let journal = state + "/journal"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: journal) else {
            throw StoreError(.internal, "there is no journal")
        }
        let key = try Self.key(of: state)
        var contents: [[UInt8]] = []
        for name in names {
            let path = "\(journal)/\(name)"
            var bytes = [UInt8](repeating: 0, count: max(0, disk_read_durable(path, nil, 0, 0)))
            let count = disk_read_durable(path, &bytes, bytes.count, 0)
            bytes.removeLast(bytes.count - max(0, count))
            if bytes.count > Self.firstOffset {
                try Self.read(&bytes, under: key, into: &contents)
            }
        }
        self.contents = contents
    }

    /// True if nothing can be read.
    var isEmpty: Bool { contents.isEmpty }

    /// Returns one of the needles that occurs in the content; `nil` if none does.
    func first(of needles: [Needle]) -> Needle? {
        let sought = needles.flatMap(\.bytes)
        for content in contents {
            let found = disk_find(content, content.count, sought, needles.count)
            if found >= 0 {
                return needles[found]
            }
        }
        return nil
    }

    private static func key(of state: String) throws(StoreError) -> JournalKey {
        let secret = try Life.secret(7)
        do throws(CryptoError) {
            guard let keyring = try KeyringFile.read(inDirectory: state) else {
                throw CryptoError(.storageFailed, "the keyring is gone")
            }
            return try keyring.unlock(with: secret).journalKey(.current)
        } catch {
            throw StoreError(.internal, "the journal's key cannot be had: \(error)")
        }
    }

    private static func read(
        _ segment: inout [UInt8], under key: borrowing JournalKey, into contents: inout [[UInt8]]
    ) throws(StoreError) {
        let segmentKey = try segmentKey(Array(segment[..<headerBytes]), under: key)
        var offset = firstOffset
        while offset + headBytes + SegmentKey.tagBytes <= segment.count {
            let contentBytes = segment[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + headBytes + contentBytes + SegmentKey.tagBytes
            guard end <= segment.count else { return }
            guard isOpened(&segment, offset..<end, under: segmentKey) else { return }
            contents.append(Array(segment[(offset + headBytes)..<(end - SegmentKey.tagBytes)]))
            offset = (end + 7) & ~7
        }
    }

    private static func isOpened(
        _ segment: inout [UInt8], _ record: Range<Int>, under key: borrowing SegmentKey
    ) -> Bool {
        segment.withUnsafeMutableBytes { bytes in
            key.open(UnsafeMutableRawBufferPointer(rebasing: bytes[record]), headBytes: headBytes)
        }
    }

    private static func segmentKey(
        _ header: [UInt8], under key: borrowing JournalKey
    ) throws(StoreError) -> SegmentKey {
        do throws(CryptoError) {
            return try key.segmentKey(header: header)
        } catch {
            throw StoreError(.internal, "a segment's key cannot be had: \(error)")
        }
    }
}
