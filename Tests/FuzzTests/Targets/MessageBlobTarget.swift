import Interchange

/// Decodes message files of the BlobStorage libraries.
///
/// Promises: the split of the input into pieces makes no difference; an accepted file can be written and read again
/// with the same messages. The bytes may differ, because a message of an unknown type is written as a short message.
enum MessageBlobTarget {
    static func run(_ input: [UInt8]) throws {
        let whole = Result { () throws(InterchangeError) in try BlobDecoder.decode(input) }
        let pieces = Result { () throws(InterchangeError) in try decode(input, pieceBytes: 5) }
        switch (whole, pieces) {
        case (.success(let messages), .success(let others)):
            try BrokenPromise.unless(messages == others, "pieces make no difference")
            let written = BlobEncoder.encode(messages)
            // A file of zero bytes is accepted as a list to which nothing was saved yet. It is written with its
            // four-byte count.
            try BrokenPromise.unless(
                written.count == input.count || input.isEmpty, "what is accepted is written again as long")
            try BrokenPromise.unless(
                try BlobDecoder.decode(written) == messages, "what is written is read again as it was")
        case (.failure, .failure):
            break
        case (.success, .failure), (.failure, .success):
            try BrokenPromise.unless(false, "pieces make no difference to whether it is accepted")
        }
    }

    private static func decode(_ input: [UInt8], pieceBytes: Int) throws(InterchangeError) -> [BlobMessage] {
        var decoder = BlobDecoder(fileBytes: UInt64(input.count))
        var messages: [BlobMessage] = []
        var position = 0
        while position < input.count {
            let end = min(input.count, position + pieceBytes)
            decoder.feed(input[position..<end])
            position = end
            while let located = try decoder.next() {
                messages.append(located.message)
            }
        }
        try decoder.finish()
        return messages
    }

    static func seeds() throws -> [[UInt8]] {
        [
            try ProjectFiles.bytes("Tests/Fixtures/blobstorage/two-languages.blob"),
            BlobEncoder.encode([]),
            BlobEncoder.encode([
                BlobMessage(text: "a", isSent: true, type: BlobMessageType(ordinal: 0), timestampMilliseconds: 1)
            ]),
        ]
    }
}
