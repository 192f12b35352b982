import StoreBasics

@testable import StoreCrypto

/// Parses the keyring file and unlocks the result with a key file.
///
/// Promises: an accepted file is written again byte for byte; only the unmodified vector can be unlocked.
enum KeyringTarget {
    static func run(_ input: [UInt8]) throws {
        try parse(input)
        // Almost every mutation breaks the checksum. A corrected checksum lets the input reach the parser.
        if input.count > KeyringFormat.checksumBytes {
            let content = Array(input.dropLast(KeyringFormat.checksumBytes))
            try parse(content + Blake2b.digest(of: content))
        }
    }

    private static func parse(_ bytes: [UInt8]) throws {
        let keyring: Keyring
        do throws(CryptoError) {
            keyring = try Keyring.parse(bytes)
        } catch {
            return
        }
        try BrokenPromise.unless(keyring.serialized() == bytes, "what is accepted is written again byte for byte")
        guard (try? keyring.unlock(with: try secret())) != nil else { return }
        try BrokenPromise.unless(bytes == vector, "a keyring that was changed does not open")
    }

    /// Returns the key file of the vector. A key file is the only kind of secret that needs no key derivation.
    private static func secret() throws -> SlotSecret {
        try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: Array(UInt8(0x64)...UInt8(0x8B))))
    }

    private static let vector = (try? field("file")) ?? []

    private static func field(_ name: String) throws -> [UInt8] {
        let lines = try ProjectFiles.text("proto-docs/vectors/keyring/keyring-v1.txt").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(name + ": ") }),
            let bytes = Hexadecimal.decode(line.dropFirst(name.count + 2))
        else { throw BrokenPromise(description: "the keyring's vector has no '\(name)'") }
        return bytes
    }

    static func seeds() throws -> [[UInt8]] {
        try SodiumRuntime.start()
        let keyFile = try field("key file")
        try BrokenPromise.unless(keyFile == Array(UInt8(0x64)...UInt8(0x8B)), "the vector's key file is ours")
        return [try field("file")]
    }
}
