import Dispatch
import Glibc
import TestBasics
import Testing

@testable import ghoststorectl

@Suite struct LineReaderTests {
    @Test func `a line of a pipe that does not block is awaited without spinning`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        defer { close(ends[0]) }
        let writer = ends[1]
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) {
            _ = write(writer, "late\n", 5)
            close(writer)
        }
        let reader = LineReader(descriptor: ends[0])
        let before = Self.processorMilliseconds
        #expect(try reader.next() == Array("late".utf8))
        #expect(Self.processorMilliseconds - before < 150)
        #expect(try reader.next() == nil)
    }

    /// The processor time of this thread.
    private static var processorMilliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
