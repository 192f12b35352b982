import Glibc
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct ReaderGateTests {
    private final class Readers: Sendable {
        private let isStopping = Atomic(false)
        private let threads = ConditionLock<[StoreThread]>([])

        /// Starts so many readers that one is always inside the gate.
        func start(_ gate: ReaderGate) throws {
            for number in 0..<4 {
                let thread = try StoreThread(name: "test-reader-\(number)") { [self] in
                    while !isStopping.load(ordering: .relaxed) {
                        try? gate.pass { _ = usleep(useconds_t(3_000 + number * 500)) }
                    }
                }
                threads.withLock { $0.append(thread) }
            }
            usleep(50_000)
        }

        func stop() {
            isStopping.store(true, ordering: .relaxed)
            threads.withLock { $0 }.forEach { $0.join() }
        }
    }

    @Test func `the gate closes although a read is always in it`() throws {
        let gate = ReaderGate()
        let readers = Readers()
        try readers.start(gate)
        let hasClosed = ConditionLock(false)
        let closer = try StoreThread(name: "test-closer") {
            try? gate.close { hasClosed.broadcast { $0 = true } }
        }
        let closed = hasClosed.wait(timeoutMilliseconds: 10_000) { $0 ? true : nil }
        readers.stop()
        closer.join()
        #expect(closed == true)
    }

    @Test func `reads continue after the gate was closed`() throws {
        let gate = ReaderGate()
        try gate.close {}
        #expect(try gate.pass { 1 } == 1)
    }
}
