/// Decodes a blob file from pieces of any size. Feed each piece as it arrives, read the complete messages, and report
/// the end of the file. The decoder holds at most one message and one piece.
///
///     decoder.feed(piece)
///     while let located = try decoder.next() { ... }
///     ...
///     try decoder.finish()
///
/// After an error every further call throws the same error.
package struct BlobDecoder: Sendable {
    private let fileBytes: UInt64?
    private let textBytesMax: Int
    private var buffer: [UInt8] = []
    /// The number of bytes of `buffer` that have been decoded.
    private var position = 0
    /// The offset in the file at which `buffer` starts.
    private var bufferOffset: UInt64 = 0
    private var messagesLeft: Int?
    private var failure: InterchangeError?

    /// The message count at the beginning of the file; `nil` until it has arrived, and for an empty file.
    package private(set) var messageCount: Int?

    /// - Parameters:
    ///   - fileBytes: the size of the whole file; `nil` if it is unknown. With the size, the decoder immediately
    ///     rejects a count or length that exceeds the file; without the size, it finds such an error only at the end of
    ///     the file.
    ///   - textBytesMax: the most bytes of a text.
    package init(fileBytes: UInt64? = nil, textBytesMax: Int = BlobLayout.textBytesMax) {
        self.fileBytes = fileBytes
        self.textBytesMax = textBytesMax
    }

    /// The offset in the file of the next byte to decode.
    package var offset: UInt64 { bufferOffset + UInt64(position) }

    package mutating func feed(_ piece: some Collection<UInt8>) {
        if position > 0 {
            buffer.removeSubrange(..<position)
            bufferOffset += UInt64(position)
            position = 0
        }
        buffer.append(contentsOf: piece)
    }

    /// Returns the next message; `nil` if more bytes are needed, or if all messages have been returned.
    package mutating func next() throws(InterchangeError) -> LocatedBlobMessage? {
        if let failure {
            throw failure
        }
        do throws(InterchangeError) {
            return try parseNext()
        } catch {
            failure = error
            throw error
        }
    }

    /// Reports the end of the file. Call it after `next` has returned `nil`.
    ///
    /// - Throws: `InterchangeError` if the file has ended inside its message count, or before its last message.
    package mutating func finish() throws(InterchangeError) {
        if let failure {
            throw failure
        }
        // An empty file is valid: it was created and never written to.
        guard messagesLeft == 0 || messagesLeft == nil && bufferOffset == 0 && buffer.isEmpty else {
            let end = bufferOffset + UInt64(buffer.count)
            let problem = messagesLeft.map { BlobProblem.truncated(messagesMissing: $0) } ?? .truncatedCount
            let error = problem.error(atOffset: end)
            failure = error
            throw error
        }
    }

    /// Decodes a whole file at once.
    package static func decode(
        _ file: [UInt8], textBytesMax: Int = BlobLayout.textBytesMax
    ) throws(InterchangeError) -> [BlobMessage] {
        var decoder = BlobDecoder(fileBytes: UInt64(file.count), textBytesMax: textBytesMax)
        decoder.feed(file)
        var messages: [BlobMessage] = []
        while let located = try decoder.next() {
            messages.append(located.message)
        }
        try decoder.finish()
        return messages
    }
}

extension BlobDecoder {
    private var available: Int { buffer.count - position }

    private mutating func parseNext() throws(InterchangeError) -> LocatedBlobMessage? {
        if messagesLeft == nil {
            try parseCount()
        }
        guard let left = messagesLeft else { return nil }
        guard left > 0 else {
            guard available == 0 else { throw BlobProblem.trailingBytes.error(atOffset: offset) }
            return nil
        }
        guard let message = try parseMessage() else { return nil }
        messagesLeft = left - 1
        return message
    }

    private mutating func parseCount() throws(InterchangeError) {
        guard available >= BlobLayout.countBytes else { return }
        let count: Int32 = number(at: position)
        guard count >= 0 else { throw BlobProblem.countNegative(count).error(atOffset: offset) }
        if let fileBytes {
            let needed = UInt64(BlobLayout.countBytes) + UInt64(count) * UInt64(BlobLayout.messageBytesMin)
            guard needed <= fileBytes else { throw BlobProblem.countImpossible(count).error(atOffset: offset) }
        }
        position += BlobLayout.countBytes
        messageCount = Int(count)
        messagesLeft = Int(count)
    }

