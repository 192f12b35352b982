package import StoreBasics

/// Reading and writing of parts of records.
extension ByteReader {
    /// Reads a byte that must be 0 or 1.
    package mutating func flag() -> Bool? {
        guard let byte = byte(), byte <= 1 else { return nil }
        return byte == 1
    }

    /// Reads a length (LEB128) and as many bytes.
    package mutating func sizedBytes() -> UnsafeRawBufferPointer? {
        variableLength().flatMap { bytes($0) }
    }
}

extension [UInt8] {
    package mutating func append(sized bytes: [UInt8]) {
        append(variableLength: bytes.count)
        self += bytes
    }

    /// Appends a stamp, unless it is zero.
    mutating func append(field number: UInt32, _ stamp: ReplicaStamp) {
        guard stamp != .zero else { return }
        var bytes: [UInt8] = []
        stamp.append(to: &bytes)
        append(field: number, bytes)
    }
}

// MARK: Fields

extension UnsafeRawBufferPointer {
    /// Calls `read` with each field of a record. Callers ignore fields of a later version; fields that must be
    /// preserved are in values and bodies.
    ///
    /// - Returns: false if the bytes are not fields, or if `read` throws.
    func readFields(_ read: (TaggedFields.Field) throws(ProtobufFault) -> Void) -> Bool {
        var fields = TaggedFields(self)
        do throws(ProtobufFault) {
            while let field = try fields.next() {
                try read(field)
            }
            return true
        } catch {
            return false
        }
    }
}

extension TaggedFields.Field {
    package func stamp() throws(ProtobufFault) -> ReplicaStamp {
        var reader = ByteReader(try content())
        guard let stamp = ReplicaStamp(&reader), reader.isAtEnd else { throw ProtobufFault() }
        return stamp
    }

    /// - Throws: `ProtobufFault`, also for a number that does not fit the type.
    func fixedWidth<Number: FixedWidthInteger>() throws(ProtobufFault) -> Number {
        guard let number = Number(exactly: try unsigned()) else { throw ProtobufFault() }
        return number
    }
}
