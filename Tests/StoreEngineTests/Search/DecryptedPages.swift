import Glibc
import Testing

/// The decrypted pages of a store's file. They also contain data that belongs to no row any more.
struct DecryptedPages {
    private static let pageBytes = 2_048
    /// The bytes at the end of a page for the initialization vector and the authenticator.
    private static let reservedBytes = 48
    private static let vectorBytes = 16

    private let bytes: [UInt8]

    /// Decrypts a database file.
    ///
    /// - Parameters:
    ///   - file: the whole database file, whose first bytes are its salt.
    ///   - key: 32 bytes.
    init(_ file: [UInt8], key: [UInt8]) throws {
        let cipher = try BlockCipher()
        var bytes: [UInt8] = []
        // An incomplete last page is left out, because the store may be writing it.
        for start in stride(from: 0, through: file.count - Self.pageBytes, by: Self.pageBytes) {
            let end = start + Self.pageBytes - Self.reservedBytes
            let salt = start == 0 ? 16 : 0
            bytes += cipher.decrypt(
                Array(file[(start + salt)..<end]), key: key, vector: Array(file[end..<(end + Self.vectorBytes)]))
        }
        self.bytes = bytes
    }

    func hold(_ text: String) -> Bool {
        bytes.firstRange(of: Array(text.utf8)) != nil
    }
}

/// AES-256-CBC from the libcrypto that SQLCipher has loaded.
private struct BlockCipher {
    private typealias Make = @convention(c) () -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Begin =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
        ) -> Int32
    private typealias SetPadding = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Update =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
        ) -> Int32

    private let library: UnsafeMutableRawPointer

    init() throws {
        library = try #require(dlopen("libcrypto.so.3", RTLD_NOW))
    }

    private func function<Function>(_ name: String, as type: Function.Type) -> Function {
        unsafeBitCast(dlsym(library, name), to: type)
    }

    func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
        let context = function("EVP_CIPHER_CTX_new", as: Make.self)()
        defer { function("EVP_CIPHER_CTX_free", as: Free.self)(context) }
        let cipher = function("EVP_aes_256_cbc", as: Make.self)()
        var decrypted = [UInt8](repeating: 0, count: bytes.count + 16)
        var count: Int32 = 0
        _ = function("EVP_DecryptInit_ex", as: Begin.self)(context, cipher, nil, key, vector)
        _ = function("EVP_CIPHER_CTX_set_padding", as: SetPadding.self)(context, 0)
        _ = function("EVP_DecryptUpdate", as: Update.self)(context, &decrypted, &count, bytes, Int32(bytes.count))
        return Array(decrypted.prefix(Int(count)))
    }
}
