import StoreBasics
import Testing

/// Messages whose fields are written and read by hand, including fields of other protocol versions.
@Suite struct TaggedFieldTests {
    private struct Message: Equatable {
        var number: UInt64 = 0
        var text = ""
        var unknown: [UInt8] = []

        init(_ bytes: [UInt8]) throws {
            self = try bytes.withUnsafeBytes { buffer in
                var fields = TaggedFields(buffer)
                var message = Message()
                while let field = try fields.next() {
                    switch field.number {
                    case 1: message.number = try field.unsigned()
                    case 3: message.text = try field.text()
                    default: fields.keep(field)
                    }
                }
                message.unknown = fields.unknown
                return message
            }
        }

        private init() {}

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(field: 1, number)
            bytes.append(field: 3, text)
            return bytes.inserting(unknown: unknown)
        }
    }

    @Test func `a message is encoded as in protobuf`() throws {
        var bytes: [UInt8] = []
        bytes.append(field: 1, 150)
        bytes.append(field: 2, signed: -1)
        bytes.append(field: 3, "testing")
        bytes.append(field: 4, true)
        bytes.append(field: 16, present: [UInt8]())
        let negative: [UInt8] = [0x10] + [UInt8](repeating: 0xff, count: 9) + [0x01]
        let text = [0x1a, 7] + Array("testing".utf8)
        #expect(bytes == [0x08, 0x96, 0x01] + negative + text + [0x20, 1, 0x82, 0x01, 0])
        var empty: [UInt8] = []
        empty.append(field: 1, 0)
        empty.append(field: 2, "")
        empty.append(field: 3, [UInt8]())
        empty.append(field: 4, false)
        #expect(empty == [])
    }

    /// Each input has unknown fields before, between or after the known ones: numbers, bytes and both fixed widths.
    @Test(
        arguments: [
            [0x08, 5, 0x10, 7, 0x1a, 1, 97], [0x08, 5, 0x1a, 1, 97, 0x22, 2, 1, 2], [0x11, 1, 2, 3, 4, 5, 6, 7, 8],
            [0x1a, 1, 97, 0x25, 1, 2, 3, 4], [0x1a, 1, 97, 0x22, 1, 9, 0x22, 1, 8, 0xf8, 0xff, 0xff, 0xff, 0x0f, 0],
        ] as [[UInt8]])
    func `unknown fields keep their bytes and their order`(bytes: [UInt8]) throws {
        #expect(try Message(bytes).bytes == bytes)
    }

    @Test func `fields are sorted by number, and fields with the same number keep their order`() throws {
        let message = try Message([0x22, 1, 9, 0x10, 7, 0x1a, 1, 97, 0x22, 1, 8, 0x08, 5])
        #expect(message.unknown == [0x10, 7, 0x22, 1, 9, 0x22, 1, 8])
        #expect(message.bytes == [0x08, 5, 0x10, 7, 0x1a, 1, 97, 0x22, 1, 9, 0x22, 1, 8])
    }

    @Test(
        arguments: [
            [0x0a, 1, 5], [0x18, 5], [0x1a, 1, 0xff], [0x1a, 2, 97], [0x08], [0x00, 1], [0x13, 0x14], [0x25, 1, 2, 3],
        ] as [[UInt8]])
    func `bytes that are not a message, or have a known field of another kind, are refused`(bytes: [UInt8]) {
        #expect(throws: ProtobufFault.self) { try Message(bytes) }
    }
}
