/// Walks over the fields of one protobuf message without copying.
struct ProtobufReader {
    struct Field {
        let number: UInt32
        /// The value of a varint or fixed-size field.
        let unsigned: UInt64
        /// The content of a length-delimited field.
        let content: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// - Returns: `nil` at the end, and where the bytes are not a message.
    @inline(__always)
    mutating func next() -> Field? {
        guard position < bytes.count, let tag = varint(), let number = UInt32(exactly: tag >> 3) else {
            return nil
        }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        switch tag & 7 {
        case 0:
            return varint().map { Field(number: number, unsigned: $0, content: nothing) }
        case 2:
            guard let length = varint(), length <= UInt64(bytes.count - position) else {
                return nil
            }
            let content = UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)])
            position += Int(length)
            return Field(number: number, unsigned: 0, content: content)
        case 1, 5:
            position += tag & 7 == 1 ? 8 : 4
            return position <= bytes.count ? Field(number: number, unsigned: 0, content: nothing) : nil
        default:
            return nil
        }
    }

    @inline(__always)
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                return value
            }
            shift += 7
        }
        return nil
    }
}
