/// A protobuf message whose fields are described once, for writing and for reading.
package protocol FieldMessage {
    /// Creates a message without fields.
    init()

    /// Gives each field and its number to the form, in the order of the numbers.
    ///
    /// Writing takes one call. Reading calls this once for each field of the bytes, and once at the end, when the form
    /// checks that required values are present.
    mutating func describe(_ form: inout MessageForm) throws
}

/// One use of a message's description of its fields: writing the message, or reading it.
///
/// The functions that run for every field are inlined, because reading one field runs the description of all fields.
package struct MessageForm {
    /// True if the message omits fields that are stored elsewhere, such as the name of a replicated thing.
    package let isBody: Bool
    package let isWriting: Bool
    /// True at the end of reading, while required values are checked.
    package private(set) var isChecking = false
    @usableFromInline var bytes: [UInt8] = []
    /// The number of the field that is being read; 0 for none.
    @usableFromInline var number: UInt32 = 0
    private var current: TaggedFields.Field?
    /// The message that is read.
    private let message: UnsafeRawBufferPointer
    fileprivate private(set) var isFieldClaimed = false
    /// The numbers below 64 of the fields that were read.
    private var seen: UInt64 = 0
    private var unknown: [UInt8] = []

    /// The reserved number of bytes. Most messages without a long text are not larger.
    private static let usualByteCount = 128

    fileprivate init(writing isBody: Bool) {
        self.isBody = isBody
        isWriting = true
        message = UnsafeRawBufferPointer(start: nil, count: 0)
        bytes.reserveCapacity(Self.usualByteCount)
    }

    fileprivate init(reading message: UnsafeRawBufferPointer, _ isBody: Bool) {
        self.isBody = isBody
        self.message = message
        isWriting = false
    }

    fileprivate mutating func begin(_ field: TaggedFields.Field) {
        current = field
        number = field.number
        isFieldClaimed = false
    }

    fileprivate mutating func beginChecking(_ unknown: [UInt8]) {
        current = nil
        number = 0
        self.unknown = unknown
        isChecking = true
    }

    /// Returns whether a field with this number is being read.
    @inlinable
    package func isReading(_ number: UInt32) -> Bool { self.number == number }

    /// Returns the field that is being read. It then does not count as an unknown field.
    package mutating func claimField() throws(ProtobufFault) -> TaggedFields.Field {
        guard let current else { throw ProtobufFault() }
        isFieldClaimed = true
        seen |= number < 64 ? 1 << UInt64(number) : 0
        return current
    }

    /// Returns whether a field with this number, which is below 64, was read.
    package func hasRead(_ number: UInt32) -> Bool { seen & 1 << UInt64(number) != 0 }

    /// Returns how many fields of the message that is read have this number.
    package func count(of number: UInt32) throws(ProtobufFault) -> Int {
        var reader = ProtobufReader(message)
        var count = 0
        while let field = try reader.next() {
            count += field.number == number ? 1 : 0
        }
        return count
    }

    /// Reads or writes the fields that the message's description does not contain.
    ///
    /// - Parameter fields: the fields in the form of `TaggedFields.unknown`.
    package mutating func others(_ fields: inout [UInt8]) {
        if isWriting {
            bytes = bytes.inserting(unknown: fields)
        } else if isChecking {
            fields = unknown
        }
    }

    /// Checks a condition that concerns several fields, after all fields were read.
    ///
    /// - Throws: `ProtobufFault` at the end of reading if the condition is false.
    package func expect(_ condition: @autoclosure () -> Bool) throws(ProtobufFault) {
        guard !isChecking || condition() else { throw ProtobufFault() }
    }
}

// MARK: Fields

/// A value of 0, false or an empty value is not written. An optional value is written unless it is `nil`. All of these
/// functions throw `ProtobufFault` if the field has another wire type.
extension MessageForm {
    @inlinable
    package mutating func field(_ number: UInt32, _ value: inout UInt64) throws(ProtobufFault) {
        if isWriting {
            bytes.append(field: number, value)
        } else if isReading(number) {
            value = try claimField().unsigned()
        }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ value: inout UInt64?) throws(ProtobufFault) {
        if isWriting {
            if let value { bytes.append(field: number, present: value) }
        } else if isReading(number) {
            value = try claimField().unsigned()
        }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ value: inout Int64) throws(ProtobufFault) {
        var unsigned = UInt64(bitPattern: value)
        try field(number, &unsigned)
        value = Int64(bitPattern: unsigned)
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ value: inout Int64?) throws(ProtobufFault) {
        var unsigned = value.map { UInt64(bitPattern: $0) }
        try field(number, &unsigned)
        value = unsigned.map { Int64(bitPattern: $0) }
    }

