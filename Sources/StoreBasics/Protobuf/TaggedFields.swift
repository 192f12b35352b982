/// Reads the fields of a protobuf message, with their bytes, and keeps the fields that the caller does not know.
///
/// The fields that were kept can be added to what the caller writes later (`inserting(unknown:)`), so that a message
/// of a later version loses nothing when this version writes it.
package struct TaggedFields {
    package struct Field {
        package let number: UInt32
        /// The bytes of the field, including its tag.
        package let whole: UnsafeRawBufferPointer
        fileprivate let value: ProtobufReader.Value
        fileprivate let buffer: UnsafeRawBufferPointer
    }

    private var reader: ProtobufReader
    private var kept = FieldRun()

    package init(_ bytes: UnsafeRawBufferPointer) {
        reader = ProtobufReader(bytes)
    }

    /// Returns the next field, or `nil` at the end of the message.
    package mutating func next() throws(ProtobufFault) -> Field? {
        let start = reader.offset
        guard let field = try reader.next() else { return nil }
        let whole = UnsafeRawBufferPointer(rebasing: reader.buffer[start..<reader.offset])
        return Field(number: field.number, whole: whole, value: field.value, buffer: reader.buffer)
    }

    /// Keeps a field that the caller does not know.
    package mutating func keep(_ field: Field) {
        kept.add(field.number, field.whole)
    }

    /// The bytes of the fields that were passed to `keep`, in the order of the field numbers.
    package var unknown: [UInt8] { kept.bytes }
}

extension TaggedFields.Field {
    /// Returns the value of a field with an unsigned number.
    ///
    /// - Throws: `ProtobufFault` if the field has another wire type. The other functions for values do the same.
    package func unsigned() throws(ProtobufFault) -> UInt64 {
        guard case .varint(let number) = value else { throw ProtobufFault() }
        return number
    }

    package func signed() throws(ProtobufFault) -> Int64 { Int64(bitPattern: try unsigned()) }

    package func flag() throws(ProtobufFault) -> Bool { try unsigned() != 0 }

    /// Returns the bytes of a text, a byte string or a message.
    package func content() throws(ProtobufFault) -> UnsafeRawBufferPointer {
        guard case .bytes(let range) = value else { throw ProtobufFault() }
        return UnsafeRawBufferPointer(rebasing: buffer[range])
    }

    package func bytes() throws(ProtobufFault) -> [UInt8] { [UInt8](try content()) }

    /// Returns the value of a field with a text.
    ///
    /// - Throws: `ProtobufFault` if the field has another wire type, or if the bytes are not UTF-8.
    package func text() throws(ProtobufFault) -> String {
        guard let text = String(validating: try content(), as: UTF8.self) else { throw ProtobufFault() }
        return text
    }
}

/// Fields of one message in the order of their arrival.
private struct FieldRun {
    private var places: [(number: UInt32, range: Range<Int>)] = []
    private var content: [UInt8] = []

    mutating func add(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) {
        places.append((number, content.count..<content.count + bytes.count))
        content += bytes
    }

    /// Adds all fields of a message.
    ///
    /// - Returns: false if the bytes are not fields.
    mutating func add(all bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var reader = TaggedFields(buffer)
            do throws(ProtobufFault) {
                while let field = try reader.next() {
                    add(field.number, field.whole)
                }
                return true
            } catch {
                return false
            }
        }
    }

    /// The fields in the order of their numbers. Fields with equal numbers keep the order of their arrival.
    var bytes: [UInt8] {
        let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0.number <= $1.number }
        guard !isInOrder else { return content }
        let ordered = places.sorted { ($0.number, $0.range.lowerBound) < ($1.number, $1.range.lowerBound) }
        return ordered.flatMap { content[$0.range] }
    }
}

// MARK: Writing

/// Writing of protobuf fields. As in proto3, zero numbers and empty texts and byte strings are omitted, unless the
/// argument label is `present`. Callers write fields in the order of their numbers.
extension [UInt8] {
    package mutating func append(field number: UInt32, _ value: UInt64) {
        if value != 0 {
            append(field: number, present: value)
        }
    }

    package mutating func append(field number: UInt32, signed value: Int64) {
        append(field: number, UInt64(bitPattern: value))
    }

    package mutating func append(field number: UInt32, _ flag: Bool) {
        append(field: number, flag ? 1 : 0 as UInt64)
    }

    package mutating func append(field number: UInt32, present value: UInt64) {
        append(leb128: UInt64(number) << 3)
        append(leb128: value)
    }

    package mutating func append(field number: UInt32, _ text: String) {
        if !text.isEmpty {
            append(field: number, present: text)
        }
    }

    package mutating func append(field number: UInt32, present text: String) {
        append(leb128: UInt64(number) << 3 | 2)
        append(text: text)
    }

    package mutating func append(field number: UInt32, _ bytes: [UInt8]) {
        if !bytes.isEmpty {
            append(field: number, present: bytes)
        }
    }

    /// Appends bytes or a message.
    package mutating func append(field number: UInt32, present bytes: [UInt8]) {
        append(leb128: UInt64(number) << 3 | 2)
        append(variableLength: bytes.count)
        self += bytes
    }

    /// Returns the message together with fields of another version, all in the order of their numbers.
    ///
    /// - Parameter unknown: fields as in `TaggedFields.unknown`.
    package func inserting(unknown: [UInt8]) -> [UInt8] {
        guard !unknown.isEmpty else { return self }
        var fields = FieldRun()
        guard fields.add(all: self), fields.add(all: unknown) else { return self + unknown }
        return fields.bytes
    }
}
