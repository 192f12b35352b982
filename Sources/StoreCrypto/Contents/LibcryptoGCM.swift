import CSodium
import Glibc

/// AES-256-GCM of OpenSSL's libcrypto. It is used only if the process has loaded libcrypto, for example because
/// SQLCipher needs it. On processors with wide vector instructions it takes a third of libsodium's time. See
/// EVP_EncryptInit(3).
struct LibcryptoGCM: @unchecked Sendable {
    // @unchecked Sendable because function pointers never change, and a fetched algorithm is made to be shared between
    // threads (EVP_CIPHER_fetch(3)).
    private typealias Object = OpaquePointer
    private typealias New = @convention(c) () -> Object?
    private typealias Free = @convention(c) (Object?) -> Void
    private typealias Fetch = @convention(c) (Object?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Object?
    private typealias Start =
        @convention(c) (Object?, Object?, Object?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, CInt) -> CInt
    private typealias Control = @convention(c) (Object?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt
    private typealias Update =
        @convention(c) (
            Object?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CInt>?, UnsafePointer<UInt8>?, CInt
        ) -> CInt
    private typealias Finish =
        @convention(c) (Object?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CInt>?) -> CInt

    /// The values of EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG in openssl/evp.h.
    private static let (getTag, setTag): (CInt, CInt) = (0x10, 0x11)

    private let newContext: New
    /// Frees a context and wipes its memory.
    private let freeContext: Free
    private let start: Start
    private let control: Control
    private let update: Update
    private let finish: Finish
    private let aes256GCM: Object

    /// The key, the data and the buffers with which one chunk is sealed or opened.
    struct Chunk {
        /// 32 bytes.
        let key: UnsafePointer<UInt8>
        /// 12 bytes.
        let nonce: UnsafePointer<UInt8>
        let associatedData: UnsafeBufferPointer<UInt8>
        /// The bytes to seal or open. The output may be the same memory.
        let input: UnsafePointer<UInt8>
        let output: UnsafeMutablePointer<UInt8>
        let count: Int
        /// 16 bytes, written when sealing and read when opening.
        let authenticator: UnsafeMutablePointer<UInt8>
    }

    enum Opening {
        case opened
        /// The authenticator does not match. The output must not be used.
        case forged
        /// The library failed because it could not allocate memory.
        case failed
    }

    /// The loaded implementation; `nil` if the process has no OpenSSL 3, or if its results differ from libsodium's.
    static let loaded: LibcryptoGCM? = LibcryptoGCM().flatMap { $0.agreesWithSodium ? $0 : nil }

    private init?() {
        guard let fetch: Fetch = Self.symbol("EVP_CIPHER_fetch"),
            let newContext: New = Self.symbol("EVP_CIPHER_CTX_new"),
            let freeContext: Free = Self.symbol("EVP_CIPHER_CTX_free"),
            let start: Start = Self.symbol("EVP_CipherInit_ex"),
            let control: Control = Self.symbol("EVP_CIPHER_CTX_ctrl"),
            let update: Update = Self.symbol("EVP_CipherUpdate"),
            let finish: Finish = Self.symbol("EVP_CipherFinal_ex"),
            let aes256GCM = fetch(nil, "AES-256-GCM", nil)
        else { return nil }
        (self.newContext, self.freeContext, self.start) = (newContext, freeContext, start)
        (self.control, self.update, self.finish) = (control, update, finish)
        self.aes256GCM = aes256GCM
    }

    /// Seals a chunk.
    ///
    /// - Returns: false if the library failed to allocate memory.
    func seal(_ chunk: Chunk) -> Bool {
        withContext(chunk, isSealing: true) { context in
            let authenticatorBytes = CInt(ChunkCipher.authenticatorBytes)
            var count: CInt = 0
            return finish(context, chunk.output + chunk.count, &count) == 1
                && control(context, Self.getTag, authenticatorBytes, chunk.authenticator) == 1
        } ?? false
    }

    func open(_ chunk: Chunk) -> Opening {
        withContext(chunk, isSealing: false) { context in
            let authenticatorBytes = CInt(ChunkCipher.authenticatorBytes)
            guard control(context, Self.setTag, authenticatorBytes, chunk.authenticator) == 1 else { return .failed }
            var count: CInt = 0
            return finish(context, chunk.output + chunk.count, &count) == 1 ? .opened : .forged
        } ?? .failed
    }

    /// Runs the cipher over all bytes of a chunk, and lends the context to `body`. Each chunk has a context of its own.
    private func withContext<Result>(_ chunk: Chunk, isSealing: Bool, _ body: (Object) -> Result) -> Result? {
        guard let context = newContext() else { return nil }
        defer { freeContext(context) }
        guard let byteCount = CInt(exactly: chunk.count),
            start(context, aes256GCM, nil, chunk.key, chunk.nonce, isSealing ? 1 : 0) == 1
        else { return nil }
        var count: CInt = 0
        let data = chunk.associatedData
        guard update(context, nil, &count, data.baseAddress, CInt(data.count)) == 1 else { return nil }
        guard byteCount == 0 || update(context, chunk.output, &count, chunk.input, byteCount) == 1 else { return nil }
        return body(context)
    }

    /// Returns a function of a library that this process has loaded; `nil` if no loaded library has a function with
    /// this name.
    private static func symbol<Function>(_ name: String) -> Function? {
        // `nil` stands for RTLD_DEFAULT of dlfcn.h, a null handle that Swift does not import because it is a cast.
        guard let address = dlsym(nil, name) else { return nil }
        return unsafeBitCast(address, to: Function.self)
    }

    /// True if libsodium and libcrypto agree on a sample: both open what libcrypto has sealed, and libcrypto rejects
    /// the sealed bytes after one bit was changed.
    private var agreesWithSodium: Bool {
        guard crypto_aead_aes256gcm_is_available() == 1 else { return false }
        let (keyBytes, nonceBytes, dataBytes, count) = (32, 12, 40, 1_000)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128 + 3 * count) { memory in
            for index in memory.indices {
                memory.initializeElement(at: index, to: UInt8(truncatingIfNeeded: index &* 7))
            }
            guard let key = memory.baseAddress else { return false }
            let nonce = key + keyBytes
            let data = UnsafeBufferPointer(start: nonce + nonceBytes, count: dataBytes)
            let authenticator = nonce + nonceBytes + dataBytes
            let (plaintext, sealed, opened) = (key + 128, key + 128 + count, key + 128 + 2 * count)
            let chunk = { (input: UnsafeMutablePointer<UInt8>, output: UnsafeMutablePointer<UInt8>) in
                Chunk(
                    key: key, nonce: nonce, associatedData: data, input: input, output: output, count: count,
                    authenticator: authenticator)
            }
            guard seal(chunk(plaintext, sealed)), memcmp(plaintext, sealed, count) != 0,
                crypto_aead_aes256gcm_decrypt_detached(
                    opened, nil, sealed, UInt64(count), authenticator, data.baseAddress, UInt64(dataBytes), nonce, key)
                    == 0, memcmp(plaintext, opened, count) == 0
            else { return false }
            opened.update(repeating: 0, count: count)
            guard open(chunk(sealed, opened)) == .opened, memcmp(plaintext, opened, count) == 0 else { return false }
            sealed[count / 2] ^= 1
            return open(chunk(sealed, opened)) == .forged
        }
    }
}