    package mutating func field(_ number: UInt32, _ value: inout UInt32) throws(ProtobufFault) {
        try narrow(number, &value)
    }

    package mutating func field(_ number: UInt32, _ value: inout UInt8) throws(ProtobufFault) {
        try narrow(number, &value)
    }

    /// Reads or writes a number of fewer than 64 bits. Throws if the read number does not fit.
    private mutating func narrow<Number: FixedWidthInteger>(
        _ number: UInt32, _ value: inout Number
    ) throws(ProtobufFault) {
        var wide = UInt64(value)
        try field(number, &wide)
        guard let narrow = Number(exactly: wide) else { throw ProtobufFault() }
        value = narrow
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ flag: inout Bool) throws(ProtobufFault) {
        var value: UInt64 = flag ? 1 : 0
        try field(number, &value)
        flag = value != 0
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ time: inout Timestamp) throws(ProtobufFault) {
        var microseconds = time.microseconds
        try field(number, &microseconds)
        time = Timestamp(microseconds: microseconds)
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ time: inout Timestamp?) throws(ProtobufFault) {
        var microseconds = time?.microseconds
        try field(number, &microseconds)
        time = microseconds.map { Timestamp(microseconds: $0) }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ text: inout String) throws(ProtobufFault) {
        if isWriting {
            bytes.append(field: number, text)
        } else if isReading(number) {
            text = try claimField().text()
        }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ text: inout String?) throws(ProtobufFault) {
        if isWriting {
            if let text { bytes.append(field: number, present: text) }
        } else if isReading(number) {
            text = try claimField().text()
        }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ content: inout [UInt8]) throws(ProtobufFault) {
        if isWriting {
            bytes.append(field: number, content)
        } else if isReading(number) {
            content = try claimField().bytes()
        }
    }

    @inlinable
    package mutating func field(_ number: UInt32, _ content: inout [UInt8]?) throws(ProtobufFault) {
        if isWriting {
            if let content { bytes.append(field: number, present: content) }
        } else if isReading(number) {
            content = try claimField().bytes()
        }
    }

    package mutating func field<Message: FieldMessage>(_ number: UInt32, _ message: inout Message) throws {
        if isWriting {
            bytes.append(field: number, present: message.encoded())
        } else if isReading(number) {
            _ = try message.read(claimField().content())
        }
    }

    package mutating func field<Message: FieldMessage>(_ number: UInt32, _ message: inout Message?) throws {
        if isWriting {
            if let message { bytes.append(field: number, present: message.encoded()) }
        } else if isReading(number) {
            var read = message ?? Message()
            _ = try read.read(claimField().content())
            message = read
        }
    }

    package mutating func field<Message: FieldMessage>(_ number: UInt32, _ messages: inout [Message]) throws {
        if isWriting {
            for message in messages {
                bytes.append(field: number, present: message.encoded())
            }
        } else if isReading(number) {
            messages.append(try Message(claimField().content()))
        }
    }
}

// MARK: Messages

extension FieldMessage {
    /// Returns the message in the binary form of protobuf.
    ///
    /// - Parameter isBody: see `MessageForm`.
    package func encoded(isBody: Bool = false) -> [UInt8] {
        var message = self
        var form = MessageForm(writing: isBody)
        do {
            try message.describe(&form)
        } catch {
            preconditionFailure("only reading finds faults")
        }
        return form.bytes
    }

    /// Reads fields into the message.
    ///
    /// - Returns: the fields that the description does not contain, in the form of `TaggedFields.unknown`.
    package mutating func read(_ bytes: UnsafeRawBufferPointer, isBody: Bool = false) throws -> [UInt8] {
        var fields = TaggedFields(bytes)
        var form = MessageForm(reading: bytes, isBody)
        while let field = try fields.next() {
            form.begin(field)
            try describe(&form)
            if !form.isFieldClaimed {
                fields.keep(field)
            }
        }
        let unknown = fields.unknown
        form.beginChecking(unknown)
        try describe(&form)
        return unknown
    }

    package init(_ bytes: UnsafeRawBufferPointer) throws {
        self.init()
        _ = try read(bytes)
    }
}
