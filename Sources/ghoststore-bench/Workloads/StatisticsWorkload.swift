import StoreClient

/// Gets the store's counters.
struct StatisticsWorkload: Workload {
    let kinds = ["statistics"]
    private let template = RequestTemplate { BenchFrames.getStatistics(requestID: $0) }

    var requestBytesMax: Int { template.byteCount }

    @inline(__always)
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest {
        PreparedRequest(
            byteCount: template.write(requestID: requestID, to: buffer), kind: 0,
            expectedResult: ResultField.statistics)
    }
}
