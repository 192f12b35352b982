import Glibc
import StoreCrypto
import TestBasics
import Testing

@Suite struct KeyFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func readingCode(_ name: String, kind: SlotKind = .keyFile) -> CryptoError.Code? {
        code { () throws(CryptoError) in _ = try KeyFile.read(at: directory.file(name), kind: kind) }
    }

    @Test func `a generated key file is private, random and readable`() throws {
        try KeyFile.generate(at: directory.file("first"))
        try KeyFile.generate(at: directory.file("second"))
        #expect(directory.mode(of: "first") == 0o600)
        #expect(directory.bytes(of: "first")?.count == 32)
        #expect(directory.bytes(of: "first") != directory.bytes(of: "second"))
        let secret = try KeyFile.read(at: directory.file("first"))
        #expect(contents(of: secret.bytes) == directory.bytes(of: "first"))
        #expect(secret.kind == .keyFile)
    }

    @Test func `an existing file or link is never replaced`() throws {
        try directory.write([1, 2, 3], to: "taken")
        try #require(symlink("nowhere", directory.file("link")) == 0)
        for name in ["taken", "link"] {
            let thrown = code { () throws(CryptoError) in try KeyFile.generate(at: directory.file(name)) }
            #expect(thrown == .keyFileExists)
        }
        #expect(directory.bytes(of: "taken") == [1, 2, 3])
        #expect(directory.bytes(of: "nowhere") == nil)
    }

    @Test func `an absent directory is an error`() {
        let thrown = code { () throws(CryptoError) in try KeyFile.generate(at: "/nonexistent/key") }
        #expect(thrown == .storageFailed)
    }

    @Test(arguments: [32, 33, 4_095, 4_096]) func `a key file of an allowed length is read completely`(count: Int)
        throws
    {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try directory.write(bytes, to: "key")
        #expect(contents(of: try KeyFile.read(at: directory.file("key")).bytes) == bytes)
    }

    @Test(arguments: [0, 1, 31, 4_097, 100_000]) func `a key file of another length is refused`(count: Int) throws {
        try directory.write([UInt8](repeating: 1, count: count), to: "key")
        #expect(readingCode("key") == .keyFileInvalid)
    }

    @Test(arguments: [mode_t(0o640), 0o620, 0o604, 0o602, 0o644, 0o660, 0o601, 0o610])
    func `a key file that others can access is refused with a hint`(mode: mode_t) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key", mode: mode)
        do {
            _ = try KeyFile.read(at: directory.file("key"))
            Issue.record("a key file of mode \(String(mode, radix: 8)) was taken")
        } catch {
            #expect(error.code == .keyFileInvalid)
            #expect(error.message.contains("chmod 0600"))
        }
    }

    @Test(arguments: [mode_t(0o600), 0o400, 0o700]) func `a key file that only its owner can access is accepted`(
        mode: mode_t
    ) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key", mode: mode)
        #expect(readingCode("key") == nil)
    }

    /// systemd grants access to a credential with an access control list. The file mode shows the mask of this list as
    /// group bits.
    @Test(arguments: [(mode_t(0o400), true), (0o440, true), (0o444, false), (0o460, false), (0o442, false)])
    func `a credential may be readable by its group`(mode: mode_t, isTaken: Bool) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "credential", mode: mode)
        #expect(readingCode("credential", kind: .credential) == (isTaken ? nil : .keyFileInvalid))
    }

    @Test func `anything but a regular file is refused without waiting`() throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key")
        try #require(mkfifo(directory.file("pipe"), 0o600) == 0)
        try #require(symlink("key", directory.file("link")) == 0)
        try #require(mkdir(directory.file("directory"), 0o700) == 0)
        defer { rmdir(directory.file("directory")) }
        for name in ["pipe", "link", "directory"] {
            #expect(readingCode(name) == .keyFileInvalid, "\(name)")
        }
    }

    @Test(arguments: ["absent", "key/below"]) func `the error of an absent key file says that it is missing`(
        name: String
    ) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key")
        do throws(CryptoError) {
            _ = try KeyFile.read(at: directory.file(name))
            Issue.record("a key file that is not there was read")
        } catch {
            #expect(error.code == .keyFileInvalid)
            #expect(error.message.contains("missing"))
        }
    }

    @Test func `a generated key file opens a keyring`() throws {
        try KeyFile.generate(at: directory.file("key"))
        let keyring = try create(KeyFile.read(at: directory.file("key"))).keyring
        #expect(try keyring.unlock(with: KeyFile.read(at: directory.file("key"))).openedSlot == 1)
    }
}
