import CSodium
import StoreBasics

/// The 16 random bytes that name one content of the vault: in what its chunks are sealed with, and on the disk.
package struct ContentID: Hashable, Sendable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// `nil` unless there are `byteCount` bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// `nil` unless the text is 32 lower-case hexadecimal digits.
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

    /// A new one.
    package static func random() throws(CryptoError) -> ContentID {
        try SodiumRuntime.start()
        return ContentID(random: byteCount)
    }

    package var hexadecimal: String { Hexadecimal.encode(bytes) }
}
