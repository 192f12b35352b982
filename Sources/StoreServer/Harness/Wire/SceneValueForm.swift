import FoundationEssentials
import StoreBasics
import StoreEngine
import StoreProtocol

/// The canonical form of a serialized `SceneValue`. Equal values have equal bytes, so that the engine can compare
/// values without decoding them. Numbers have the shortest encoding, dictionaries are sorted by the bytes of their
/// keys, and unknown fields are dropped.
enum SceneValueForm {
    /// - Throws: `StoreError` with reason `.invalidArgument` for a value that is too large, is too deep or has no kind,
    ///   and for a dictionary with a duplicate key; `.requestMalformed` for bytes that are not a SceneValue.
    static func canonical(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) throws(StoreError) -> [UInt8] {
        guard range.count <= EngineLimits.sceneValueBytesMax else {
            throw .invalidArgument(
                "a value has \(range.count) bytes; the limit is \(EngineLimits.sceneValueBytesMax)")
        }
        var writer = BackwardWriter(byteCountMax: range.count)
        try write(buffer, range, depth: 1, to: &writer)
        return writer.bytes
    }

    /// Returns the canonical form of a value that is not part of another message.
    static func canonical(_ value: Data) throws(StoreError) -> [UInt8] {
        let bytes = [UInt8](value)
        return try bytes.withUnsafeBufferPointer { (buffer) throws(StoreError) in
            try canonical(UnsafeRawBufferPointer(buffer), 0..<buffer.count)
        }
    }

    private static func write(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int, to writer: inout BackwardWriter
    ) throws(StoreError) {
        guard depth <= EngineLimits.sceneValueNestingMax else {
            throw .invalidArgument("a value is nested more than \(EngineLimits.sceneValueNestingMax) levels deep")
        }
        var message = CallMessage(buffer, range)
        var found: (kind: Kind, value: ProtobufReader.Value, end: Int)?
        while let field = try message.next() {
            guard let kind = Kind(rawValue: field.number) else { continue }
            guard found == nil else { throw .malformedCall }
            found = (kind, field.value, message.offset)
        }
        guard let found else { throw .invalidArgument("the kind of a value is unknown to this daemon") }
        try write(found.kind, found.value, endingAt: found.end, buffer, depth: depth, to: &writer)
    }

    private static func write(
        _ kind: Kind, _ value: ProtobufReader.Value, endingAt end: Int, _ buffer: UnsafeRawBufferPointer, depth: Int,
        to writer: inout BackwardWriter
    ) throws(StoreError) {
        let number = UInt8(kind.rawValue)
        switch Content(kind, value) {
        case .number(let content):
            writer.varint(kind == .boolean && content != 0 ? 1 : content)
            writer.tag(number, wireType: 0)
        case .fixed32:
            writer.raw(buffer, (end - 4)..<end)
            writer.tag(number, wireType: 5)
        case .fixed64:
            writer.raw(buffer, (end - 8)..<end)
            writer.tag(number, wireType: 1)
        case .text(let range):
            guard buffer.isUTF8(at: range) else { throw .malformedCall }
            writer.field(number, buffer, range)
        case .data(let range):
            writer.field(number, buffer, range)
        case .array(let range):
            let position = writer.position
            for element in try elements(buffer, range).reversed() {
                try writeNested(1, buffer, element, depth: depth, to: &writer)
            }
            writer.endField(number, since: position)
        case .dictionary(let range):
            let position = writer.position
            try writeEntries(buffer, range, depth: depth, to: &writer)
            writer.endField(number, since: position)
        case nil:
            throw .malformedCall
        }
    }

    private static func writeNested(
        _ number: UInt8, _ buffer: UnsafeRawBufferPointer, _ value: Range<Int>, depth: Int,
        to writer: inout BackwardWriter
    ) throws(StoreError) {
        let position = writer.position
        try write(buffer, value, depth: depth + 1, to: &writer)
        writer.endField(number, since: position)
    }

