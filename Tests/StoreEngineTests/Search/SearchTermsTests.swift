import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that terms have not changed. The index contains terms, so a version that makes other terms of the same texts
/// must rebuild the index.
@Suite struct SearchTermsTests {
    /// The name passed to `SearchIndexState.rebuilt` in the last migration that rebuilds the index. `digest` is
    /// computed over the terms that the code made then.
    private static let version = "terms2"
    private static let digest: UInt64 = 0x120B_A014_7F5E_E9A

    @Test func `terms have not changed since the schema's last rebuild of the index`() {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func note(_ value: UInt32) { digest = (digest ^ UInt64(value)) &* 0x100_0000_01B3 }
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let list = TermScanner.terms(of: "a\(scalar)b\u{20E3}")
            for index in list.terms.indices {
                list.bytes(index).forEach { note(UInt32($0)) }
                note(0x100)
            }
        }
        #expect(
            digest == Self.digest,
            """
            terms have changed: append SearchIndexState.rebuilt with another name to Schema.migrations, and note the \
            name and the digest here
            """)
        #expect(Schema.migrations.filter { $0.contains("-- terms") }.last?.contains(Self.version) == true)
    }

    @Test func `a step of the schema rebuilds the index with all messages`() throws {
        let store = try TemporaryStore()
        for number in 0..<50 {
            let message = try NewMessage(
                id: EntityID("m\(number)"), conversation: .session(SessionID("bob")), text: "word\(number % 5) there")
            try store.engine.write(.saveMessage(message))
        }
        try store.engine.rebuildSearchIndex()
        try store.engine.writer.perform { context throws(StoreError) in
            try context.requireCommittedPages()
            let connection = try context.openConnection()
            try mapped(connection.execute(SearchIndexState.rebuilt("test")))
        }
        try store.reopen()
        let reader = store.engine.makeReader()
        #expect(
            eventually {
                var count = 0
                let end = try? reader.searchMessages(MessageSearch(SearchQuery("word3 there"))) { _ in
                    count += 1
                    return .goOn
                }
                return end != nil && count == 10
            })
        #expect(try expectClean(store.engine) == [])
    }
}
