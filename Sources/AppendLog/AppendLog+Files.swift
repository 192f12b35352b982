import FoundationEssentials
import Interchange
import StoreClient

/// Export of a log to a file of the CacheAdvance library, and import of such a file. The files have version 1 of the
/// library's format.
extension AppendLog {
    /// Writes the log's messages to a file that the CacheAdvance library can open, with the log's size and overwriting
    /// policy. The file is replaced completely or not at all.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: ``AppendLogError/fileUnavailable(_:)``, ``AppendLogError/fileNotWritable`` if the log has more content
    ///   than fits into a file of this size, ``AppendLogError/failed(_:)``.
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

    /// Appends the messages of a file that the CacheAdvance library wrote; an empty file has none. First reads the
    /// whole file and checks that the log has room for it. If a check fails, the log is unchanged. The file is never
    /// changed.
    ///
    /// A large file is appended in several parts, each completely or not at all. If an error occurs between two parts
    /// (the daemon stopped, or other programs filled the log in the meantime), the earlier parts stay in the log.
    /// Importing the file again would append them twice.
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: the number of messages in the file.
    /// - Throws: ``AppendLogError/fileUnavailable(_:)``, ``AppendLogError/fileCorrupted(offset:_:)``,
    ///   ``AppendLogError/messageUnreadable(sequence:)``, ``AppendLogError/fileNotWritable``,
    ///   ``AppendLogError/messageLargerThanCacheCapacity``, ``AppendLogError/messageLargerThanRemainingCacheSize``,
    ///   ``AppendLogError/failed(_:)``.
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
