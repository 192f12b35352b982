import Interchange
import StoreClient

/// Between a log of the store and a CacheAdvance file.
enum LogTransfer {
    private static let pageMessages = 1_000
    /// Of one append: far below what a frame holds.
    private static let batchBytesMax = 4 << 20

    /// The log's messages as they are now. What is appended while it runs may be in the file or not; what is
    /// overwritten before it is read is not.
    static func export(_ name: String, _ client: StoreClient) async throws -> CacheAdvanceFile {
        let log = try await client.log(name)
        var file = CacheAdvanceFile(
            CacheAdvanceConfiguration(
                maximumBytes: log.configuration.maximumBytes,
                overwritesOldest: log.configuration.overwritesOldest))
        var last: UInt64 = 0
        var hasMore = true
        while hasMore {
            let page = try await client.logMessages(name, after: last, limit: pageMessages)
            for entry in page.entries {
                guard case .fits = file.append(entry.data) else {
                    throw CommandFailure(.internalFailure, "the log holds more than its file has room for")
                }
            }
            last = page.entries.last?.sequence ?? last
            hasMore = page.hasMore
        }
        return file
    }

    /// - Returns: how many messages were appended.
    static func `import`(_ file: CacheAdvanceFile, into name: String, _ client: StoreClient) async throws -> Int {
        let configuration = LogConfiguration(
            maximumBytes: file.configuration.maximumBytes,
            overwritesOldest: file.configuration.overwritesOldest)
        let log = try await client.openLog(name, configuration)
        guard log.configuration == configuration else {
            throw CommandFailure(
                .precondition, "the log exists with another configuration than the file; import it under another name")
        }
        var batch: [[UInt8]] = []
        var batchBytes = 0
        for message in file.messages {
            if !batch.isEmpty, batchBytes + message.count > batchBytesMax || batch.count == pageMessages {
                try await client.append(batch, toLog: name, expecting: configuration)
                (batch, batchBytes) = ([], 0)
            }
            batch.append(message)
            batchBytes += message.count
        }
        if !batch.isEmpty {
            try await client.append(batch, toLog: name, expecting: configuration)
        }
        return file.messageCount
    }
}
