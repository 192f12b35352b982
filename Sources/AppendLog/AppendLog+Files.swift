import FoundationEssentials
import Interchange
import StoreClient

/// Files of the CacheAdvance library, version 1.
extension AppendLog {
    /// Writes the log's messages to a file that the CacheAdvance library opens with the same size and overwriting. The
    /// file is replaced whole or not at all.
    ///
    /// - Parameter path: where the file is written.
    /// - Throws: ``AppendLogError/fileUnavailable(_:)``, ``AppendLogError/fileNotWritable`` when the log holds
    ///   more than a file of this size does, ``AppendLogError/failed(_:)``.
    public func exportFile(to path: String) async throws(AppendLogError) {
        let file = try await AppendLogError.mapping { () throws(StoreClientError) in
            try await LogFiles.export(name, configuration, client)
        }
        guard let file else { throw .fileNotWritable }
        do {
            try Data(file.bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .fileUnavailable("cannot write \(path): \(error)")
        }
    }

    /// Appends the messages of a file the CacheAdvance library wrote; one of no bytes holds none. The whole file is
    /// read and checked first, and that the log takes all of it; it is not changed, and neither is the log when
    /// anything is wrong with it.
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
            messages = try LogFiles.parse(bytes)?.messages ?? []
        } catch {
            throw .fileCorrupted(offset: error.offset, error.message)
        }
        for (index, message) in messages.enumerated() {
            let _: Message = try decoder.message(message, sequence: UInt64(index) + 1)
        }
        try await AppendLogError.mapping { () throws(StoreClientError) in
            try await LogFiles.append(messages, to: name, configuration, client)
        }
        return messages.count
    }
}
