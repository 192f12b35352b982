import Glibc
import StoreBasics
import TestBasics
import Testing

@Suite struct SystemTests {
    @Test func `an error has the system's description in lower case`() {
        #expect(SystemError(ENOENT).description == "no such file or directory")
        #expect(SystemError(123_456).description.contains("123456"))
    }

    @Test func `whole buffers pass through a pipe that accepts them in parts`() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        var random = SplitMix(seed: 1)
        let bytes = random.bytes(1 << 20)
        let writer = pthread(of: {
            try bytes.withUnsafeBytes { buffer in
                try FileDescriptorCalls.write(writing, buffer)
            }
            close(writing)
        })
        var received = [UInt8](repeating: 0, count: bytes.count + 1)
        let count = try received.withUnsafeMutableBytes { try FileDescriptorCalls.read(reading, into: $0) }
        pthread_join(writer, nil)
        close(reading)
        #expect(count == bytes.count)
        #expect(received.prefix(count).elementsEqual(bytes))
    }

    @Test func `an interrupted call is repeated, and a failure is thrown with its number`() throws {
        var turns = 0
        let result = try withoutInterruption { () -> Int in
            turns += 1
            errno = EINTR
            return turns < 4 ? -1 : 7
        }
        #expect(result == 7)
        #expect(turns == 4)
        #expect(throws: SystemError(EBADF)) { try withoutInterruption { close(-1) } }
    }

    @Test func `reads and writes at an offset leave the rest unchanged`() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let descriptor = fileno(file)
        try Array("0123456789".utf8).withUnsafeBytes { try FileDescriptorCalls.write(descriptor, $0, at: 5) }
        var bytes = [UInt8](repeating: 1, count: 20)
        let count = try bytes.withUnsafeMutableBytes { try FileDescriptorCalls.read(descriptor, into: $0, at: 3) }
        #expect(count == 12)
        #expect(String(decoding: bytes.dropFirst(2).prefix(10), as: UTF8.self) == "0123456789")
    }

    @Test func `a value can be taken only once`() {
        let box = TakeOnce(5)
        #expect(box.take() == 5)
        #expect(box.take() == nil)
    }

    /// Runs `work` on a new thread, because a blocking write must not occupy a thread of the cooperative pool.
    private func pthread(of work: @escaping @Sendable () throws -> Void) -> pthread_t {
        let box = Unmanaged.passRetained(Work(run: work))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                try? Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        return thread
    }

    private final class Work: Sendable {
        let run: @Sendable () throws -> Void

        init(run: @escaping @Sendable () throws -> Void) {
            self.run = run
        }
    }
}
