import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Checks that a loss which an operator has accepted is reported, even if the opening finds damage after that.
@Suite struct LossBeforeDamageTests {
    @Test func `an accepted loss is reported even if the opening finds damage after it`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        let history = try store.engine.statistics().history
        var files = try StoreSpecimen.image(of: store)
        files = files.filter { !$0.key.hasPrefix("journal/") }
        let placed = try TemporaryStore(placing: files)
        let engine = placed.engine
        let unlocked = try #require(try engine.keyringOfStore()).unlock(with: TemporaryStore.keyFile())
        let key = try unlocked.databaseKey(.current)
        engine.keys.set(unlocked, databaseKey: key)
        let (directory, keys, libraries) = (engine.directory, engine.keys, engine.libraries)
        let (outcome, begun) = try engine.writer.perform { context throws(StoreError) in
            let connection = try keys.withDatabaseKey { key throws(StoreError) in
                guard let key else { throw StoreState.locked.notOpenError }
                return try mapped(
                    Connection(
                        path: directory.database, key: key, mode: .readWrite, profile: .ghoststore,
                        versions: libraries))
            }
            context.connection = connection
            defer { context.close() }
            var outcome = WriterOpening.Outcome()
            let met = reason {
                try JournalOpening(directory: directory, keys: keys, segmentBytes: 64 << 10)
                    .open(.foundAcceptingLoss, context, connection, &outcome) { () throws(StoreError) in
                        throw .databaseDamaged("a page of the test")
                    }
            }
            #expect(met == .databaseDamaged)
            return (outcome, try StatisticsRow.read(connection).history)
        }
        #expect(begun != history)
        #expect(outcome.loss.isCertain && outcome.isCaughtUp)
    }
}
