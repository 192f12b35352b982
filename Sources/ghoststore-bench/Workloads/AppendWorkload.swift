import StoreClient

/// Appends one message per request to one log, which all clients share.
struct AppendWorkload: Workload {
    private static let log = "bench"
    private static let configuration = LogConfiguration(maximumBytes: 1 << 20, overwritesOldMessages: true)
    /// About the content of one saved message.
    static let messageBytes = 200
    /// Messages the log holds when it is full: 204 bytes each.
    static let messagesMax = (1 << 20) / (messageBytes + 4)

    let kinds = ["append"]
    private let template = RequestTemplate {
        BenchFrames.appendLog(
            requestID: $0, name: AppendWorkload.log,
            message: [UInt8](repeating: 0x78, count: AppendWorkload.messageBytes))
    }

    static func openLog(socketPath: String) async throws {
        let client = try await StoreClient.connect(to: socketPath)
        try await client.openLog(log, configuration)
        await client.close()
    }

    var requestBytesMax: Int { template.byteCount }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        PreparedRequest(
            byteCount: template.write(requestID: requestID, to: buffer), kind: 0, expectedResult: ResultField.appendLog)
    }
}
