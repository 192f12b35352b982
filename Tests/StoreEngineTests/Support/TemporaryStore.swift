import Logging
import SQLCipher
import StoreBasics
import StoreCrypto
import TestBasics

@testable import StoreEngine

/// A store in a temporary folder, with low-cost keys. The folder is removed when the object is released.
final class TemporaryStore {
    private let directory: TemporaryDirectory
    var path: String { directory.path }
    private(set) var engine: StoreEngine
    private var keptReader: (of: StoreEngine, reader: StoreReader)?

    /// A reader of the current engine. It is kept, because opening a connection takes far longer than a read.
    var reader: StoreReader {
        if let keptReader, keptReader.of === engine { return keptReader.reader }
        let reader = engine.makeReader()
        keptReader = (engine, reader)
        return reader
    }

    /// The settings of every engine on this folder.
    private let clocks: SystemClocks
    private let attachmentCacheBytesMax: UInt64
    private let walBounds: WALBounds
    /// The quotas of engines that are opened from now on.
    var fileQuotas: FileQuotas

    convenience init(
        open: Bool = true, clocks: SystemClocks = .real(bootID: nil), attachmentCacheBytesMax: UInt64 = 0,
        fileQuotas: FileQuotas = FileQuotas(), walBounds: WALBounds = WALBounds()
    ) throws {
        try self.init(
            in: TemporaryDirectory(), clocks: clocks, attachmentCacheBytesMax: attachmentCacheBytesMax,
            fileQuotas: fileQuotas, walBounds: walBounds)
        if open {
            _ = try engine.initialize(
                secret: Self.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
        }
    }

    /// Creates a store that consists of these files in a new folder, and opens it with the key file of the tests.
    convenience init(placing files: [String: [UInt8]], clocks: SystemClocks = .real(bootID: nil)) throws {
        let directory = try TemporaryDirectory()
        try StoreSpecimen.place(files, at: directory.path + "/state")
        try self.init(in: directory, clocks: clocks, attachmentCacheBytesMax: 0, fileQuotas: FileQuotas())
        engine.openWithConfiguredKey(try Self.keyFile())
    }

    private init(
        in directory: TemporaryDirectory, clocks: SystemClocks, attachmentCacheBytesMax: UInt64, fileQuotas: FileQuotas,
        walBounds: WALBounds = WALBounds()
    ) throws {
        self.directory = directory
        self.clocks = clocks
        self.attachmentCacheBytesMax = attachmentCacheBytesMax
        self.fileQuotas = fileQuotas
        self.walBounds = walBounds
        engine = try Self.engine(
            directory.path, clocks: clocks, attachmentCacheBytesMax: attachmentCacheBytesMax, fileQuotas: fileQuotas,
            walBounds: walBounds)
    }

    deinit {
        engine.shutDown()
    }

    static func engine(
        _ path: String, autoLockAfterSeconds: Int? = nil, clocks: SystemClocks = .real(bootID: nil),
        attachmentCacheBytesMax: UInt64 = 0, fileQuotas: FileQuotas = FileQuotas(),
        walBounds: WALBounds = WALBounds(),
        onLostDurability: @escaping @Sendable (StoreError) -> Never = { fatalError("durability was lost: \($0)") },
        readConfiguredKey: @escaping @Sendable () throws(CryptoError) -> SlotSecret? = { nil }
    ) throws -> StoreEngine {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = EngineConfiguration(
            stateDirectory: path + "/state", allowLowCost: true, autoLockAfterSeconds: autoLockAfterSeconds,
            attachmentCacheBytesMax: attachmentCacheBytesMax, fileQuotas: fileQuotas,
            readConfiguredKey: readConfiguredKey, clocks: clocks, onLostDurability: onLostDurability)
        // Segments are small, so that tests fill several of them.
        configuration.journalSegmentBytes = 64 << 10
        configuration.walBounds = walBounds
        return try StoreEngine(configuration: configuration, logger: logger)
    }

    static func keyFile(_ byte: UInt8 = 7) throws -> SlotSecret {
        try SlotSecret(kind: .keyFile, bytes: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    static func passphrase(_ text: String) throws -> SlotSecret {
        try SlotSecret(kind: .passphrase, bytes: SecretBytes(copying: Array(text.utf8)))
    }

    /// Stops the engine and opens another one on its files. If `isKilled` is true, the files are as a kill leaves them.
    ///
    /// - Parameter whileClosed: returns the clocks of the machine for the new engine.
    func restart(isKilled: Bool, whileClosed: () throws -> SystemClocks) throws {
        let files = isKilled ? try StoreSpecimen.files(of: self) : nil
        engine.shutDown()
        if let files {
            try StoreSpecimen.place(files, in: self)
        }
        try reopen(clocks: whileClosed())
    }

    /// Closes the engine and opens another one on the same folder.
    ///
    /// - Parameter clocks: the clocks of the machine for the new engine; `nil` for the previous ones.
    func reopen(with secret: consuming SlotSecret? = nil, clocks: SystemClocks? = nil) throws {
        engine.shutDown()
        engine = try Self.engine(
            path, clocks: clocks ?? self.clocks, attachmentCacheBytesMax: attachmentCacheBytesMax,
            fileQuotas: fileQuotas, walBounds: walBounds)
        if let secret {
            engine.openWithConfiguredKey(secret)
        } else {
            engine.openWithConfiguredKey(try Self.keyFile())
        }
    }
}

extension TemporaryStore {
    /// Opens a store that is refused because of missing data, and accepts the loss.
    func reopenAcceptingLoss() throws {
        try reopen()
        guard case .failed(let error) = engine.state, [.journalDamaged, .storeRolledBack].contains(error.reason) else {
            throw StoreError(.internal, "nothing is missing: \(engine.state)")
        }
        _ = try engine.unlock(secret: Self.keyFile(), acceptingLoss: true)
    }
}

extension StoreEngine {
    /// Submits a write and waits for its result. The engine may do the write on this thread.
    @discardableResult
    func write(_ mutation: Mutation, key: IdempotencyKey? = nil) throws -> MutationResult {
        try write(WriteRequest(mutation, idempotencyKey: key))
    }

    /// Appends any number of messages, in requests as large as allowed.
    func appendAll(_ messages: [[UInt8]], to log: LogName) throws {
        for start in stride(from: 0, to: messages.count, by: EngineLimits.requestEntitiesMax) {
            let part = Array(messages[start...].prefix(EngineLimits.requestEntitiesMax))
            try write(.appendLog(LogAppend(log: log, expected: nil, messages: part)))
        }
    }

    @discardableResult
    func write(_ request: WriteRequest) throws -> MutationResult {
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        submit(request, here: true) { outcome.set($0) }
        return try outcome.wait().get()
    }

    func commit(_ mutation: Mutation, key: IdempotencyKey? = nil) throws -> Commit {
        guard case .commit(let commit) = try write(mutation, key: key) else {
            throw StoreError(.internal, "the write was not answered by a commit")
        }
        return commit
    }
}

/// The findings about triggers that tests create to let writes fail.
private let findingsOfTests = Set(
    ["spoil", "no_history", "refuse"].map { "the trigger \($0) belongs to no part of the store" })

extension StoreEngine {
    /// Executes any SQL on the writer's connection, for example to cause damage or failures that no request can cause.
    func execute(_ sql: String) throws {
        try writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute(sql))
        }
    }
}

/// Runs the integrity check, as every test of the store does at its end. Returns the findings, except findings about
/// triggers that tests have created.
func expectClean(_ engine: StoreEngine) throws -> [String] {
    try engine.check { _ in }.findings.filter { !findingsOfTests.contains($0) }
}

extension IdempotencyKey {
    /// Creates the key of a request whose content is `content`.
    init(_ text: String, userID: UInt32 = 7, content: String = "content") throws {
        var content = content
        let fingerprint = content.withUTF8 { RequestFingerprint(call: 1, message: UnsafeRawBufferPointer($0)) }
        self = try IdempotencyKey(Array(text.utf8), userID: userID, of: fingerprint)
    }
}
