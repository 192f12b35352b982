/// What a closed loop sends.
protocol Workload {
    /// Names of the kinds of requests, for separate histograms.
    var kinds: [String] { get }
    /// Bytes of the longest frame `makeRequest` writes.
    var requestBytesMax: Int { get }

    /// Writes the next request of a client. Called in the hot loop: must not allocate.
    mutating func makeRequest(
        client: Int, requestID: UInt32, into buffer: UnsafeMutableRawBufferPointer
    ) -> PreparedRequest
}

struct PreparedRequest {
    let byteCount: Int
    /// Index into `Workload.kinds`.
    let kind: Int
    /// Field number of the result that means success.
    let expectedResult: UInt32
}
