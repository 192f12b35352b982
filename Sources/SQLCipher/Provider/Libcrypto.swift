import Glibc

/// The functions of OpenSSL's libcrypto that protect a page, from the library that SQLCipher itself has loaded, so that
/// nothing is linked twice. See EVP_EncryptInit(3) and HMAC(3).
struct Libcrypto: @unchecked Sendable {
    // Sendable because function pointers never change, and fetched algorithms are shared between threads by design
    // (EVP_CIPHER_fetch(3)).
    typealias Object = OpaquePointer
    typealias Bytes = UnsafePointer<UInt8>
    typealias MutableBytes = UnsafeMutablePointer<UInt8>

    let newCipherContext: @convention(c) () -> Object?
    let freeCipherContext: @convention(c) (Object?) -> Void
    let initCipher: @convention(c) (Object?, Object?, Object?, Bytes?, Bytes?, CInt) -> CInt
    let setPadding: @convention(c) (Object?, CInt) -> CInt
    let updateCipher: @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CInt>?, Bytes?, CInt) -> CInt
    let newHMACContext: @convention(c) () -> Object?
    let freeHMACContext: @convention(c) (Object?) -> Void
    let initHMAC: @convention(c) (Object?, UnsafeRawPointer?, CInt, Object?, Object?) -> CInt
    let updateHMAC: @convention(c) (Object?, Bytes?, Int) -> CInt
    let finishHMAC: @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CUnsignedInt>?) -> CInt
    /// Fetched once: what `EVP_aes_256_cbc()` and `EVP_sha1()` stand for is looked up anew at each use.
    let aes256CBC: Object
    let sha1: Object

    private typealias Fetch = @convention(c) (Object?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Object?

    /// - Returns: `nil` without an OpenSSL 3 that has both algorithms.
    static func loaded() -> Libcrypto? {
        guard let fetchCipher: Fetch = symbol("EVP_CIPHER_fetch"), let fetchDigest: Fetch = symbol("EVP_MD_fetch"),
            let aes256CBC = fetchCipher(nil, "AES-256-CBC", nil), let sha1 = fetchDigest(nil, "SHA1", nil)
        else { return nil }
        return Libcrypto(aes256CBC: aes256CBC, sha1: sha1)
    }

    private init?(aes256CBC: Object, sha1: Object) {
        guard
            let newCipherContext: @convention(c) () -> Object? = Self.symbol("EVP_CIPHER_CTX_new"),
            let freeCipherContext: @convention(c) (Object?) -> Void = Self.symbol("EVP_CIPHER_CTX_free"),
            let initCipher: @convention(c) (Object?, Object?, Object?, Bytes?, Bytes?, CInt) -> CInt =
                Self.symbol("EVP_CipherInit_ex"),
            let setPadding: @convention(c) (Object?, CInt) -> CInt = Self.symbol("EVP_CIPHER_CTX_set_padding"),
            let updateCipher: @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CInt>?, Bytes?, CInt) -> CInt
            =
                Self.symbol("EVP_CipherUpdate"),
            let newHMACContext: @convention(c) () -> Object? = Self.symbol("HMAC_CTX_new"),
            let freeHMACContext: @convention(c) (Object?) -> Void = Self.symbol("HMAC_CTX_free"),
            let initHMAC: @convention(c) (Object?, UnsafeRawPointer?, CInt, Object?, Object?) -> CInt =
                Self.symbol("HMAC_Init_ex"),
            let updateHMAC: @convention(c) (Object?, Bytes?, Int) -> CInt = Self.symbol("HMAC_Update"),
            let finishHMAC: @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CUnsignedInt>?) -> CInt =
                Self.symbol("HMAC_Final")
        else { return nil }
        self.newCipherContext = newCipherContext
        self.freeCipherContext = freeCipherContext
        self.initCipher = initCipher
        self.setPadding = setPadding
        self.updateCipher = updateCipher
        self.newHMACContext = newHMACContext
        self.freeHMACContext = freeHMACContext
        self.initHMAC = initHMAC
        self.updateHMAC = updateHMAC
        self.finishHMAC = finishHMAC
        self.aes256CBC = aes256CBC
        self.sha1 = sha1
    }

    /// A function of a library this process has loaded; `nil` when there is none of the name.
    static func symbol<Function>(_ name: String) -> Function? {
        // RTLD_DEFAULT of dlfcn.h is a cast Swift does not import: the null handle.
        guard let address = dlsym(nil, name) else { return nil }
        return unsafeBitCast(address, to: Function.self)
    }
}
