import Glibc
import StoreBasics
import Synchronization

/// Carries the files of a group's folder to the folder of another device and back, over two descriptors, such as the
/// standard input and output of ssh. Each end first sends the names of the files that it has. Then it sends the files
/// that the other end lacks, and later each new file.
package final class PipeLink: Sendable {
    /// The number of carried files.
    package struct Counts: Sendable, Hashable {
        package var sent = 0
        package var received = 0
    }

    private let folder: GroupFolder
    private let input: Int32
    private let output: Int32
    private let machine: Mutex<PipeMachine>
    private let counted = Mutex(Counts())
    private let hasEnded = Mutex(false)
    private let inQueue = BlockingQueue("pipe in")
    private let outQueue = BlockingQueue("pipe out")
    private let readiness = Readiness()

    /// - Parameter name: the group's name, which the other end must have, too.
    package init(_ folder: GroupFolder, name: String, input: Int32, output: Int32) {
        self.folder = folder
        self.input = input
        self.output = output
        machine = Mutex(PipeMachine(name: name))
    }

    package var counts: Counts { counted.withLock { $0 } }

    /// Carries files. If the other end closes the connection, or one direction fails, calls `end`, which ends the
    /// process: the thread of the other direction may be waiting in a read or a write, and cannot be woken.
    ///
    /// - Parameter end: receives the failure; `nil` if the other end has closed the connection.
    package func run(end: @escaping @Sendable (TransportError?) -> Never) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do throws(TransportError) {
                    try await self.receive()
                    self.endOnce(nil, end)
                } catch {
                    self.endOnce(error, end)
                }
            }
            group.addTask {
                do throws(TransportError) {
                    try await self.send()
                } catch {
                    // If the other end has ended, the reading direction also fails, with a more exact error. Let that
                    // error be reported first.
                    if error.code == .closed { try? await Task.sleep(for: .seconds(1)) }
                    self.endOnce(error, end)
                }
            }
        }
    }

    /// Calls `end`, unless the other direction has called it and the process is ending.
    private func endOnce(_ error: TransportError?, _ end: @Sendable (TransportError?) -> Never) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { end(error) }
    }

    // MARK: Receiving

    private func receive() async throws(TransportError) {
        while let frame = try await inQueue.run({ () throws(TransportError) in try self.read() }) {
            let file = try machine.withLock { machine throws(TransportError) in try machine.received(frame) }
            if machine.withLock({ $0.isReady }) { readiness.set() }
            guard let (file, bytes) = file else { continue }
            try await inQueue.run { () throws(TransportError) in
                guard try self.folder.write(bytes, file) else {
                    throw TransportError(.unexpected, "the other end has sent a damaged file")
                }
            }
            counted.withLock { $0.received += 1 }
        }
    }

    /// Reads a frame; returns `nil` if the other end has closed the connection.
    private func read() throws(TransportError) -> PipeFrame? {
        let length = try read(PipeFrame.lengthBytes)
        guard length.count == PipeFrame.lengthBytes else { return nil }
        let count = length.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return reader.bigEndian() as UInt32?
        }
        guard let count, (1...UInt32(PipeFrame.bytesMax)).contains(count) else { throw .notPipe }
        let content = try read(Int(count))
        guard content.count == Int(count) else { return nil }
        guard let frame = PipeFrame(content) else { throw .notPipe }
        return frame
    }

    private func read(_ count: Int) throws(TransportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        do throws(SystemError) {
            let filled = try bytes.withUnsafeMutableBufferPointer { memory throws(SystemError) in
                try FileDescriptorCalls.read(input, into: UnsafeMutableRawBufferPointer(memory))
            }
            bytes.removeLast(count - filled)
        } catch {
            // A socket is reset if its other end was closed with unread bytes. Treat this as the end of the connection.
            guard error.number == ECONNRESET else {
                throw TransportError(.closed, "the other end cannot be read: \(error)")
            }
            return []
        }
        return bytes
    }

    // MARK: Sending

    private static let bytesBetweenLists = 16 << 20

    private func send() async throws(TransportError) {
        try await write(.hello(version: PipeFrame.version, name: machine.withLock { $0.name }))
        // Leave out the names of incomplete files, so that the other end sends these files again.
        let files = try await outQueue.run { () throws(TransportError) in
            let all = try self.folder.files()
            self.machine.withLock { $0.setFloors(all) }
            var complete: [FolderFile] = []
            for file in all where try self.folder.isComplete(file) { complete.append(file) }
            return complete
        }
        for start in stride(from: 0, to: files.count, by: PipeFrame.filesMax) {
            try await write(.known(Array(files[start..<min(files.count, start + PipeFrame.filesMax)])))
        }
        try await write(.allKnown)
        guard await readiness.wait() else { return }
        while !Task.isCancelled {
            let seen = folder.watcher.count(nil)
            let files = try await list()
            var sentBytes = 0
            for file in machine.withLock({ $0.missing(among: files) }) where sentBytes < Self.bytesBetweenLists {
                let bytes = try await outQueue.run { () throws(TransportError) in try self.folder.read(file) }
                guard let bytes else { continue }
                try await write(.file(file, bytes))
                machine.withLock { $0.sent(file) }
                counted.withLock { $0.sent += 1 }
                sentBytes += bytes.count
            }
            // After this number of bytes, list the files again at once: new messages of devices are sent before the
            // rest of a snapshot.
            guard sentBytes < Self.bytesBetweenLists else { continue }
            await folder.watcher.wait(nil, after: seen, until: .now + FolderWatcher.pollInterval)
        }
    }

    private func list() async throws(TransportError) -> [FolderFile] {
        try await outQueue.run { () throws(TransportError) in try self.folder.files() }
    }

    private func write(_ frame: PipeFrame) async throws(TransportError) {
        try await outQueue.run { () throws(TransportError) in
            do throws(SystemError) {
                try FileDescriptorCalls.write(self.output, frame.encoded())
            } catch {
                throw TransportError(.closed, "the other end cannot be reached: \(error)")
            }
        }
    }
}

/// A flag that a task can wait for.
private final class Readiness: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func set() {
        continuation.yield()
    }

    /// Waits for the flag. Returns false if the task was cancelled.
    func wait() async -> Bool {
        for await _ in stream { return true }
        return false
    }
}
