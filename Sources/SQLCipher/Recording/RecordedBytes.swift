/// Bytes that statements are recorded into: grows as needed and is used again, so that recording allocates nothing.
///
/// Touched by the thread of its connection only.
final class RecordedBytes {
    /// What is kept for the next use.
    private static let keptBytesMax = 256 << 10

    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 256) {
        self.capacity = capacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Lets go of the end.
    func shorten(to count: Int) {
        precondition((0...self.count).contains(count), "bytes are shortened to some of their own")
        self.count = count
    }

    /// Gives back what a large value has taken.
    func release() {
        count = 0
        guard capacity > Self.keptBytesMax else { return }
        base.deallocate()
        capacity = 256
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let start = bytes.baseAddress {
            (base + count).copyMemory(from: start, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// As many zero bytes.
    func append(zeros: Int) {
        reserve(zeros)
        (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: zeros)
        count += zeros
    }

    /// Seven bits a byte, the lowest first (LEB128).
    @inline(__always)
    func append(leb128 number: UInt64) {
        reserve(10)
        var rest = number
        while rest >= 0x80 {
            base.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
            count += 1
            rest >>= 7
        }
        base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    private func reserve(_ more: Int) {
        if count + more > capacity {
            grow(more)
        }
    }

    private func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        grown.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = grown
    }
}
