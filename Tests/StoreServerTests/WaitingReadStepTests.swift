import StoreBasics
import StoreProtocol
import Testing

@testable import StoreEngine
@testable import StoreServer

/// Returns the step that a waiting read asks for, as a word.
private func word(_ step: WaitingRead.Step) -> String {
    switch step {
    case .nothing: "nothing"
    case .read: "read"
    case .answer(.logEntries): "page"
    case .answer(.failure(let failure)): failure.reason.rawValue
    case .answer: "another answer"
    }
}

@Suite struct WaitingReadStepTests {
    private var wait: WaitingRead
    private let page: Answer
    private let lost = StoreError(.storeLocked, "locked")

    init() throws {
        let log = try LogName("events")
        wait = WaitingRead(.log(LogQuery(log: log)))
        page = .logEntries(
            LogPage(
                info: Log(
                    name: log, configuration: LogConfiguration(maximumBytes: 1_000, overwritesOldest: false),
                    createdAt: Timestamp(microseconds: 0), createdRevision: 1, sequences: nil, usedBytes: 0),
                entries: [], hasMore: false, history: .none))
    }

    @Test mutating func `a waiting read that found nothing reads again when its log changes`() {
        #expect(word(wait.readNothing(page)) == "nothing")
        #expect(word(wait.touched()) == "read")
        #expect(word(wait.readNothing(page)) == "nothing")
    }

    @Test mutating func `a log that changes during a read is read once more`() {
        #expect(word(wait.touched()) == "nothing")
        #expect(word(wait.touched()) == "nothing")
        #expect(word(wait.readNothing(page)) == "read")
        #expect(word(wait.readNothing(page)) == "nothing")
    }

    @Test mutating func `a waiting read whose time is over returns an empty page`() {
        #expect(word(wait.readNothing(page)) == "nothing")
        #expect(word(wait.end(nil)) == "page")
    }

    @Test mutating func `a waiting read that ends during a read is answered after the read`() {
        #expect(word(wait.touched()) == "nothing")
        #expect(word(wait.end(lost)) == "nothing")
        #expect(word(wait.touched()) == "nothing")
        #expect(word(wait.readNothing(page)) == "STORE_LOCKED")
    }
}
