import Glibc

/// What SQLCipher calls. None of them comes back without having done its work: a failure ends the process.
extension PageCipher {
    typealias Bytes = UnsafeMutablePointer<UInt8>

    static let keyBytes: CInt = 32
    static let blockBytes: CInt = 16
    static let authenticatorBytes = 20

    /// Initialization vectors and salts, from the kernel: at most 256 bytes, see getentropy(3).
    static func fillRandomly(_ bytes: UnsafeMutableRawPointer?, _ byteCount: CInt) {
        guard let bytes, byteCount >= 0, getentropy(bytes, Int(byteCount)) == 0 else {
            PageCipherFailure.endProcess("the kernel gives no random bytes")
        }
    }

    /// HMAC-SHA1 over two pieces: RFC 2104. Whether it is the authenticator of a page that was read is for the caller
    /// to compare.
    static func authenticate(
        _ key: Bytes?, _ keyBytes: CInt, _ first: Bytes?, _ firstBytes: CInt, _ second: Bytes?, _ secondBytes: CInt,
        _ output: Bytes?
    ) {
        guard let libcrypto, let context = libcrypto.newHMACContext() else {
            PageCipherFailure.endProcess("libcrypto has no room to authenticate a page")
        }
        var outputBytes: CUnsignedInt = 0
        guard libcrypto.initHMAC(context, key, keyBytes, libcrypto.sha1, nil) == 1,
            libcrypto.updateHMAC(context, first, Int(firstBytes)) == 1,
            libcrypto.updateHMAC(context, second, Int(secondBytes)) == 1,
            libcrypto.finishHMAC(context, output, &outputBytes) == 1, outputBytes == authenticatorBytes
        else { PageCipherFailure.endProcess("libcrypto cannot authenticate a page") }
        libcrypto.freeHMACContext(context)
    }

    /// PBKDF2 with HMAC-SHA1: RFC 8018. SQLCipher makes the key of the authenticator with it.
    static func deriveKey(
        _ password: UnsafePointer<UInt8>?, _ passwordBytes: CInt, _ salt: Bytes?, _ saltBytes: CInt, _ rounds: CInt,
        _ keyBytes: CInt, _ key: Bytes?
    ) {
        guard let libcrypto,
            libcrypto.deriveKey(
                password, passwordBytes, salt, saltBytes, rounds, libcrypto.sha1, keyBytes, key) == 1
        else { PageCipherFailure.endProcess("libcrypto cannot derive the key that authenticates pages") }
    }

    /// AES-256-CBC without padding, whole blocks: NIST SP 800-38A.
    /// - Parameter mode: 1 encrypts, 0 decrypts.
    static func encipher(
        _ mode: CInt, _ key: Bytes?, _ keyBytes: CInt, _ iv: Bytes?, _ input: Bytes?, _ inputBytes: CInt,
        _ output: Bytes?
    ) {
        guard keyBytes == Self.keyBytes, let libcrypto, let context = libcrypto.newCipherContext() else {
            PageCipherFailure.endProcess("libcrypto has no room to encrypt a page")
        }
        var outputBytes: CInt = 0
        guard libcrypto.initCipher(context, libcrypto.aes256CBC, nil, key, iv, mode) == 1,
            libcrypto.setPadding(context, 0) == 1,
            libcrypto.updateCipher(context, output, &outputBytes, input, inputBytes) == 1,
            outputBytes == inputBytes
        else { PageCipherFailure.endProcess("libcrypto cannot encrypt or decrypt a page") }
        libcrypto.freeCipherContext(context)
    }
}
