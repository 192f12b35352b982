import Glibc
import StoreCrypto
import Testing

/// Tests that compare the keyring with proto-docs/vectors/keyring/keyring-v1.txt. The script make.py in the same folder
/// wrote this file and shares no code with this library.
@Suite struct KeyringVectorTests {
    private let fields: [String: String]

    init() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let path = "/\(root)/proto-docs/vectors/keyring/keyring-v1.txt"
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0, "cannot open \(path)")
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &buffer, buffer.count)
        let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
        fields = Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let separator = try #require(line.firstIndex(of: ":"))
                return (String(line[..<separator]), String(line[separator...].dropFirst(2)))
            })
    }

    private func field(_ name: String) throws -> String {
        try #require(fields[name])
    }

    private func secret(_ kind: SlotKind) throws -> SlotSecret {
        let value =
            switch kind {
            case .passphrase: Array(try field("passphrase").utf8)
            case .recoveryCode: Array(try field("recovery code").utf8)
            case .keyFile, .credential: bytes(hexadecimal: try field("key file"))
            }
        return try SlotSecret(kind: kind, bytes: secretBytes(value))
    }

    @Test func `a vector is read as its description says`() throws {
        let file = bytes(hexadecimal: try field("file"))
        let keyring = try Keyring.parse(file)
        #expect(keyring.serialized() == file)
        #expect(keyring.generation == UInt64(try field("generation")))
        #expect(keyring.hasPendingRotation)
        #expect(keyring.slots.map(\.number) == [1, 2, 5, 16])
        #expect(keyring.slots.map(\.kind) == [.passphrase, .recoveryCode, .keyFile, .credential])
        #expect(keyring.slots.map(\.label) == ["Küche", "", "key file", "unit"])
        #expect(keyring.slots.map(\.createdAtMicroseconds) == [1, 2, 5, 16].map { 1_700_000_000_000_000 + $0 })
        #expect(keyring.slots.map(\.cost) == [.lowForTests, nil, nil, nil])
    }

    @Test(arguments: SlotKind.allCases) func `every slot of the vector opens to its keys`(kind: SlotKind) throws {
        let keyring = try Keyring.parse(bytes(hexadecimal: try field("file")))
        let unlocked = try keyring.unlock(with: secret(kind))
        #expect(try unlocked.databaseKeyText(.current) == field("database key"))
        #expect(try unlocked.databaseKeyText(.next) == field("next database key"))
    }
}
