import Glibc

/// Makes a system call that returns a negative number on failure, and repeats it while signals interrupt it.
///
/// Not for close(2), because Linux has already closed the descriptor if that call is interrupted.
///
/// - Returns: the result of the call, 0 or more.
/// - Throws: `SystemError` with the call's `errno`.
@discardableResult
@inline(__always)
package func withoutInterruption<Result: FixedWidthInteger & SignedInteger>(
    _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        guard result < 0 else { return result }
        guard errno == EINTR else { throw .last }
    }
}

/// Functions that read and write whole buffers with the calls of unistd.h, despite interruptions and partial transfers.
package enum FileDescriptorCalls {
    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Waits for data and reads what is available, for pipes and terminals.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    package static func readSome(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try withoutInterruption { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from an offset in the file until the buffer is full or the file ends. Does not change the descriptor's
    /// position.
    ///
    /// - Returns: the number of bytes read.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try withoutInterruption {
                pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, offset + filled)
            }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Writes all bytes.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try withoutInterruption {
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
        }
    }

    /// Writes all bytes at an offset in the file. Does not change the descriptor's position.
    package static func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            written += try withoutInterruption {
                pwrite(
                    descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written, offset + written)
            }
        }
    }
}

extension FileDescriptorCalls {
    /// Waits for data and appends what is available to the array.
    ///
    /// - Parameter bytesMax: the most bytes to read, above 0.
    /// - Returns: false at the end.
    package static func readSome(
        _ descriptor: Int32, appendingTo bytes: inout [UInt8], bytesMax: Int
    ) throws(SystemError) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: bytesMax))
        var count = 0
        defer { bytes.removeLast(bytesMax - count) }
        count = try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
            try readSome(
                descriptor, into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[start...])))
        }
        return count > 0
    }

    /// Writes all bytes.
    package static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            try write(descriptor, UnsafeRawBufferPointer(buffer))
        }
    }
}
