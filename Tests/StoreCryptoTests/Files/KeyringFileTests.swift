import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto

@Suite struct KeyringFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func keyring(_ label: String) throws -> Keyring {
        try create(keyFile(1), label: label).keyring
    }

    private func read() throws(CryptoError) -> Keyring? {
        try KeyringFile.read(inDirectory: directory.path)
    }

    @Test func `an absent keyring is read as nil`() throws {
        #expect(try read() == nil)
    }

    @Test func `an absent directory is an error`() {
        let thrown = code { () throws(CryptoError) in _ = try KeyringFile.read(inDirectory: "/nonexistent/state") }
        #expect(thrown == .storageFailed)
    }

    @Test func `a written keyring is read back, and the previous one is kept`() throws {
        let first = try keyring("first")
        let second = try keyring("second")
        try KeyringFile.write(first, inDirectory: directory.path)
        #expect(try read() == first)
        #expect(try directory.names() == ["keyring"])
        try KeyringFile.write(second, inDirectory: directory.path)
        #expect(try read() == second)
        #expect(directory.bytes(of: "keyring.previous") == first.serialized())
        #expect(try directory.names() == ["keyring", "keyring.previous"])
        try KeyringFile.write(first, inDirectory: directory.path)
        #expect(directory.bytes(of: "keyring.previous") == second.serialized())
    }

    @Test func `the keyring file is private`() throws {
        try KeyringFile.write(try keyring("first"), inDirectory: directory.path)
        try KeyringFile.write(try keyring("second"), inDirectory: directory.path)
        #expect(directory.mode(of: "keyring") == 0o600)
        #expect(directory.mode(of: "keyring.previous") == 0o600)
    }

    @Test(arguments: 0...KeyringReplacement.Step.allCases.count)
    func `a crash after any step leaves the old or the new keyring, and the next write succeeds`(steps: Int) throws {
        let (old, new, later) = (try keyring("old"), try keyring("new"), try keyring("later"))
        try KeyringFile.write(try keyring("oldest"), inDirectory: directory.path)
        try KeyringFile.write(old, inDirectory: directory.path)
        let descriptor = try OwnedDescriptor.directory(directory.path)
        let replacement = try KeyringReplacement(new, directory: descriptor.number)
        for step in KeyringReplacement.Step.allCases.prefix(steps) {
            try replacement.perform(step)
        }
        let isReplaced = KeyringReplacement.Step.allCases.prefix(steps).contains(.replaceKeyring)
        #expect(try read() == (isReplaced ? new : old))
        #expect(try Keyring.parse(try #require(directory.bytes(of: "keyring.previous"))).slots.count == 1)

        try KeyringFile.write(later, inDirectory: directory.path)
        #expect(try read() == later)
        #expect(directory.bytes(of: "keyring.previous") == (isReplaced ? new : old).serialized())
        #expect(try directory.names() == ["keyring", "keyring.previous"])
    }

    /// A pipe represents a folder that cannot be synced (fsync(2), EINVAL).
    @Test func `a failed sync after the replacement is reported as lost durability`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let replacement = try KeyringReplacement(try keyring("new"), directory: ends[0])
        let thrown = code { () throws(CryptoError) in try replacement.perform(.synchronizeDirectory) }
        #expect(thrown == .durabilityLost)
    }

    @Test func `a partial temporary file of a crash is replaced`() throws {
        let old = try keyring("old")
        try KeyringFile.write(old, inDirectory: directory.path)
        try directory.write(Array(old.serialized().prefix(30)), to: "keyring.new", mode: 0o644)
        try directory.write([1], to: "keyring.previous.new")
        let new = try keyring("new")
        try KeyringFile.write(new, inDirectory: directory.path)
        #expect(try read() == new)
        #expect(directory.bytes(of: "keyring.previous") == old.serialized())
        #expect(try directory.names() == ["keyring", "keyring.previous"])
        #expect(directory.mode(of: "keyring") == 0o600)
    }

    @Test func `readers see the old or the new keyring during many replacements`() async throws {
        let keyrings = [try keyring("first"), try keyring("second")]
        try KeyringFile.write(keyrings[0], inDirectory: directory.path)
        let path = directory.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 1...TestTier.count(20, long: 100) {
                    try KeyringFile.write(keyrings[turn % 2], inDirectory: path)
                }
            }
            group.addTask {
                for _ in 0..<TestTier.count(100, long: 500) {
                    let keyring = try KeyringFile.read(inDirectory: path)
                    #expect(keyring.map(keyrings.contains) == true)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a failed write leaves the old keyring and no temporary file`() throws {
        let old = try keyring("old")
        try KeyringFile.write(old, inDirectory: directory.path)
        // A directory at the path of the previous keyring cannot be replaced by a file, not even by root.
        try #require(mkdir(directory.file("keyring.previous"), 0o700) == 0)
        defer { rmdir(directory.file("keyring.previous")) }
        let thrown = code { () throws(CryptoError) in
            try KeyringFile.write(create(keyFile(1)).keyring, inDirectory: directory.path)
        }
        #expect(thrown == .storageFailed)
        #expect(try read() == old)
        #expect(try directory.names() == ["keyring", "keyring.previous"])
    }

    @Test func `a link in the keyring's place is not followed`() throws {
        try KeyringFile.write(try keyring("real"), inDirectory: directory.path)
        try #require(rename(directory.file("keyring"), directory.file("elsewhere")) == 0)
        try #require(symlink("elsewhere", directory.file("keyring")) == 0)
        #expect(code { () throws(CryptoError) in _ = try read() } == .storageFailed)
    }

    @Test func `a link in the temporary file's place is not written through`() throws {
        try directory.write([1, 2, 3], to: "elsewhere")
        try #require(symlink("elsewhere", directory.file("keyring.new")) == 0)
        try KeyringFile.write(try keyring("new"), inDirectory: directory.path)
        #expect(directory.bytes(of: "elsewhere") == [1, 2, 3])
        #expect(try read()?.slots.map(\.label) == ["new"])
    }

    @Test func `a pipe or directory in the keyring's place is an error without waiting`() throws {
        try #require(mkfifo(directory.file("keyring"), 0o600) == 0)
        #expect(code { () throws(CryptoError) in _ = try read() } == .storageFailed)
        unlink(directory.file("keyring"))
        try #require(mkdir(directory.file("keyring"), 0o700) == 0)
        defer { rmdir(directory.file("keyring")) }
        #expect(code { () throws(CryptoError) in _ = try read() } == .storageFailed)
    }

    @Test(arguments: [0, 10, (64 << 10) + 1, 1 << 20])
    func `a keyring file of a wrong size is damaged, and never counts as absent`(count: Int) throws {
        try directory.write([UInt8](repeating: 0x67, count: count), to: "keyring")
        #expect(code { () throws(CryptoError) in _ = try read() } == .keyringDamaged)
    }
}
