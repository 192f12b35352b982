import StoreBasics
import StoreCrypto
import Testing

@Suite struct SecretBytesTests {
    @Test func `new bytes are zero`() throws {
        let secret = try SecretBytes(count: 1_000)
        #expect(contents(of: secret) == [UInt8](repeating: 0, count: 1_000))
        let count = secret.count
        #expect(count == 1_000)
    }

    @Test func `an empty secret is allowed`() throws {
        let secret = try SecretBytes(count: 0)
        #expect(contents(of: secret).isEmpty)
        let copy = try secret.withUnsafeBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) }
        #expect(contents(of: copy).isEmpty)
    }

    @Test func `a copy has the same bytes and is independent`() throws {
        let original: [UInt8] = Array(0...255)
        var copy = try secretBytes(original)
        #expect(contents(of: copy) == original)
        copy.withUnsafeMutableBytes { $0[0] = 9 }
        #expect(contents(of: copy).first == 9)
        #expect(original.first == 0)
    }

    @Test func `random bytes differ`() throws {
        let first = try SecretBytes.random(count: 32)
        let second = try SecretBytes.random(count: 32)
        #expect(contents(of: first) != contents(of: second))
        #expect(contents(of: first).contains { $0 != 0 })
    }

    @Test func `errors of the body pass through`() throws {
        let secret = try SecretBytes(count: 1)
        let thrown = code { () throws(CryptoError) in
            try secret.withUnsafeBytes { (_) throws(CryptoError) in throw CryptoError(.wrongKey, "") }
        }
        #expect(thrown == .wrongKey)
    }

    @Test func `allocating more memory than available throws`() {
        #expect(code { () throws(CryptoError) in _ = try SecretBytes(count: 1 << 60) } == .memoryUnavailable)
    }

    /// Reads the guard page after the last byte. Reading the last byte itself is the control.
    @Test func `reading past the end stops the program`() async {
        await #expect(processExitsWith: .success) {
            printByte(at: 31, of: try SecretBytes(count: 32))
        }
        await #expect(processExitsWith: .failure) {
            printByte(at: 32, of: try SecretBytes(count: 32))
        }
    }

    @Test func `a box returns its secret once`() throws {
        let box = SecretBox(try secretBytes([1, 2, 3]))
        #expect(contents(takenFrom: box) == [1, 2, 3])
        #expect(contents(takenFrom: box) == nil)
    }

    @Test func `a box used by many threads returns its secret once`() async throws {
        let box = SlotSecretBox(try passphrase("only one"))
        let takers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask { box.take() != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(takers == 1)
    }
}

@Suite struct SodiumRuntimeTests {
    @Test func `libsodium starts from many threads`() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { code { () throws(CryptoError) in try SodiumRuntime.start() } == nil }
            }
            for await isStarted in group {
                #expect(isStarted)
            }
        }
    }

    @Test func `the version of libsodium has three numbers`() {
        #expect(SodiumRuntime.versionText.split(separator: ".").compactMap { Int($0) }.count == 3)
    }
}

/// Prints the byte, so that the compiler cannot remove the read.
private func printByte(at offset: Int, of secret: borrowing SecretBytes) {
    secret.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        print(base.load(fromByteOffset: offset, as: UInt8.self))
    }
}
