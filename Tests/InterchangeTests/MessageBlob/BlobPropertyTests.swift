import Interchange
import Testing

@Suite struct BlobPropertyTests {
    private static let alphabet = ["a", "Z", " ", "\n", "\0", "é", "e\u{301}", "漢", "🙂", "👨‍👩‍👧", "\u{10ffff}", "ß"]

    private func randomMessages(_ random: inout some RandomNumberGenerator) -> [BlobMessage] {
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
            let length = Int.random(in: 0...(Bool.random(using: &random) ? 8 : 1_500), using: &random)
            var text = ""
            for _ in 0..<length {
                text += Self.alphabet.randomElement(using: &random) ?? ""
            }
            return BlobMessage(
                text: text, isSent: .random(using: &random),
                type: BlobMessageType.allCases.randomElement(using: &random) ?? .short,
                timestampMilliseconds: .random(in: .min ... .max, using: &random))
        }
    }

    @Test func `messages are read back as written, and written again as the same bytes`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let messages = randomMessages(&random)
            let file = BlobEncoder.encode(messages)
            let read = try BlobDecoder.decode(file)
            #expect(read == messages)
            #expect(BlobEncoder.encode(read) == file)
            #expect(file.count == messages.reduce(BlobLayout.countBytes) { $0 + $1.byteCount })
        }
    }

    @Test func `pieces of any size give the same messages at the same offsets`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let messages = randomMessages(&random)
            let file = BlobEncoder.encode(messages)
            var decoder = BlobDecoder(fileBytes: Bool.random() ? UInt64(file.count) : nil)
            var read: [LocatedBlobMessage] = []
            var rest = file[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...3_000, using: &random))
                decoder.feed(piece)
                rest = rest.dropFirst(piece.count)
                while let located = try decoder.next() {
                    read.append(located)
                }
            }
            try decoder.finish()
            #expect(read.map(\.message) == messages)
            var offset = UInt64(BlobLayout.countBytes)
            for located in read {
                #expect(located.offset == offset)
                offset += UInt64(located.message.byteCount)
            }
            #expect(decoder.offset == UInt64(file.count))
        }
    }
}
