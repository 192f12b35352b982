import StoreClient

/// The log of a run, which all clients append to.
enum SampleLog {
    static let name = "bench"
    private static let configuration = LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true)
    /// About the content of one saved message.
    static let messageBytes = 200
    /// Messages the log holds when it is full: 204 bytes each.
    static let messagesMax = (1 << 20) / (messageBytes + 4)

    static func open(socketPath: String) async throws {
        let client = try await StoreClient.connect(to: socketPath)
        try await client.openLog(name, configuration)
        await client.close()
    }
}
