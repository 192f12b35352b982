package import StoreBasics

/// Reading of values inside records.
extension ByteReader {
    /// Reads a byte that must be 0 or 1.
    package mutating func flag() -> Bool? {
        guard let byte = byte(), byte <= 1 else { return nil }
        return byte == 1
    }

    /// Reads a length (LEB128) and that number of bytes.
    package mutating func sizedBytes() -> UnsafeRawBufferPointer? {
        variableLength().flatMap { bytes($0) }
    }
}

extension [UInt8] {
    package mutating func append(sized bytes: [UInt8]) {
        append(variableLength: bytes.count)
        self += bytes
    }
}

// MARK: Fields

extension FieldMessage {
    /// Reads a record. Ignores fields of a later version. Only the fields of values and bodies are preserved.
    ///
    /// - Returns: `nil` for bytes that are not a valid record.
    package init?(record bytes: UnsafeRawBufferPointer) {
        guard let record = try? Self(bytes) else { return nil }
        self = record
    }
}

extension MessageForm {
    /// Reads or writes the field of a stamp. A zero stamp is not written.
    package mutating func field(_ number: UInt32, _ stamp: inout ReplicaStamp) throws(ProtobufFault) {
        var bytes: [UInt8] = []
        if isWriting, stamp != .zero {
            stamp.append(to: &bytes)
        }
        try field(number, &bytes)
        guard isReading(number) else { return }
        guard let read = bytes.withUnsafeBytes(ReplicaStamp.init(exactly:)) else { throw ProtobufFault() }
        stamp = read
    }

    /// Reads or writes the field of an optional stamp. A zero stamp is written, unlike `nil`.
    package mutating func field(_ number: UInt32, _ stamp: inout ReplicaStamp?) throws(ProtobufFault) {
        var bytes: [UInt8]? = isWriting ? stamp?.bytes : nil
        try field(number, &bytes)
        guard isReading(number), let bytes else { return }
        guard let read = bytes.withUnsafeBytes(ReplicaStamp.init(exactly:)) else { throw ProtobufFault() }
        stamp = read
    }
}

extension ReplicaStamp {
    fileprivate init?(exactly bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        self.init(&reader)
        guard reader.isAtEnd else { return nil }
    }
}
