import CNats

@testable import ReplicaTransport

extension StreamConnection {
    /// Creates a stream as another program might: in memory, and with the limits that NATS sets by itself.
    func addForeignStream(_ name: String, subjects: [String]) async throws(TransportError) {
        try await queue.run { () throws(TransportError) in
            var code = jsErrCode(rawValue: 0)
            let status = withCStringArray(subjects) { pointers in
                name.withCString { name in
                    var configuration = jsStreamConfig()
                    jsStreamConfig_Init(&configuration)
                    configuration.Name = name
                    configuration.Subjects = pointers
                    configuration.SubjectsLen = Int32(subjects.count)
                    configuration.Storage = js_MemoryStorage
                    return js_AddStream(nil, self.context, &configuration, nil, &code)
                }
            }
            guard status == NATS_OK else { throw TransportError(status, error: code, "a stream could not be made") }
        }
    }
}

private func withCStringArray(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> natsStatus
) -> natsStatus {
    let copies = texts.map { Array($0.utf8CString) }
    let joined = Array(copies.joined())
    return joined.withUnsafeBufferPointer { buffer in
        var pointers: [UnsafePointer<CChar>?] = []
        var offset = 0
        for copy in copies {
            pointers.append(buffer.baseAddress.map { $0 + offset })
            offset += copy.count
        }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
