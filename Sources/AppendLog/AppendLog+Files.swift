import FoundationEssentials
import Interchange
import StoreClient

/// Files of the CacheAdvance library, version 1.
extension AppendLog {
    /// Messages of one append: far below what the daemon takes at once.
    private static var batchMessagesMax: Int { 1_000 }
    private static var batchBytesMax: Int { 4 << 20 }

    /// Writes the log's messages to a file that the CacheAdvance library opens with the same size and overwriting. The
    /// file is replaced whole or not at all.
    ///
    /// - Parameter path: where the file is written.
    /// - Throws: ``AppendLogError/fileUnavailable(_:)``, ``AppendLogError/fileNotWritable`` when the log holds
    ///   more than a file of this size does, ``AppendLogError/failed(_:)``.
    public func exportFile(to path: String) async throws(AppendLogError) {
        let bytes = try await exported()
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .fileUnavailable("cannot write \(path): \(error)")
        }
    }

    /// Appends the messages of a file the CacheAdvance library wrote. The whole file is read and checked first, and
    /// that the log takes all of it; it is not changed, and neither is the log when anything is wrong with it.
    ///
    /// A large file is appended in several parts, each all or none. A failure between two of them (the daemon stopped,
    /// or others filled the log meanwhile) leaves the messages of the parts before it in the log: importing again
    /// would append these twice.
    ///
    /// - Parameter path: the file.
    /// - Returns: how many messages the file held.
    /// - Throws: ``AppendLogError/fileUnavailable(_:)``, ``AppendLogError/fileCorrupted(offset:_:)``,
    ///   ``AppendLogError/messageUnreadable(sequence:)``, ``AppendLogError/fileNotWritable``,
    ///   ``AppendLogError/messageLargerThanCacheCapacity``,
    ///   ``AppendLogError/messageLargerThanRemainingCacheSize``, ``AppendLogError/failed(_:)``.
    @discardableResult
    public func importFile(at path: String) async throws(AppendLogError) -> Int {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .fileUnavailable("cannot read \(path): \(error)")
        }
        let messages: [[UInt8]]
        do throws(InterchangeError) {
            messages = try CacheAdvanceFile(parsing: bytes).messages
        } catch {
            throw .fileCorrupted(offset: error.offset, error.message)
        }
        let decoder = MessageDecoder<Message>()
        for (index, message) in messages.enumerated() {
            _ = try decoder.decode(message, sequence: UInt64(index) + 1)
        }
        try await checkRoom(for: messages)
        try await appendInBatches(messages)
        return messages.count
    }

    /// Before the first of several appends, of which the daemon checks each by itself.
    private func checkRoom(for messages: [[UInt8]]) async throws(AppendLogError) {
        let log = try await log()
        guard log.configuration == configuration else { throw .fileNotWritable }
        var end = CacheAdvanceLayout.headerBytes + min(log.usedBytes, configuration.maximumBytes)
        for message in messages {
            let storedBytes = CacheAdvanceLayout.storedBytes(messageBytes: message.count)
            switch CacheAdvancePlacement.next(storedBytes: storedBytes, endOfNewest: end, fileLayout) {
            case .fits(let placement): end = placement.end
            case .largerThanCapacity: throw .messageLargerThanCacheCapacity
            case .largerThanRemaining: throw .messageLargerThanRemainingCacheSize
            }
        }
    }

    private var fileLayout: CacheAdvanceConfiguration {
        CacheAdvanceConfiguration(
            maximumBytes: configuration.maximumBytes, overwritesOldest: configuration.overwritesOldest)
    }

    private func exported() async throws(AppendLogError) -> [UInt8] {
        var file = CacheAdvanceFile(fileLayout)
        for entry in try await entries() {
            guard case .fits = file.append(entry.data) else { throw .fileNotWritable }
        }
        return file.bytes
    }

    private func appendInBatches(_ messages: [[UInt8]]) async throws(AppendLogError) {
        var batch: [[UInt8]] = []
        var batchBytes = 0
        for message in messages {
            if !batch.isEmpty,
                batchBytes + message.count > Self.batchBytesMax || batch.count == Self.batchMessagesMax
            {
                try await append(encoded: batch)
                (batch, batchBytes) = ([], 0)
            }
            batch.append(message)
            batchBytes += message.count
        }
        if !batch.isEmpty {
            try await append(encoded: batch)
        }
    }
}
