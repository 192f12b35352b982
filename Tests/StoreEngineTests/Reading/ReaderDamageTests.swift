import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct ReaderDamageTests {
    @Test(arguments: [ErrorReason.databaseDamaged, .storeLocked])
    func `damage that is met while a reader's connection is opened is reported, other errors are not`(
        reason: ErrorReason
    ) throws {
        let noted = Noted()
        let source = ReaderSource(
            gate: ReaderGate(), clock: StoreClock(.real(bootID: nil)), generation: { 1 },
            open: { _ throws(StoreError) in throw StoreError(reason, "of the test") },
            history: { nil }, recordActivity: {}, reportDamage: { noted.add($0.reason) }, damage: { nil },
            askForIndexing: {}, visibility: WriteVisibility())
        let error = #expect(throws: StoreError.self) {
            try StoreReader(source: source, waits: true).contact(SessionID("alice"), includeAvatar: false)
        }
        #expect(error?.reason == reason)
        #expect(noted.all == (reason == .databaseDamaged ? [reason] : []))
    }

    private final class Noted: Sendable {
        private let reasons = Mutex<[ErrorReason]>([])

        var all: [ErrorReason] { reasons.withLock { $0 } }

        func add(_ reason: ErrorReason) {
            reasons.withLock { $0.append(reason) }
        }
    }
}