    /// Returns the ranges of the elements of an array, or of the entries of a dictionary.
    private static func elements(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(StoreError) -> [Range<Int>] {
        var message = CallMessage(buffer, range)
        var elements: [Range<Int>] = []
        while let next = try message.next() {
            if next.number == 1, case .bytes(let element) = next.value {
                elements.append(element)
            } else {
                try message.expectUnknown(next, known: 1...1)
            }
        }
        return elements
    }

    private struct Entry {
        var key: Range<Int>
        var value: Range<Int>
    }

    private static func writeEntries(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>, depth: Int, to writer: inout BackwardWriter
    ) throws(StoreError) {
        var entries: [Entry] = []
        for element in try elements(buffer, range) {
            entries.append(try entry(buffer, element))
        }
        entries.sort { buffer[$0.key].lexicographicallyPrecedes(buffer[$1.key]) }
        for index in entries.indices.dropFirst()
        where buffer[entries[index - 1].key].elementsEqual(buffer[entries[index].key]) {
            throw .invalidArgument("a dictionary has a key twice")
        }
        for entry in entries.reversed() {
            let position = writer.position
            try writeNested(2, buffer, entry.value, depth: depth, to: &writer)
            if !entry.key.isEmpty {
                writer.field(1, buffer, entry.key)
            }
            writer.endField(1, since: position)
        }
    }

    private static func entry(
        _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(StoreError) -> Entry {
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
}

// MARK: Grammar

extension SceneValueForm {
    /// The field numbers of `SceneValue.kind`.
    private enum Kind: UInt32 {
        case string = 1
        case integer, float, double, boolean, url, data, date, array, dictionary
    }

    /// The content of a value, by its wire type.
    private enum Content {
        case number(UInt64)
        case fixed32
        case fixed64
        case text(Range<Int>)
        case data(Range<Int>)
        case array(Range<Int>)
        case dictionary(Range<Int>)

        /// Returns `nil` if the value does not have the wire type of its kind.
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

    /// Returns true if bytes from the store are a `SceneValue` that every client can decode: complete, and with valid
    /// UTF-8. Without this check, an attacker who replaces a page of the database by an older one, whose authentication
    /// is still valid, could put any bytes into an answer.
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

/// Writes a message from its end to its beginning. A nested message is complete before its length is written, so each
/// byte is written only once, at any depth.
private struct BackwardWriter {
    private var storage: [UInt8]
    /// The beginning of the bytes written so far.
    private(set) var position: Int

    /// - Parameter byteCountMax: The largest size of the whole message.
    init(byteCountMax: Int) {
        storage = [UInt8](repeating: 0, count: byteCountMax)
        position = byteCountMax
    }

    var bytes: [UInt8] {
        position == 0 ? storage : Array(storage[position...])
    }

    mutating func raw(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) {
        makeRoom(range.count)
        let start = position
        storage.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[start..<(start + range.count)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[range]))
        }
    }

    mutating func varint(_ value: UInt64) {
        let count = max(1, (64 - value.leadingZeroBitCount + 6) / 7)
        makeRoom(count)
        for index in 0..<count {
            let bits = UInt8(truncatingIfNeeded: value >> UInt64(7 * index)) & 0x7f
            storage[position + index] = index == count - 1 ? bits : bits | 0x80
        }
    }

    mutating func tag(_ number: UInt8, wireType: UInt8) {
        makeRoom(1)
        storage[position] = number << 3 | wireType
    }

    mutating func field(_ number: UInt8, _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) {
        let end = position
        raw(buffer, range)
        endField(number, since: end)
    }

    /// Ends a field whose content is everything written since `end`.
    mutating func endField(_ number: UInt8, since end: Int) {
        varint(UInt64(end - position))
        tag(number, wireType: 2)
    }

    /// Makes room at the front. The canonical form is never longer than the original; if it were, the storage would
    /// grow.
    private mutating func makeRoom(_ count: Int) {
        if position < count {
            let added = storage.count + count
            storage.insert(contentsOf: repeatElement(0, count: added), at: 0)
            position += added
        }
        position -= count
    }
}
