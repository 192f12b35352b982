#if canImport(Glibc)
import Glibc
#endif

/// A recovery code the daemon just made: printable ASCII, shown once. Lives in memory that is locked and wiped at the
/// end; write it to where the person keeps it.
public struct RecoveryCodeOutput: ~Copyable, Sendable {
    let bytes: LockedBytes

    /// Bytes of the code, without a newline.
    public var count: Int {
        bytes.count
    }

    /// Writes the code and a newline.
    public borrowing func write(to descriptor: CInt) throws(StoreClientError) {
        try bytes.withUnsafeBytes { (code) throws(StoreClientError) in
            try DescriptorWriter.write(code, to: descriptor)
        }
        let newline = UInt8(ascii: "\n")
        try withUnsafeBytes(of: newline) { (byte) throws(StoreClientError) in
            try DescriptorWriter.write(byte, to: descriptor)
        }
    }

    /// Turns the code into the secret that opens its slot, to check that it works.
    public consuming func secret() throws(StoreClientError) -> SecretInput {
        try bytes.withUnsafeBytes { (code) throws(StoreClientError) in
            var copy = try LockedBytes(copying: code)
            return try copy.withUnsafeMutableBytes { (memory) throws(StoreClientError) in
                try SecretInput(kind: .recoveryCode, copyingAndWiping: memory)
            }
        }
    }
}

/// write(2) until everything is written.
enum DescriptorWriter {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(StoreClientError) {
        guard let start = bytes.baseAddress else {
            return
        }
        var offset = 0
        while offset < bytes.count {
            let written = Glibc.write(descriptor, start + offset, bytes.count - offset)
            if written < 0 && errno == EINTR {
                continue
            }
            guard written >= 0 else {
                throw StoreClientError.systemCall("could not write", errno: errno)
            }
            offset += written
        }
    }

    /// For prompts, where a failure shows in the read that follows.
    static func writeIgnoringFailure(_ bytes: [UInt8], to descriptor: CInt) {
        bytes.withUnsafeBytes { memory in
            try? write(memory, to: descriptor)
        }
    }
}
