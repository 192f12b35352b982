package import Interchange
package import StoreClient

/// Between logs of the store and files of the CacheAdvance library.
package enum LogFiles {
    private static let batchMessagesMax = StoreClient.entriesPerRequestMax
    /// Bytes of one append: far below what the daemon takes at once.
    private static let batchBytesMax = 4 << 20

    /// The messages of a file.
    ///
    /// - Returns: none of a file of no bytes, which was made and never written to, and has no configuration either.
    package static func parse(_ bytes: [UInt8]) throws(InterchangeError) -> CacheAdvanceFile? {
        bytes.isEmpty ? nil : try CacheAdvanceFile(parsing: bytes)
    }

    /// The log's messages as they are now, in a file of the given configuration. What is appended while it runs may be
    /// in the file or not; what is overwritten before it is read is not.
    ///
    /// - Returns: `nil` where they do not fit such a file.
    package static func export(
        _ name: String, _ configuration: LogConfiguration, _ client: StoreClient
    ) async throws(StoreClientError) -> CacheAdvanceFile? {
        var file = CacheAdvanceFile(configuration.ofFile)
        var pages = client.logEntries(name).pages.makeAsyncIterator()
        while let page = try await pages.next() {
            for entry in page.entries {
                guard case .fits = file.append(entry.data) else { return nil }
            }
        }
        return file
    }

    /// Appends messages to a log of this configuration: none of them when it cannot take all. More than one append
    /// holds are appended in several parts, each all or none, after it was checked that all of them fit; only what
    /// others do to the log meanwhile, or a failure of the store, can then leave the parts before it.
    ///
    /// - Throws: `.logNotWritable`, `.logMessageTooLarge`, `.logFull`, and what the client's calls throw.
    package static func append(
        _ messages: [[UInt8]], to name: String, _ configuration: LogConfiguration, _ client: StoreClient
    ) async throws(StoreClientError) {
        guard messages.allSatisfy({ $0.count <= LogEntry.bytesMax }) else { throw messageTooLarge }
        let batches = messages.batches(countMax: batchMessagesMax, bytesMax: batchBytesMax, bytes: \.count)
        if batches.count > 1 {
            try checkRoom(for: messages, in: try await client.log(name), configuration)
        }
        for batch in batches {
            try await client.append(Array(messages[batch]), toLog: name, expecting: configuration)
        }
    }

    /// Before the first of several appends, of which the daemon checks each by itself.
    private static func checkRoom(
        for messages: [[UInt8]], in log: Log, _ configuration: LogConfiguration
    ) throws(StoreClientError) {
        guard log.configuration == configuration else {
            throw StoreClientError(
                code: .failedPrecondition, reason: .logNotWritable,
                message: "the log was created with a different configuration; nothing was appended")
        }
        var end = CacheAdvanceLayout.headerBytes + min(log.usedBytes, configuration.maximumBytes)
        for message in messages {
            let storedBytes = CacheAdvanceLayout.storedBytes(messageBytes: message.count)
            switch CacheAdvancePlacement.next(
                storedBytes: storedBytes, endOfNewest: end, configuration.ofFile)
            {
            case .fits(let placement): end = placement.end
            case .largerThanCapacity: throw messageTooLarge
            case .largerThanRemaining:
                throw StoreClientError(
                    code: .failedPrecondition, reason: .logFull,
                    message: "the log has no room for all \(messages.count) messages; nothing was appended")
            }
        }
    }

    private static var messageTooLarge: StoreClientError {
        StoreClientError(
            code: .invalidArgument, reason: .logMessageTooLarge,
            message: "a message is larger than the log or than \(LogEntry.bytesMax) bytes; nothing was appended")
    }
}

extension LogConfiguration {
    /// The same of a file.
    package init(_ file: CacheAdvanceConfiguration) {
        self.init(maximumBytes: file.maximumBytes, overwritesOldest: file.overwritesOldest)
    }

    fileprivate var ofFile: CacheAdvanceConfiguration {
        CacheAdvanceConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest)
    }
}
