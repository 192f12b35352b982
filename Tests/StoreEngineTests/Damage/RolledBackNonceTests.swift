import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Tests two stores that continue from copies of one folder with different content. Both seal records, pages and
/// chunks, some of them at the same positions under the same keys. The tests check that the nonces, initialization
/// vectors or keys differ. SECURITY.md explains each case.
@Suite struct RolledBackNonceTests {
    /// The files of a store by name (`before`), and the files of two stores that continued from a copy of them with
    /// different content: while they were running, and after they were stopped.
    private let before: [String: [UInt8]]
    private let running: [[String: [UInt8]]]
    private let stopped: [[String: [UInt8]]]

    init() throws {
        let origin = try TemporaryStore()
        try origin.engine.writeFile(at: FileStore.path("kept"), Self.bytes(1))
        before = try StoreSpecimen.files(of: origin)
        var files: (running: [[String: [UInt8]]], stopped: [[String: [UInt8]]]) = ([], [])
        for letter in UInt8(2)...3 {
            let back = try TemporaryStore(placing: before)
            try Self.goOn(back.engine, letter)
            files.running.append(try StoreSpecimen.files(of: back))
            back.engine.shutDown()
            files.stopped.append(try StoreSpecimen.files(of: back))
        }
        (running, stopped) = files
    }

    private static func bytes(_ letter: UInt8) -> [UInt8] {
        [UInt8](repeating: letter, count: 3 * FileStore.chunkBytes)
    }

    private static func goOn(_ engine: StoreEngine, _ letter: UInt8) throws {
        let ann = ConversationReference.session(SessionID(trusted: "ann"))
        let text = String(repeating: letter == 2 ? "x" : "y", count: 3_000)
        try engine.write(.saveMessage(NewMessage(id: EntityID("said"), conversation: ann, text: text)))
        let request = FileWriteRequest(path: try FileStore.path("kept"), place: .offset(0))
        guard case .begun(let id) = try engine.fileWrite(.begin(request)) else { return }
        let write = OpenWrite(engine: engine, id: id)
        try write.write(bytes(letter), at: 0)
        try write.finish()
    }

    /// Returns the pieces of a file that differ between the two stores.
    private func differing(
        _ name: String, _ stores: [[String: [UInt8]]], from start: Int, pieceBytes: Int
    ) -> [(left: ArraySlice<UInt8>, right: ArraySlice<UInt8>)] {
        guard let left = stores[0][name], let right = stores[1][name] else { return [] }
        return stride(from: start, to: min(left.count, right.count), by: pieceBytes)
            .map { (left[$0...].prefix(pieceBytes), right[$0...].prefix(pieceBytes)) }
            .filter { $0.0 != $0.1 }
    }

    @Test func `chunks of a content in the vault have nonces of their own`() throws {
        let slotBytes = try FileStore.chunkBytes + ChunkCipher.fastest().overheadBytes
        let slots = before.keys.filter { $0.hasPrefix("vault/") }.flatMap {
            differing($0, running, from: ContentHeader.byteCount, pieceBytes: slotBytes)
        }
        #expect(!slots.isEmpty)
        #expect(slots.allSatisfy { $0.left.prefix(12) != $0.right.prefix(12) })
    }

    @Test func `pages of the database have initialization vectors of their own`() {
        let pages = differing("store.db", stopped, from: 0, pieceBytes: StoreSpecimen.pageBytes)
        #expect(!pages.isEmpty)
        // The last 48 bytes of a page are the initialization vector (16), the authenticator (20) and 12 unused bytes.
        #expect(pages.allSatisfy { $0.left.suffix(48).prefix(16) != $0.right.suffix(48).prefix(16) })
    }

    /// Returns the salt of a segment; zeros if the segment was erased and is empty.
    private static func salt(_ segment: [UInt8]) -> ArraySlice<UInt8> { segment.dropFirst(80).prefix(32) }

    @Test func `records go to segments of the journal with salts of their own, and so other keys`() {
        let salts = running.map { files in
            Set(
                files.keys.filter { $0.hasPrefix("journal/") && files[$0] != before[$0] }.compactMap { files[$0] }
                    .map(Self.salt).filter { $0.contains { $0 != 0 } })
        }
        let saltsBefore = before.filter { $0.key.hasPrefix("journal/") }.map { Self.salt($0.value) }
        let new = salts.map { $0.subtracting(saltsBefore) }
        #expect(!new[0].isEmpty && !new[1].isEmpty)
        #expect(new[0].isDisjoint(with: new[1]))
        // An existing segment gets no record. It gets only the mark that the journal continues in another segment.
        for files in running {
            for (name, now) in files where name.hasPrefix("journal/") {
                guard let old = before[name], Self.salt(old) == Self.salt(now) else { continue }
                let changed = zip(old, now).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
                #expect((changed.last ?? 0) - (changed.first ?? 0) < RecordLayout.markBytes, "\(name)")
            }
        }
    }
}
