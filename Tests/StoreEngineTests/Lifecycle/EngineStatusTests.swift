import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct EngineStatusTests {
    @Test func `a commit that a lock overtook does not bring the counters back`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        status.set(.locked)
        status.committed(Statistics(history: .none), [.cache: .file(1)])
        #expect(status.statistics == nil && status.fileUsage == nil)
    }

    @Test func `a commit of an open store, also a full one, updates the counters`() {
        let status = EngineStatus()
        status.set(.open, statistics: Statistics(history: .none))
        var later = Statistics(history: .none)
        later.revision = 7
        status.committed(later, [.cache: .file(1)])
        #expect(status.statistics?.revision == 7 && status.fileUsage == [.cache: .file(1)])
        status.noteDiskFull()
        later.revision = 8
        status.committed(later, [:])
        #expect(status.statistics?.revision == 8 && status.fileUsage == [:])
    }
}
