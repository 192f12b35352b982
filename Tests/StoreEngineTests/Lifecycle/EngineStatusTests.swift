import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct EngineStatusTests {
    @Test func `a commit that a lock overtook does not bring the counters back`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        status.set(.locked)
        status.committed(Statistics(history: .none))
        #expect(status.statistics == nil)
    }

    @Test func `a commit of an open store, also a full one, updates the counters`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        var later = Statistics(history: .none)
        later.revision = 7
        status.committed(later)
        #expect(status.statistics?.revision == 7)
        status.noteDiskFull()
        later.revision = 8
        status.committed(later)
        #expect(status.statistics?.revision == 8)
    }
}
