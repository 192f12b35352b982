import CSimulatedDisk
import Glibc
import Logging
import StoreBasics
import StoreCrypto
import StoreEngine

/// One life of a store's engine, in a process of its own. It opens the store, checks that everything acknowledged is
/// there, and works until it ends or is killed.
struct Life {
    let folder: String
    let storeSeed: UInt64
    let number: Int
    let work: Amount
    /// True if calls to the disk fail in this life. Works may then be refused, and the engine may stop.
    let isFaulty: Bool
    /// True if the checks at the beginning of the life include the store's own check of all its data.
    let isChecked: Bool
    /// True if the process always ends as if killed, even without a power cut in the plan.
    let isKilled: Bool
    /// The size of a segment of the journal. It is small, so that many segments become full.
    let segmentBytes: Int

    enum Amount {
        /// Random works. After them, half of the lives end with a clean stop and the others as if killed.
        case random
        /// Some works of each kind, the same in every life with this seed.
        case fixed
        /// `rounds` works of each client whose works are exactly one record each, so that segments become full and new
        /// ones begin.
        case records(rounds: Int)
        /// One work of each client.
        case some
        /// Only one rotation of the master key.
        case rotation
        /// Only one backup.
        case backup
        /// Only a restore of the last backup.
        case restore
        /// No works: the store is only opened and checked.
        case none
        /// Damage to the files of the store, which is not opened.
        case tampering(Tampering)
    }

    private let ledger = Ledger()

    init(
        in folder: String, storeSeed: UInt64, number: Int, work: Amount, isFaulty: Bool = false,
        isChecked: Bool = false,
        isKilled: Bool = false, segmentBytes: Int = 24 << 10
    ) {
        self.folder = folder
        self.storeSeed = storeSeed
        self.number = number
        self.work = work
        self.isFaulty = isFaulty
        self.isChecked = isChecked
        self.isKilled = isKilled
        self.segmentBytes = segmentBytes
    }

    /// Runs the life and returns the exit status of the process.
    func run() -> Int32 {
        do throws(StoreError) {
            if case .tampering(let tampering) = work {
                try tampering.perform(on: folder + "/disk/state", storeSeed, ledger)
            } else {
                try live()
            }
            return 0
        } catch {
            // If the disk has faults, the store may report that it has to stop.
            guard isFaulty else { disk_fail("life \(number): \(error)") }
            return DISK_LIFE_STOPPED
        }
    }

    private func live() throws(StoreError) {
        let engine = try makeEngine()
        try open(engine)
        let clients = (0..<Client.count).map {
            Client(index: $0, storeSeed: storeSeed, ledger, mayBeRefused: isFaulty)
        }
        try verify(engine, clients)
        var random = SplitMix(seed: SplitMix.mix(storeSeed &+ UInt64(number) << 32))
        let worker = Worker(
            engine: engine, clients: clients, ledger: ledger, life: self, focus: Focus(ofStore: storeSeed))
        switch work {
        case .random: try worker.workAtRandom(&random)
        case .fixed: try worker.workOnEverything(&random)
        case .records(let rounds): try worker.workInRecords(rounds)
        case .some: try worker.workOnce()
        case .rotation: try worker.rotate()
        case .backup: try worker.backUp()
        case .restore: try worker.restore()
        case .none, .tampering: break
        }
        // The return without a stop is the same as a kill for the store.
        if case .random = work, random.isOne(of: 2) { return }
        if !isKilled {
            engine.shutDown()
            if !isFaulty {
                ledger.noteStop(clients: clients.count)
            }
        }
    }

    private func makeEngine() throws(StoreError) -> StoreEngine {
        var logger = Logger(label: "simulator")
        logger.logLevel = .critical
        let stopped = isFaulty
        var configuration = EngineConfiguration(
            stateDirectory: folder + "/disk/state", allowLowCost: true,
            onLostDurability: { error in
                guard stopped else { disk_fail("durability was lost: \(error)") }
                disk_end(DISK_LIFE_STOPPED)
            })
        configuration.journalSegmentBytes = segmentBytes
        configuration.readerThreads = 1
        return try StoreEngine(configuration: configuration, logger: logger)
    }

