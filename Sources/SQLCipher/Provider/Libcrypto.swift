import Glibc

/// The functions of OpenSSL's libcrypto that protect a page. They are looked up in the library that SQLCipher has
/// loaded, so that OpenSSL is not linked twice. See EVP_EncryptInit(3) and HMAC(3).
struct Libcrypto: @unchecked Sendable {
    // @unchecked Sendable because function pointers never change, and threads may share fetched algorithms
    // (EVP_CIPHER_fetch(3)).
    typealias Object = OpaquePointer
    typealias Bytes = UnsafePointer<UInt8>
    typealias MutableBytes = UnsafeMutablePointer<UInt8>
    typealias New = @convention(c) () -> Object?
    typealias Free = @convention(c) (Object?) -> Void
    typealias Fetch = @convention(c) (Object?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Object?
    typealias InitCipher = @convention(c) (Object?, Object?, Object?, Bytes?, Bytes?, CInt) -> CInt
    typealias SetPadding = @convention(c) (Object?, CInt) -> CInt
    typealias UpdateCipher =
        @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CInt>?, Bytes?, CInt) -> CInt
    typealias InitHMAC = @convention(c) (Object?, UnsafeRawPointer?, CInt, Object?, Object?) -> CInt
    typealias UpdateHMAC = @convention(c) (Object?, Bytes?, Int) -> CInt
    typealias FinishHMAC = @convention(c) (Object?, MutableBytes?, UnsafeMutablePointer<CUnsignedInt>?) -> CInt
    typealias DeriveKey =
        @convention(c) (UnsafeRawPointer?, CInt, Bytes?, CInt, CInt, Object?, CInt, MutableBytes?) -> CInt

    let newCipherContext: New
    let freeCipherContext: Free
    let initCipher: InitCipher
    let setPadding: SetPadding
    let updateCipher: UpdateCipher
    let newHMACContext: New
    let freeHMACContext: Free
    let initHMAC: InitHMAC
    let updateHMAC: UpdateHMAC
    let finishHMAC: FinishHMAC
    /// PKCS5_PBKDF2_HMAC(3).
    let deriveKey: DeriveKey
    /// Fetched once, because OpenSSL looks up `EVP_aes_256_cbc()` and `EVP_sha1()` again at each use.
    let aes256CBC: Object
    let sha1: Object

    /// Returns the functions, or `nil` if OpenSSL 3 is not loaded. Ends the process if OpenSSL lacks the algorithms.
    static func loaded() -> Libcrypto? {
        guard let fetchCipher: Fetch = symbol("EVP_CIPHER_fetch"), let fetchDigest: Fetch = symbol("EVP_MD_fetch"),
            let newCipherContext: New = symbol("EVP_CIPHER_CTX_new"),
            let freeCipherContext: Free = symbol("EVP_CIPHER_CTX_free"),
            let initCipher: InitCipher = symbol("EVP_CipherInit_ex"),
            let setPadding: SetPadding = symbol("EVP_CIPHER_CTX_set_padding"),
            let updateCipher: UpdateCipher = symbol("EVP_CipherUpdate"),
            let newHMACContext: New = symbol("HMAC_CTX_new"), let freeHMACContext: Free = symbol("HMAC_CTX_free"),
            let initHMAC: InitHMAC = symbol("HMAC_Init_ex"), let updateHMAC: UpdateHMAC = symbol("HMAC_Update"),
            let finishHMAC: FinishHMAC = symbol("HMAC_Final"),
            let deriveKey: DeriveKey = symbol("PKCS5_PBKDF2_HMAC")
        else { return nil }
        guard let aes256CBC = fetchCipher(nil, "AES-256-CBC", nil), let sha1 = fetchDigest(nil, "SHA1", nil) else {
            PageCipherFailure.endProcess("libcrypto does not provide AES-256-CBC and SHA-1")
        }
        return Libcrypto(
            newCipherContext: newCipherContext, freeCipherContext: freeCipherContext, initCipher: initCipher,
            setPadding: setPadding, updateCipher: updateCipher, newHMACContext: newHMACContext,
            freeHMACContext: freeHMACContext, initHMAC: initHMAC, updateHMAC: updateHMAC, finishHMAC: finishHMAC,
            deriveKey: deriveKey, aes256CBC: aes256CBC, sha1: sha1)
    }

    /// Returns a function of a library that this process has loaded; `nil` if no function has this name.
    static func symbol<Function>(_ name: String) -> Function? {
        // `nil` stands for RTLD_DEFAULT of dlfcn.h, a null handle that Swift does not import because it is a cast.
        guard let address = dlsym(nil, name) else { return nil }
        return unsafeBitCast(address, to: Function.self)
    }
}
