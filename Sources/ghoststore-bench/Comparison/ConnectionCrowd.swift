import Glibc
import StoreClient

/// Many open connections that do nothing.
final class ConnectionCrowd {
    let count: Int
    private var connections: UnsafeMutableBufferPointer<FrameConnection>
    private var openCount = 0

    init(count: Int, socketPath: String) throws(BenchError) {
        self.count = count
        connections = .allocate(capacity: count)
        try Self.raiseDescriptorLimit(to: count + 64)
        for index in 0..<count {
            connections.initializeElement(at: index, to: try FrameConnection(to: socketPath))
            openCount += 1
        }
    }

    /// One ping on each: every connection is known to be served.
    func pingAll() throws(BenchError) {
        for index in 0..<openCount {
            try connections[index].call(expecting: ResultField.ping) { BenchFrames.ping(requestID: $0) }
        }
    }

    func close() {
        for index in 0..<openCount {
            connections.deinitializeElement(at: index)
        }
        openCount = 0
    }

    private static func raiseDescriptorLimit(to count: Int) throws(BenchError) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        guard limit.rlim_cur < rlim_t(count) else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
        guard limit.rlim_cur >= rlim_t(count), setrlimit(resource, &limit) == 0 else {
            throw BenchError("only \(limit.rlim_max) files may be open; hint: ulimit -n \(count)")
        }
    }

    deinit {
        close()
        connections.deallocate()
    }
}