    private func open(_ engine: StoreEngine) throws(StoreError) {
        // A restore that was interrupted may have removed the second key.
        let hasSecond = ledger.hasSecondKey && !ledger.isRestoring
        engine.openWithConfiguredKey(try Self.secret(hasSecond && number % 2 == 0 ? 8 : 7))
        switch engine.state {
        case .open, .readOnly: break
        case .absent:
            guard !ledger.isMade else { throw StoreError(.internal, "the store is gone") }
            _ = try engine.initialize(
                secret: Self.secret(7), label: "first", withRecoveryCode: false, lowCost: true)
        case .locked: throw StoreError(.internal, "the store is locked")
        case .failed(let error): try acceptLoss(error, engine)
        }
        ledger.isMade = true
    }

    /// Accepts the loss of journal records that this test damaged, as an operator would.
    private func acceptLoss(_ error: StoreError, _ engine: StoreEngine) throws(StoreError) {
        guard ledger.isTamperedWith, error.reason == .journalDamaged || error.reason == .storeRolledBack else {
            throw error
        }
        if !ledger.isAcceptingLoss {
            ledger.historyBeforeLoss = ledger.history
        }
        ledger.isAcceptingLoss = true
        _ = try engine.unlock(secret: Self.secret(7), acceptingLoss: true)
    }

    static func secret(_ byte: UInt8) throws(StoreError) -> SlotSecret {
        do throws(CryptoError) {
            return try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
        } catch {
            throw StoreError(.internal, "there is no secret: \(error)")
        }
    }

    // MARK: Checks

    /// Checks that the store contains everything that was acknowledged in this life or an earlier one, undamaged, and
    /// that its statistics agree.
    func verify(_ engine: StoreEngine, _ clients: [Client]) throws(StoreError) {
        let reader = engine.makeReader()
        try settleRestore(engine)
        try settleLoss(engine)
        for client in clients {
            if let difference = try client.recover(reader) {
                disk_fail("life \(number): \(difference)")
            }
        }
        let statistics = try engine.statistics()
        expectSame(statistics.history)
        expect(
            statistics.revision >= ledger.revision,
            "the revision is \(statistics.revision), and \(ledger.revision) was answered")
        let conversations = clients.filter { $0.contents["conversation"] != nil }
        expect(
            statistics.conversationCount == conversations.count,
            "\(statistics.conversationCount) conversations are counted of \(conversations.count)")
        try expectAdministered(engine)
        if isChecked {
            let findings = try engine.check { _ in }.findings
            expect(findings.isEmpty, "the check found \(findings.count): \(findings.prefix(3))")
        }
    }

    private func expectSame(_ history: HistoryID) {
        let name = Self.name(of: history)
        expect(ledger.history == 0 || ledger.history == name, "the history is another one")
        ledger.history = name
    }

    private static func name(of history: HistoryID) -> UInt64 {
        history.withUnsafeBytes { disk_hash($0.baseAddress, $0.count) }
    }

    /// Finds out if a restore took place before the process ended. It took place completely or not at all; a new
    /// history shows that it did.
    private func settleRestore(_ engine: StoreEngine) throws(StoreError) {
        guard ledger.isRestoring else { return }
        let history = Self.name(of: try engine.statistics().history)
        if history != ledger.history {
            ledger.noteRestore(clients: Client.count)
            ledger.history = history
        }
        ledger.isRestoring = false
    }

    /// Checks the store after an accepted loss: it has a new history, and contains everything that the database file
    /// contained at the last clean stop.
    private func settleLoss(_ engine: StoreEngine) throws(StoreError) {
        if ledger.isAcceptingLoss {
            let statistics = try engine.statistics()
            let history = Self.name(of: statistics.history)
            expect(history != ledger.historyBeforeLoss, "a loss was accepted, and the history goes on")
            ledger.noteLoss(clients: Client.count, revision: statistics.revision)
            ledger.history = history
        }
        ledger.isTamperedWith = false
        ledger.isAcceptingLoss = false
    }

    private func expectAdministered(_ engine: StoreEngine) throws(StoreError) {
        let backups = try engine.listBackups().filter { $0.kind == .made && $0.isComplete }
        expect(backups.count >= ledger.backups, "\(backups.count) backups are there of \(ledger.backups)")
        expect(!backups.contains { Self.name(of: $0) == ledger.deletedBackup }, "a deleted backup is there again")
    }

    static func name(of backup: BackupInfo) -> UInt64 {
        let bytes = Array(backup.name.utf8)
        return disk_hash(bytes, bytes.count)
    }

    func expect(_ isSo: Bool, _ words: @autoclosure () -> String) {
        if !isSo {
            disk_fail("life \(number): \(words())")
        }
    }
}
