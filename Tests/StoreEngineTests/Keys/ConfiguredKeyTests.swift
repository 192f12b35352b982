import StoreBasics
import StoreCrypto
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the key slot with which the daemon opens the store at its start.
@Suite struct ConfiguredKeyTests {
    /// The result of reading the daemon's key: no key, an error, or a key file filled with one byte.
    private enum Key: Sendable {
        case none
        case unusable
        case file(UInt8)

        func read() throws(CryptoError) -> SlotSecret? {
            switch self {
            case .none: return nil
            case .unusable: throw CryptoError(.keyFileInvalid, "for the test")
            case .file(let byte):
                return try SlotSecret(
                    kind: .keyFile, bytes: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
            }
        }
    }

    private let folder: TemporaryDirectory
    private let engine: StoreEngine
    private let key: KeyBox

    private final class KeyBox: Sendable {
        let key = Mutex(Key.none)
    }

    /// Creates a store with a passphrase in slot 1, and in slots 2 and 3 the key files that are filled with 7 and with
    /// 8.
    init() throws {
        folder = try TemporaryDirectory()
        let key = KeyBox()
        self.key = key
        engine = try TemporaryStore.engine(
            folder.path, readConfiguredKey: { () throws(CryptoError) in try key.key.withLock { $0 }.read() })
        _ = try engine.initialize(
            secret: TemporaryStore.passphrase("sesame"), label: "", withRecoveryCode: false, lowCost: true)
        for byte in [7, 8] as [UInt8] {
            _ = try engine.addKeySlot(
                authorizedBy: TemporaryStore.passphrase("sesame"), new: .given(TemporaryStore.keyFile(byte)),
                label: "", lowCost: true)
        }
    }

    private func remove(_ number: Int, evenIfConfigured: Bool = false) throws {
        try engine.removeKeySlot(
            authorizedBy: TemporaryStore.passphrase("sesame"), number: number, evenIfConfigured: evenIfConfigured)
    }

    private func refusal(_ number: Int) -> ErrorReason? {
        do {
            try remove(number)
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }

    @Test func `the slot of the configured key is looked up each time, also while the store is locked`() throws {
        defer { engine.shutDown() }
        #expect(try engine.configuredKey() == .absent)
        for (byte, slot) in [(7, 2), (8, 3)] as [(UInt8, Int)] {
            key.key.withLock { $0 = .file(byte) }
            #expect(try engine.configuredKey() == .opens(slot: slot))
        }
        try engine.lock()
        #expect(try engine.configuredKey() == .opens(slot: 3))
        key.key.withLock { $0 = .file(9) }
        #expect(try engine.configuredKey() == .opensNoSlot)
        key.key.withLock { $0 = .unusable }
        #expect(try engine.configuredKey() == .unusable)
    }

    @Test func `the slot of the configured key is removed only if the caller confirms it`() throws {
        defer { engine.shutDown() }
        key.key.withLock { $0 = .file(7) }
        #expect(refusal(2) == .keySlotConfigured)
        #expect(try engine.keySlots().map(\.number) == [1, 2, 3])
        // The daemon now uses key file 8, so slot 2 can be removed and slot 3 cannot.
        key.key.withLock { $0 = .file(8) }
        #expect(refusal(3) == .keySlotConfigured)
        #expect(refusal(2) == nil)
        try remove(3, evenIfConfigured: true)
        #expect(try engine.keySlots().map(\.number) == [1])
        #expect(try engine.configuredKey() == .opensNoSlot)
        // The passphrase's slot is the last one and cannot be removed.
        #expect(refusal(1) == .lastKeySlot)
    }

    @Test(arguments: [false, true])
    func `a caller with a wrong secret does not learn which slot the daemon uses`(_ evenSo: Bool)
        throws
    {
        defer { engine.shutDown() }
        key.key.withLock { $0 = .file(7) }
        let error = #expect(throws: StoreError.self) {
            try engine.removeKeySlot(
                authorizedBy: TemporaryStore.passphrase("other"), number: 2, evenIfConfigured: evenSo)
        }
        #expect(error?.reason == .wrongKey)
    }
}
