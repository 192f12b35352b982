import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that words which no message contains any more also leave the disk.
@Suite struct SearchLeftoverTests {
    private static func pages(_ store: TemporaryStore) throws -> DecryptedPages {
        let literal = try store.engine.keys.withDatabaseKey { bytes in bytes.map(Array.init) }
        // SQLCipher gets the key as a literal x'…', which contains the key and maybe a salt in hexadecimal.
        let digits = String(decoding: literal?.dropFirst(2).prefix(64) ?? [], as: UTF8.self)
        let key = try #require(Hexadecimal.decode(digits))
        return try DecryptedPages(try TestFile.read(store.statePath + "/store.db"), key: key)
    }

    @Test func `words of deleted or edited messages are soon removed from the decrypted pages`() throws {
        let store = try TemporaryStore()
        let conversation = ConversationReference.session(SessionID(trusted: "anna"))
        // The first three texts are the words that the test looks for. The index contains them in lower case. It stores
        // the common beginning of neighbouring words only once, here the letter Q, so the test looks for each word
        // without that letter.
        let texts = ["QZDELETEDWORD", "QXEDITEDWORD", "QVKEPTWORD"] + (0..<300).map { "word\($0) in \($0 % 7)" }
        let ids = try stride(from: 0, to: texts.count, by: 100).flatMap { start in
            let part = texts[start...].prefix(100).map { NewMessage(conversation: conversation, text: $0) }
            return try store.engine.commit(.saveMessages(part)).ids
        }.map { EntityID(trusted: $0) }
        try store.engine.finishIndex()
        try store.reopen()
        for word in ["zdeletedword", "xeditedword", "vkeptword", "ZDELETEDWORD", "XEDITEDWORD"] {
            #expect(try Self.pages(store).hold(word), "\(word)")
        }
        _ = try store.engine.commit(.deleteMessages([ids[0]]))
        _ = try store.engine.commit(.editMessage(ids[1], text: "nothing", editedAt: nil))
        let left = try eventually(within: .seconds(15)) {
            let pages = try Self.pages(store)
            return try TestFile.read(store.statePath + "/store.db-wal").isEmpty
                && !["zdeletedword", "xeditedword", "ZDELETEDWORD", "XEDITEDWORD"].contains { pages.hold($0) }
        }
        #expect(left)
        #expect(try Self.pages(store).hold("vkeptword"))
    }
}

extension StoreEngine {
    fileprivate func finishIndex() throws {
        while try writer.perform({ context throws(StoreError) in
            try SearchUpkeep.step(context)
            return context.searchBacklog.hasWork
        }) {}
    }
}
