@testable import StoreCrypto

/// Opens sealed chunks and headers of the vault with a publicly known key.
///
/// Promises: a chunk opens only at its own position, and only to the plaintext that was sealed; a header opens only for
/// its own content.
enum ContentChunkTarget {
    private static let place = ChunkPlace(chunk: 3, generation: 5)
    private static let plaintext = Array("what a chunk of the vault holds".utf8)

    static func run(_ input: [UInt8]) throws {
        let key = try key()
        let id = try id()
        for cipher in ChunkCipher.allCases where cipher.isAvailable {
            let seal = try ChunkSeal(cipher, of: id, under: key)
            var bytes = input
            let isOpened = bytes.withUnsafeMutableBytes { seal.open($0, at: place) }
            try BrokenPromise.unless(
                !isOpened || Array(bytes[seal.plaintextRange(sealedBytes: bytes.count)]) == plaintext,
                "a chunk that opens is one that was sealed")
            var moved = input
            let isOpenedElsewhere = moved.withUnsafeMutableBytes {
                seal.open($0, at: ChunkPlace(chunk: 4, generation: 5))
            }
            try BrokenPromise.unless(!isOpenedElsewhere, "a chunk opens in no other place")
            let header = ContentHeader(id: id, cipher: cipher, chunkBytes: 64 << 10)
            let isHeader = try header.isEncoded(in: input, under: key)
            try BrokenPromise.unless(
                !isHeader || input == (try header.encoded(under: key)), "a header is as it was written")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        let key = try key()
        let id = try id()
        var seeds: [[UInt8]] = []
        for cipher in ChunkCipher.allCases where cipher.isAvailable {
            let seal = try ChunkSeal(cipher, of: id, under: key)
            var sealed = [UInt8](repeating: 0, count: plaintext.count + cipher.overheadBytes)
            sealed.replaceSubrange(seal.plaintextRange(sealedBytes: sealed.count), with: plaintext)
            sealed.withUnsafeMutableBytes { seal.seal($0, at: place) }
            seeds.append(sealed)
            seeds.append(try ContentHeader(id: id, cipher: cipher, chunkBytes: 64 << 10).encoded(under: key))
        }
        return seeds
    }

    private static func key() throws -> ContentKey {
        ContentKey(bytes: try SecretBytes(copying: Array(UInt8(0)..<32)))
    }

    private static func id() throws -> ContentID {
        guard let id = Array(UInt8(0)..<16).withUnsafeBytes({ ContentID($0) }) else {
            throw BrokenPromise(description: "16 bytes name a content")
        }
        return id
    }
}
