package import Interchange
package import StoreClient

/// Conversion between logs of the store and files of the CacheAdvance library.
package enum LogFiles {
    private static let batchMessagesMax = StoreClient.entriesPerRequestMax
    /// The most bytes of one append, far below the daemon's limit.
    private static let batchBytesMax = 4 << 20

    /// Parses a file.
    ///
    /// - Returns: `nil` for an empty file, which was created but never written to and has no configuration.
    package static func parse(_ bytes: [UInt8]) throws(InterchangeError) -> CacheAdvanceFile? {
        bytes.isEmpty ? nil : try CacheAdvanceFile(parsing: bytes)
    }

    /// Returns the log's current messages in a file of the given configuration. Messages that are appended during the
    /// export may be missing; messages that are overwritten before the export reaches them are missing.
    ///
    /// - Returns: `nil` if the messages do not fit into such a file.
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

    /// Appends messages to a log of this configuration. More messages than fit into one append are appended in several
    /// parts, after a check that all of them fit. Each part is appended completely or not at all. If other programs
    /// change the log in the meantime, or the store fails, earlier parts may stay in the log.
    ///
    /// - Throws: `.logNotWritable`, `.logMessageTooLarge`, `.logFull`, and errors of the client.
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

    /// Checks before the first of several appends that all messages fit, because the daemon checks each append
    /// separately.
    private static func checkRoom(
        for messages: [[UInt8]], in log: Log, _ configuration: LogConfiguration
    ) throws(StoreClientError) {
        guard log.configuration == configuration else {
            throw StoreClientError(
                code: .failedPrecondition, reason: .logNotWritable,
                message: "the log was created with a different configuration than the given one; nothing was appended")
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
    /// Creates the configuration of a log with the size and the overwriting policy of a CacheAdvance file.
    package init(_ file: CacheAdvanceConfiguration) {
        self.init(maximumBytes: file.maximumBytes, overwritesOldest: file.overwritesOldest)
    }

    fileprivate var ofFile: CacheAdvanceConfiguration {
        CacheAdvanceConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest)
    }
}
