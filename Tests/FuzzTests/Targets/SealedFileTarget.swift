@testable import StoreCrypto

/// Opens sealed message files with the recipient's key from the test vectors.
///
/// Promises: the split of the input into pieces makes no difference; only the vector's content is ever returned.
enum SealedFileTarget {
    private struct Outcome: Equatable {
        var content: [UInt8] = []
        var failure: CryptoError?
    }

    static func run(_ input: [UInt8]) throws {
        let whole = try open(input, pieceBytes: max(1, input.count))
        let pieces = try open(input, pieceBytes: 97)
        try BrokenPromise.unless(
            (whole.failure == nil) == (pieces.failure == nil), "pieces make no difference to whether it opens")
        try BrokenPromise.unless(content.starts(with: whole.content), "what is handed out was sealed")
        try BrokenPromise.unless(content.starts(with: pieces.content), "what is handed out in pieces was sealed")
        try BrokenPromise.unless(whole.failure != nil || whole.content == content, "a file that opens is whole")
    }

    private static func open(_ input: [UInt8], pieceBytes: Int) throws -> Outcome {
        var reader = SealedStreamReader(
            secret: try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: Array(UInt8(0)..<32))))
        var outcome = Outcome()
        do throws(CryptoError) {
            var position = 0
            while position < input.count {
                let end = min(input.count, position + pieceBytes)
                try reader.feed(input[position..<end], to: &outcome.content)
                position = end
            }
            try reader.finish(to: &outcome.content)
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    private static let content = (try? ProjectFiles.bytes("proto-docs/vectors/blobs/plain.blob")) ?? []

    static func seeds() throws -> [[UInt8]] {
        try SodiumRuntime.start()
        return try ["recipient.sealed", "passphrase.sealed"].map {
            try ProjectFiles.bytes("proto-docs/vectors/blobs/\($0)")
        }
    }
}
