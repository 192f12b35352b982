import StoreBasics
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreProtocol

private func fields(_ bytes: [UInt8]) throws -> [ProtobufReader.Field] {
    try bytes.withUnsafeBytes { buffer in
        var reader = ProtobufReader(buffer)
        var fields: [ProtobufReader.Field] = []
        while let field = try reader.next() {
            fields.append(field)
        }
        return fields
    }
}

@Suite struct ProtobufReaderTests {
    @Test func `fields of a serialized message are found in order`() throws {
        let message = WireCommit.with {
            $0.revision = 300
            $0.ids = ["a", "bc"]
            $0.isReplayed = true
        }
        let found = try fields(try message.serializedBytes())
        #expect(found.map(\.number) == [1, 2, 2, 6])
        #expect(found[0].value == .varint(300))
        #expect(found[1].value == .bytes(5..<6))
        #expect(found[3].value == .varint(1))
    }

    @Test func `random bytes never trap and always end`() {
        var generator = TestSeeds.generator(11)
        for _ in 0..<TestTier.count(1_000, long: 20_000) {
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? fields(bytes)
        }
    }

    @Test func `bytes that the reader accepts are valid for swift-protobuf too`() {
        var generator = TestSeeds.generator(12)
        var taken = 0
        let count = TestTier.count(2_000, long: 20_000)
        for _ in 0..<count {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: 0...31, using: &generator)
            }
            if (try? fields(bytes)) != nil {
                taken += 1
                // `WirePingRequest` has no fields, so swift-protobuf keeps all bytes as unknown fields and checks only
                // their encoding.
                #expect((try? WirePingRequest(serializedBytes: bytes)) != nil)
            }
        }
        #expect(taken > count / 200)
    }

    @Test(
        arguments: [
            [0x08],  // a tag without a value
            [0x0a, 0x05, 1, 2],  // a length beyond the end
            [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],  // a length near 2^64
            [0x0b, 0x0c],  // group
            [0x00, 0x00],  // field number 0
            [0x0f, 0x00],  // wire type 7
            [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],  // a varint of 11 bytes
            [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],  // a varint above 64 bits
            [0x09, 1, 2, 3],  // a truncated fixed64
            [0x0d, 1],  // a truncated fixed32
        ] as [[UInt8]])
    func `malformed bytes throw a ProtobufFault`(_ bytes: [UInt8]) {
        #expect(throws: ProtobufFault.self) {
            try fields(bytes)
        }
    }

    @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 32, UInt64.max - 1, .max])
    func `a varint is written in its computed size and read back`(_ value: UInt64) throws {
        var bytes = [UInt8](repeating: 0, count: ProtobufSize.varintField(3, value))
        bytes.withUnsafeMutableBytes {
            var writer = ProtobufWriter($0)
            writer.varintField(3, value)
            #expect(writer.isFull)
        }
        #expect(try fields(bytes).map(\.value) == [.varint(value)])
    }

    @Test func `invalid UTF-8 gives no text`() {
        let bytes: [UInt8] = [0x61, 0xff, 0xc3, 0xa9]
        bytes.withUnsafeBytes {
            #expect($0.text(at: 0..<1) == "a")
            #expect($0.text(at: 0..<2) == nil)
            #expect($0.text(at: 2..<4) == "é")
            #expect($0.text(at: 1..<1) == "")
        }
    }
}
