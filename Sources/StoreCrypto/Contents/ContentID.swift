import CSodium
import StoreBasics

/// The 16 random bytes that identify a content of the vault. They are part of its file name and are authenticated with
/// its chunks.
package struct ContentID: Hashable, Sendable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Returns `nil` unless there are `byteCount` bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Returns `nil` unless the text is 32 lower-case hexadecimal digits.
    package init?(hexadecimal: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(hexadecimal), bytes.count == Self.byteCount,
            Hexadecimal.encode(bytes).utf8.elementsEqual(hexadecimal.utf8)
        else { return nil }
        self.bytes = bytes
    }

    private init(random count: Int) {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, bytes.count)
        self.bytes = bytes
    }

    package static func random() throws(CryptoError) -> ContentID {
        try SodiumRuntime.start()
        return ContentID(random: byteCount)
    }

    package var hexadecimal: String { Hexadecimal.encode(bytes) }
}
