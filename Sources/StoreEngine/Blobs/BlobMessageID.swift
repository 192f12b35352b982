internal import StoreBasics
internal import StoreCrypto

/// The ids of imported messages: the same for the same place of the same import into the same conversation.
///
/// A UUIDv8 (RFC 9562, section 5.8) of the first 16 bytes of BLAKE2b over the names and the place.
struct BlobMessageIDs {
    private let names: [UInt8]

    /// Neither name holds a NUL.
    init(importID: String, sessionID: String) {
        names = Array("ghoststore blob message 1\0\(sessionID)\0\(importID)\0".utf8)
    }

    func id(ofMessage index: Int) -> EntityID {
        var digest = ContentDigest()
        digest.update(names)
        digest.update(withUnsafeBytes(of: UInt64(index).littleEndian) { Array($0) })
        let bytes = digest.finish()
        let high = Self.word(bytes[0..<8]) & 0xffff_ffff_ffff_0fff | 0x8000
        let low = Self.word(bytes[8..<16]) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        return EntityID(trusted: UUIDWords(high: high, low: low).description)
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
