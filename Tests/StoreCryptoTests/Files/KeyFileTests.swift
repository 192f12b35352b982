import Glibc
import StoreCrypto
import Testing

@Suite struct KeyFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func readingCode(_ name: String, kind: SlotKind = .keyFile) -> CryptoError.Code? {
        code { () throws(CryptoError) in _ = try KeyFile.read(at: directory.path(of: name), kind: kind) }
    }

    @Test func generatedKeyFileIsPrivateRandomAndReadable() throws {
        try KeyFile.generate(at: directory.path(of: "first"))
        try KeyFile.generate(at: directory.path(of: "second"))
        #expect(directory.mode(of: "first") == 0o600)
        #expect(directory.read("first")?.count == 32)
        #expect(directory.read("first") != directory.read("second"))
        let secret = try KeyFile.read(at: directory.path(of: "first"))
        #expect(contents(of: secret.bytes) == directory.read("first"))
        #expect(secret.kind == .keyFile)
    }

    @Test func existingFileOrLinkIsNeverReplaced() throws {
        try directory.write([1, 2, 3], to: "taken")
        try #require(symlink("nowhere", directory.path(of: "link")) == 0)
        for name in ["taken", "link"] {
            let thrown = code { () throws(CryptoError) in try KeyFile.generate(at: directory.path(of: name)) }
            #expect(thrown == .keyFileExists)
        }
        #expect(directory.read("taken") == [1, 2, 3])
        #expect(directory.read("nowhere") == nil)
    }

    @Test func absentDirectoryIsAnError() {
        let thrown = code { () throws(CryptoError) in try KeyFile.generate(at: "/nonexistent/key") }
        #expect(thrown == .storageFailed)
    }

    @Test(arguments: [32, 33, 4_095, 4_096])
    func allowedLengthIsReadWhole(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try directory.write(bytes, to: "key")
        #expect(contents(of: try KeyFile.read(at: directory.path(of: "key")).bytes) == bytes)
    }

    @Test(arguments: [0, 1, 31, 4_097, 100_000])
    func otherLengthIsRefused(count: Int) throws {
        try directory.write([UInt8](repeating: 1, count: count), to: "key")
        #expect(readingCode("key") == .keyFileInvalid)
    }

    @Test(arguments: [mode_t(0o640), 0o620, 0o604, 0o602, 0o644, 0o660, 0o601, 0o610])
    func fileOpenToOthersIsRefusedWithAHint(mode: mode_t) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key", mode: mode)
        do {
            _ = try KeyFile.read(at: directory.path(of: "key"))
            Issue.record("a key file of mode \(String(mode, radix: 8)) was taken")
        } catch {
            #expect(error.code == .keyFileInvalid)
            #expect(error.message.contains("chmod 0600"))
        }
    }

    @Test(arguments: [mode_t(0o600), 0o400, 0o700])
    func fileOfItsOwnerAloneIsTaken(mode: mode_t) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key", mode: mode)
        #expect(readingCode("key") == nil)
    }

    /// systemd shows the mask of an access control list as group bits.
    @Test(arguments: [(mode_t(0o400), true), (0o440, true), (0o444, false), (0o460, false), (0o442, false)])
    func credentialMayBeReadableByItsGroup(mode: mode_t, isTaken: Bool) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "credential", mode: mode)
        #expect(readingCode("credential", kind: .credential) == (isTaken ? nil : .keyFileInvalid))
    }

    @Test func whatIsNotARegularFileIsRefusedWithoutWaiting() throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key")
        try #require(mkfifo(directory.path(of: "pipe"), 0o600) == 0)
        try #require(symlink("key", directory.path(of: "link")) == 0)
        try #require(mkdir(directory.path(of: "directory"), 0o700) == 0)
        defer { rmdir(directory.path(of: "directory")) }
        for name in ["pipe", "link", "directory"] {
            #expect(readingCode(name) == .keyFileInvalid, "\(name)")
        }
    }

    @Test(arguments: ["absent", "key/below"])
    func absentKeyFileIsSaidToBeMissing(name: String) throws {
        try directory.write([UInt8](repeating: 1, count: 32), to: "key")
        do throws(CryptoError) {
            _ = try KeyFile.read(at: directory.path(of: name))
            Issue.record("a key file that is not there was read")
        } catch {
            #expect(error.code == .keyFileInvalid)
            #expect(error.message.contains("missing"))
        }
    }

    @Test func generatedKeyFileOpensAKeyring() throws {
        try KeyFile.generate(at: directory.path(of: "key"))
        let keyring = try create(KeyFile.read(at: directory.path(of: "key"))).keyring
        #expect(try keyring.unlock(with: KeyFile.read(at: directory.path(of: "key"))).openedSlot == 1)
    }
}
