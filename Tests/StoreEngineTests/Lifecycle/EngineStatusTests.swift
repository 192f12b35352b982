import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct EngineStatusTests {
    @Test func `a commit that ends after a lock does not bring the counters back`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        status.set(.locked)
        status.recordCommit(Statistics(history: .none), [.cache: .file(1)])
        #expect(status.statistics == nil && status.fileUsage == nil)
    }

    @Test func `a commit of an open store, also a full one, updates the counters`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        var later = Statistics(history: .none)
        later.revision = 7
        status.recordCommit(later, [.cache: .file(1)])
        #expect(status.statistics?.revision == 7 && status.fileUsage == [.cache: .file(1)])
        status.setDiskFull()
        later.revision = 8
        status.recordCommit(later, [:])
        #expect(status.statistics?.revision == 8 && status.fileUsage == [:])
    }

    /// Checks that more failures on a full disk, such as a failed test for free space, are not reported again.
    @Test func `a full disk is reported once when it begins and once when it ends`() {
        let reported = Mutex<[Bool]>([])
        let status = EngineStatus(isDiskFullChanged: { isFull in reported.withLock { $0.append(isFull) } })
        status.setDiskFull()
        status.set(.open, statistics: Statistics(history: .none))
        status.clearDiskFull()
        #expect(reported.withLock { $0 } == [])
        for _ in 0..<3 { status.setDiskFull() }
        #expect(reported.withLock { $0 } == [true])
        for _ in 0..<3 { status.clearDiskFull() }
        #expect(reported.withLock { $0 } == [true, false])
        status.setDiskFull()
        status.set(.locked)
        status.clearDiskFull()
        #expect(reported.withLock { $0 } == [true, false, true])
    }

    @Test func `damage is reported once, and only for an open store`() {
        let told = Mutex<[StoreError]>([])
        let status = EngineStatus { error in told.withLock { $0.append(error) } }
        status.set(.locked)
        status.reportDamage(.databaseDamaged("met behind a lock"))
        status.set(.open, statistics: Statistics(history: .none))
        status.reportDamage(.databaseDamaged("first"))
        status.reportDamage(.databaseDamaged("second"))
        #expect(told.withLock { $0 } == [.databaseDamaged("first")])
        status.set(.open, statistics: Statistics(history: .none), damage: .databaseDamaged("met at the opening"))
        status.reportDamage(.databaseDamaged("third"))
        #expect(told.withLock { $0.count } == 1)
    }
}