    private mutating func parseMessage() throws(InterchangeError) -> LocatedBlobMessage? {
        guard available >= BlobLayout.countBytes else { return nil }
        let start = offset
        let textBytes = try checked(textLength: number(at: position), at: start)
        guard available >= BlobLayout.messageBytesMin + textBytes else { return nil }
        let textStart = position + BlobLayout.countBytes
        let tail = textStart + textBytes
        let text = try text(textStart..<tail)
        let flag = buffer[tail]
        guard flag <= 1 else { throw BlobProblem.sentFlagInvalid(flag).error(atOffset: bufferOffset + UInt64(tail)) }
        let message = BlobMessage(
            text: text, isSent: flag == 1, type: BlobMessageType(ordinal: buffer[tail + 1]),
            timestampMilliseconds: number(at: tail + 2))
        position = tail + BlobLayout.tailBytes
        return LocatedBlobMessage(message: message, offset: start)
    }

    private func checked(textLength length: Int32, at offset: UInt64) throws(InterchangeError) -> Int {
        guard length >= 0 else { throw BlobProblem.lengthNegative(length).error(atOffset: offset) }
        if let fileBytes {
            let needed = offset + UInt64(BlobLayout.messageBytesMin) + UInt64(length)
            guard needed <= fileBytes else { throw BlobProblem.lengthImpossible(length).error(atOffset: offset) }
        }
        guard Int(length) <= textBytesMax else {
            throw BlobProblem.textTooLong(length, bytesMax: textBytesMax).error(atOffset: offset)
        }
        return Int(length)
    }

    private func text(_ range: Range<Int>) throws(InterchangeError) -> String {
        if let text = String(validating: buffer[range], as: UTF8.self) {
            return text
        }
        let valid = Self.validUTF8Bytes(buffer[range])
        throw BlobProblem.textNotUTF8.error(atOffset: bufferOffset + UInt64(range.lowerBound + valid))
    }

    /// Returns the number of bytes before the first invalid UTF-8 byte.
    private static func validUTF8Bytes(_ bytes: ArraySlice<UInt8>) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var valid = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
            valid += scalar.count
        }
        return valid
    }

    private func number<Number: FixedWidthInteger>(at index: Int) -> Number {
        buffer.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: index, as: Number.self)) }
    }
}

/// A reason for which bytes are not a valid blob file.
enum BlobProblem: Hashable, Sendable {
    case countNegative(Int32)
    /// The file is too small for its message count.
    case countImpossible(Int32)
    case lengthNegative(Int32)
    /// A text is longer than the rest of the file.
    case lengthImpossible(Int32)
    /// A text is longer than the reader accepts.
    case textTooLong(Int32, bytesMax: Int)
    case textNotUTF8
    /// The byte is-sent is neither 0 nor 1.
    case sentFlagInvalid(UInt8)
    /// The file ends inside its count.
    case truncatedCount
    /// The file ends before the end of its last message.
    case truncated(messagesMissing: Int)
    /// The file continues after its last message.
    case trailingBytes

    private var cause: String {
        switch self {
        case .countNegative(let count): "the message count is negative: \(count)"
        case .countImpossible(let count):
            "the message count is \(count), but the file is too short for so many messages"
        case .lengthNegative(let length): "the length of a text is negative: \(length)"
        case .lengthImpossible(let length): "a text has \(length) bytes, more than the rest of the file"
        case .textTooLong(let length, let most): "a text has \(length) bytes; the limit is \(most)"
        case .textNotUTF8: "a text is not UTF-8"
        case .sentFlagInvalid(let flag): "the byte that says whether a message was sent is \(flag); it must be 0 or 1"
        case .truncatedCount: "the file ends inside the message count"
        case .truncated(messagesMissing: 1): "the last message is missing or cut off"
        case .truncated(let missing): "the last \(missing) messages are missing or cut off"
        case .trailingBytes: "bytes follow the last message"
        }
    }

    func error(atOffset offset: UInt64) -> InterchangeError {
        InterchangeError(offset: offset, "not a message blob: \(cause)")
    }
}
