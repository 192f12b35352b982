import StoreBasics
import StoreEngine
import StoreProtocol

// Values of the engine as fields of protobuf messages, without building protobuf types. The code that clients/generator
// writes (Generated/Writers.swift) calls these functions. The compiler inlines them, so that no call goes through a
// witness table.

/// A value of one field: an integer, a text or bytes.
protocol FieldValue {
    /// True for the default value, which proto3 omits if the field has no explicit presence.
    var isLeftOut: Bool { get }
    /// Returns the size of the field with its tag.
    func fieldSize(_ number: UInt32) -> Int
    func write(_ number: UInt32, to writer: inout ProtobufWriter)
}

/// A value of the engine that is encoded as a message.
protocol WrittenMessage {
    /// The number of bytes of the message, without tag and length.
    var protobufSize: Int { get }
    /// Writes exactly `protobufSize` bytes.
    func write(to writer: inout ProtobufWriter)
}

extension WrittenMessage {
    /// The message as protobuf, without tag and length.
    var protobufBytes: [UInt8] {
        let byteCount = protobufSize
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { memory, count in
            var writer = ProtobufWriter(
                UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[..<byteCount])))
            write(to: &writer)
            precondition(writer.isFull, "a message must have the computed size")
            count = byteCount
        }
    }
}

extension ProtobufSize {
    /// Returns the size of a field, which is 0 for the default value and for `nil`.
    @inline(__always)
    static func field<Value: FieldValue>(_ number: UInt32, _ value: Value) -> Int {
        value.isLeftOut ? 0 : value.fieldSize(number)
    }

    @inline(__always)
    static func field<Value: FieldValue>(_ number: UInt32, _ value: Value?) -> Int {
        value.map { field(number, $0) } ?? 0
    }

    /// Returns the size of a field with explicit presence. Such a field is written even with the default value.
    @inline(__always)
    static func present<Value: FieldValue>(_ number: UInt32, _ value: Value?) -> Int {
        value.map { $0.fieldSize(number) } ?? 0
    }

    @inline(__always)
    static func message<Value: WrittenMessage>(_ number: UInt32, _ value: Value?) -> Int {
        value.map { bytesField(number, count: $0.protobufSize) } ?? 0
    }

    @inline(__always)
    static func messages<Values: Sequence>(_ number: UInt32, _ values: Values?) -> Int
    where Values.Element: WrittenMessage {
        var size = 0
        if let values {
            for value in values { size += bytesField(number, count: value.protobufSize) }
        }
        return size
    }

    @inline(__always)
    static func texts(_ number: UInt32, _ texts: [String]) -> Int {
        texts.reduce(0) { $0 + $1.fieldSize(number) }
    }

    /// Returns the size of a packed list of integers. An empty list has no field.
    @inline(__always)
    static func packed(_ number: UInt32, _ values: [UInt64]) -> Int {
        values.isEmpty ? 0 : bytesField(number, count: values.reduce(0) { $0 + varint($1) })
    }
}

extension ProtobufWriter {
    @inline(__always)
    mutating func field<Value: FieldValue>(_ number: UInt32, _ value: Value) {
        if !value.isLeftOut { value.write(number, to: &self) }
    }

    @inline(__always)
    mutating func field<Value: FieldValue>(_ number: UInt32, _ value: Value?) {
        if let value { field(number, value) }
    }

    @inline(__always)
    mutating func present<Value: FieldValue>(_ number: UInt32, _ value: Value?) {
        if let value { value.write(number, to: &self) }
    }

    @inline(__always)
    mutating func message<Value: WrittenMessage>(_ number: UInt32, _ value: Value?) {
        guard let value else { return }
        startBytesField(number, count: value.protobufSize)
        value.write(to: &self)
    }

    @inline(__always)
    mutating func messages<Values: Sequence>(_ number: UInt32, _ values: Values?)
    where Values.Element: WrittenMessage {
        guard let values else { return }
        for value in values { message(number, value) }
    }

    @inline(__always)
    mutating func texts(_ number: UInt32, _ texts: [String]) {
        for text in texts { text.write(number, to: &self) }
    }

    @inline(__always)
    mutating func packed(_ number: UInt32, _ values: [UInt64]) {
        guard !values.isEmpty else { return }
        startBytesField(number, count: values.reduce(0) { $0 + ProtobufSize.varint($1) })
        values.forEach { varint($0) }
    }
}

// MARK: Integers

/// An integer, a flag or a time.
protocol IntegerField: FieldValue {
    var varint: UInt64 { get }
}

extension IntegerField {
    @inline(__always)
    var isLeftOut: Bool { varint == 0 }

    @inline(__always)
    func fieldSize(_ number: UInt32) -> Int { ProtobufSize.varintField(number, varint) }

    @inline(__always)
    func write(_ number: UInt32, to writer: inout ProtobufWriter) { writer.varintField(number, varint) }
}

extension IntegerField where Self: BinaryInteger {
    @inline(__always)
    var varint: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: IntegerField {}
extension Int64: IntegerField {}
extension UInt8: IntegerField {}
extension UInt64: IntegerField {}

extension Bool: IntegerField {
    @inline(__always)
    var varint: UInt64 { self ? 1 : 0 }
}

extension Timestamp: IntegerField {
    @inline(__always)
    var varint: UInt64 { UInt64(bitPattern: microseconds) }
}

extension RetentionPeriod: IntegerField {
    @inline(__always)
    var varint: UInt64 { milliseconds }
}

// MARK: Texts and bytes

/// A text or bytes.
protocol ContentField: FieldValue {
    /// The number of bytes without tag and length.
    var contentBytes: Int { get }
}

extension ContentField {
    @inline(__always)
    var isLeftOut: Bool { contentBytes == 0 }

    @inline(__always)
    func fieldSize(_ number: UInt32) -> Int { ProtobufSize.bytesField(number, count: contentBytes) }
}

extension String: ContentField {
    @inline(__always)
    var contentBytes: Int { utf8.count }

    @inline(__always)
    func write(_ number: UInt32, to writer: inout ProtobufWriter) { writer.textField(number, self) }
}

extension UnsafeRawBufferPointer: ContentField {
    @inline(__always)
    var contentBytes: Int { count }

    @inline(__always)
    func write(_ number: UInt32, to writer: inout ProtobufWriter) { writer.bytesField(number, self) }
}

extension [UInt8]: FieldValue, ContentField {
    @inline(__always)
    var contentBytes: Int { count }

    @inline(__always)
    func write(_ number: UInt32, to writer: inout ProtobufWriter) { withUnsafeBytes { writer.bytesField(number, $0) } }
}

/// The history of a store. The empty history is omitted.
extension HistoryID: ContentField {
    @inline(__always)
    var contentBytes: Int { self == .none ? 0 : Self.byteCount }

    @inline(__always)
    func write(_ number: UInt32, to writer: inout ProtobufWriter) { withUnsafeBytes { writer.bytesField(number, $0) } }
}
