import StoreBasics
import StoreEngine
import StoreProtocol

/// The one form of a serialized `SceneValue`: equal values have equal bytes, so that the engine can compare what it
/// does not understand. Numbers are written shortest, dictionaries by the bytes of their keys, and what is not known is
/// dropped.
enum SceneValueForm {
    /// - Throws: `RequestFailure` with reason `.invalidArgument` for a value without a kind, too large or too deep, and
    ///   for a key that a dictionary has twice; `.requestMalformed` for what is not a SceneValue.
    static func canonical(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) throws(RequestFailure) -> [UInt8] {
        guard range.count <= EngineLimits.sceneValueBytesMax else {
            throw .invalidArgument(
                "a value has \(range.count) bytes; the most is \(EngineLimits.sceneValueBytesMax)")
        }
        return try value(buffer, range, depth: 1)
    }

    private static func value(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(RequestFailure) -> [UInt8] {
        guard depth <= EngineLimits.sceneValueNestingMax else {
            throw .invalidArgument("a value has more than \(EngineLimits.sceneValueNestingMax) levels")
        }
        var message = CallMessage(buffer, range)
        var output: [UInt8]?
        while let field = try message.next() {
            guard let kind = Kind(rawValue: field.number) else { continue }
            guard output == nil else { throw .malformedCall }
            output = try encoded(kind, field.value, endingAt: message.offset, buffer, depth: depth)
        }
        guard let output else { throw .invalidArgument("a value has no kind that this daemon knows") }
        return output
    }

    private static func encoded(
        _ kind: Kind, _ value: ProtobufReader.Value, endingAt end: Int, _ buffer: UnsafeRawBufferPointer, depth: Int
    ) throws(RequestFailure) -> [UInt8] {
        let tag = UInt8(kind.rawValue << 3)
        switch Content(kind, value) {
        case .number(let number):
            var output = [tag]
            output.append(leb128: kind == .boolean && number != 0 ? 1 : number)
            return output
        case .fixed32:
            return [tag | 5] + buffer[(end - 4)..<end]
        case .fixed64:
            return [tag | 1] + buffer[(end - 8)..<end]
        case .text(let range):
            guard buffer.isUTF8(at: range) else { throw .malformedCall }
            return field(tag, buffer[range])
        case .data(let range):
            return field(tag, buffer[range])
        case .array(let range):
            return field(tag, try array(buffer, range, depth: depth))
        case .dictionary(let range):
            return field(tag, try dictionary(buffer, range, depth: depth))
        case nil:
            throw .malformedCall
        }
    }

    private static func array(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(RequestFailure) -> [UInt8] {
        var message = CallMessage(buffer, range)
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        while let next = try message.next() {
            guard next.number == 1, case .bytes(let element) = next.value else {
                try message.expectUnknown(next, known: 1...1)
                continue
            }
            append(1 << 3, try value(buffer, element, depth: depth + 1), to: &output)
        }
        return output
    }

    private struct Entry {
        var key: Range<Int>
        var value: Range<Int>
    }

    private static func dictionary(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(RequestFailure) -> [UInt8] {
        var message = CallMessage(buffer, range)
        var entries: [Entry] = []
        while let next = try message.next() {
            guard next.number == 1, case .bytes(let range) = next.value else {
                try message.expectUnknown(next, known: 1...1)
                continue
            }
            entries.append(try entry(buffer, range))
        }
        entries.sort { buffer[$0.key].lexicographicallyPrecedes(buffer[$1.key]) }
        var output: [UInt8] = []
        output.reserveCapacity(range.count)
        for (index, entry) in entries.enumerated() {
            if index > 0, buffer[entries[index - 1].key].elementsEqual(buffer[entry.key]) {
                throw .invalidArgument("a dictionary has a key twice")
            }
            var bytes = entry.key.isEmpty ? [] : field(1 << 3, buffer[entry.key])
            append(2 << 3, try value(buffer, entry.value, depth: depth + 1), to: &bytes)
            append(1 << 3, bytes, to: &output)
        }
        return output
    }

    private static func entry(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(RequestFailure) -> Entry {
        var message = CallMessage(buffer, range)
        var key: Range<Int>?
        var value: Range<Int>?
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let range)) where key == nil && buffer.isUTF8(at: range): key = range
            case (2, .bytes(let range)) where value == nil: value = range
            default: try message.expectUnknown(field, known: 1...2)
            }
        }
        guard let value else { throw .invalidArgument("an entry of a dictionary has no value") }
        return Entry(key: key ?? range.lowerBound..<range.lowerBound, value: value)
    }

    // MARK: Bytes

    private static func field(_ tag: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 6)
        append(tag, bytes, to: &output)
        return output
    }

    private static func append(_ tag: UInt8, _ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        output.append(tag | 2)
        output.append(variableLength: bytes.count)
        output.append(contentsOf: bytes)
    }
}

// MARK: Grammar

extension SceneValueForm {
    /// Field numbers of `SceneValue.kind`.
    private enum Kind: UInt32 {
        case string = 1
        case integer, float, double, boolean, url, data, date, array, dictionary
    }

    /// What a kind of value holds.
    private enum Content {
        case number(UInt64)
        case fixed32
        case fixed64
        case text(Range<Int>)
        case data(Range<Int>)
        case array(Range<Int>)
        case dictionary(Range<Int>)

        /// `nil` where the kind has another wire type.
        init?(_ kind: Kind, _ value: ProtobufReader.Value) {
            switch (kind, value) {
            case (.integer, .varint(let number)), (.date, .varint(let number)), (.boolean, .varint(let number)):
                self = .number(number)
            case (.float, .fixed32): self = .fixed32
            case (.double, .fixed64): self = .fixed64
            case (.string, .bytes(let range)), (.url, .bytes(let range)): self = .text(range)
            case (.data, .bytes(let range)): self = .data(range)
            case (.array, .bytes(let range)): self = .array(range)
            case (.dictionary, .bytes(let range)): self = .dictionary(range)
            case (_, _): return nil
            }
        }
    }

    /// Whether bytes from the store are a `SceneValue` that every client can decode: each part in its place, each text
    /// UTF-8. Without that a page of another time, which authenticates, could put anything into an answer.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            (try? isValue(buffer, 0..<buffer.count, depth: 1)) ?? false
        }
    }

    private static func isValue(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int
    ) throws(ProtobufFault) -> Bool {
        var reader = ProtobufReader(buffer, range: range)
        guard depth <= EngineLimits.sceneValueNestingMax, let field = try reader.next(), try reader.next() == nil,
            let kind = Kind(rawValue: field.number)
        else { return false }
        switch Content(kind, field.value) {
        case .number, .fixed32, .fixed64, .data: return true
        case .text(let text): return buffer.isUTF8(at: text)
        case .array(let array): return try isList(buffer, array, depth: depth, isValue)
        case .dictionary(let dictionary): return try isList(buffer, dictionary, depth: depth, isEntry)
        case nil: return false
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
            case (1, .bytes(let key)) where buffer.isUTF8(at: key): continue
            case (2, .bytes(let value)): guard try isValue(buffer, value, depth: depth) else { return false }
            default: return false
            }
        }
        return true
    }
}
