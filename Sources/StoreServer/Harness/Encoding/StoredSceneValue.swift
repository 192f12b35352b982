internal import StoreEngine
internal import StoreProtocol

/// Looks into values of scenes as they come out of the store, where they are bytes that go into answers as they are.
enum StoredSceneValue {
    /// Whether the bytes are a `SceneValue` that every client can decode: each part in its place, each text UTF-8.
    /// Without that a page of another time, which authenticates, could put anything into an answer.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            (try? isValue(buffer, 0..<buffer.count, depth: 1)) ?? false
        }
    }

    private static func isValue(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(ProtobufFault) -> Bool {
        var reader = ProtobufReader(buffer, range: range)
        guard depth <= EngineLimits.sceneValueNestingMax, let field = try reader.next(), try reader.next() == nil else {
            return false
        }
        switch (field.number, field.value) {
        case (1, .bytes(let text)), (6, .bytes(let text)): return isText(buffer, text)
        case (7, .bytes): return true
        case (2, .varint), (5, .varint), (8, .varint), (3, .fixed32), (4, .fixed64): return true
        case (9, .bytes(let array)): return try isList(buffer, array, depth: depth, isValue)
        case (10, .bytes(let dictionary)): return try isList(buffer, dictionary, depth: depth, isEntry)
        default: return false
        }
    }

    private static func isList(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int,
        _ isElement: (UnsafeRawBufferPointer, Range<Int>, _ depth: Int) throws(ProtobufFault) -> Bool
    ) throws(ProtobufFault) -> Bool {
        var reader = ProtobufReader(buffer, range: range)
        while let field = try reader.next() {
            guard field.number == 1, case .bytes(let element) = field.value,
                try isElement(buffer, element, depth + 1)
            else { return false }
        }
        return true
    }

    private static func isEntry(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(ProtobufFault) -> Bool {
        var reader = ProtobufReader(buffer, range: range)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let key)) where isText(buffer, key): continue
            case (2, .bytes(let value)): guard try isValue(buffer, value, depth: depth) else { return false }
            default: return false
            }
        }
        return true
    }

    private static func isText(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[range]).bindMemory(to: UInt8.self)
        return (try? UTF8Span(validating: bytes.span)) != nil
    }
}
