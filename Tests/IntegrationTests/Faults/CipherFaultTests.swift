import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Calls of libcrypto or of the kernel's random source that fail while clients write. SQLCipher 3.4.1 ignores errors of
/// the functions that encrypt its pages, so the daemon must end before such a page is written.
///
/// Each run of the daemon has one failed call. The tests count calls from three moments: the start of the daemon, the
/// first write, and the beginning of a rotation. From each moment, the first FAULT_STEPS calls fail in turn. With
/// FAULT_STEPS of 10 or more, the tests continue with later calls at growing distances. A run without a failed call
/// ends the tests of its moment.
@Suite(.oneAtATime) struct CipherFaultTests {
    private static let writerCount = 3
    private static let writing = Duration.milliseconds(TestTier.count(300, long: 700))
    private static let storageFailed = ExitStatus.exited(74)

    /// The moment from which calls are counted.
    private enum Moment: String, CaseIterable {
        case start, writes, rotation
    }

    @Test(arguments: [
        "EVP_CIPHER_CTX_new", "EVP_CipherInit_ex", "EVP_CIPHER_CTX_set_padding", "EVP_CipherUpdate", "HMAC_CTX_new",
        "HMAC_Init_ex", "HMAC_Update", "HMAC_Final", "PKCS5_PBKDF2_HMAC", "getentropy",
    ])
    func `a failed call ends the daemon without loss of data and without plaintext on the disk`(function: String)
        async throws
    {
        let steps = Settings.number("FAULT_STEPS", default: TestTier.count(1, long: 2))
        let daemon = try await TestDaemon.start()
        let first = try await daemon.connect()
        _ = try await first.saveMessage(NewMessage(conversation: .sessionID("05before"), text: "before"))
        await first.close()
        try await daemon.kill9()
        var failedCalls = 0
        for moment in Moment.allCases {
            for call in Self.calls(steps: steps) {
                let fault = Fault(function: function, call: call, isFromStart: moment == .start)
                guard try await run(fault, moment, on: daemon) else { break }
                failedCalls += 1
            }
        }
        #expect(failedCalls > 0, "\(function) was never called: nothing is tested")
        try await daemon.startAgain()
        let client = try await daemon.connect()
        _ = try await client.gapFreeChanges()
        await client.close()
        try await daemon.kill9()
    }

    /// Returns the numbers of the calls to fail: first every number, then numbers at growing distances.
    private static func calls(steps: Int) -> [Int] {
        let later = steps < 10 ? [] : (1...12).map { steps << $0 }
        return Array(1...steps) + later
    }

    /// - Returns: true if the fault happened.
    private func run(_ fault: Fault, _ moment: Moment, on daemon: TestDaemon) async throws -> Bool {
        let mark = "planted-\(fault.function)-\(moment.rawValue)\(fault.call)"
        let logBefore = daemon.log.count
        let child = try await daemon.launch(with: fault)
        var logs: [CrashWriter.Log] = []
        if try await daemon.answers(child) {
            switch moment {
            case .start, .writes: logs = try await write(daemon, child, mark)
            case .rotation: try await rotate(daemon)
            }
        }
        let hasFailed = daemon.hasFailed
        if hasFailed {
            let status = try? await child.wait(within: .seconds(5))
            #expect(status == Self.storageFailed, "\(fault)")
            let logged = daemon.log.dropFirst(logBefore)
            #expect(logged.contains(": the daemon ends\n"), "\(fault): nothing says why")
        }
        try await daemon.kill9()
        expectNothingReadable(daemon, mark)
        try await daemon.startAgain()
        try await expectWhole(daemon, logs)
        try await daemon.kill9()
        expectNothingReadable(daemon, mark)
        return hasFailed
    }

    /// Writes until the daemon has ended, or for a short time.
    private func write(
        _ daemon: TestDaemon, _ child: ChildProcess, _ mark: String
    ) async throws -> [CrashWriter.Log] {
        let path = daemon.socketPath
        // Calls are counted from here, before anything is written. Until now the daemon has only decrypted pages, and
        // its first encryption must be among the calls that fail.
        try daemon.arm()
        return try await withThrowingTaskGroup(of: CrashWriter.Log.self) { group in
            for number in 0..<Self.writerCount {
                let writer = CrashWriter(
                    conversation: "05\(mark)", idPrefix: "\(mark)w\(number)-", depth: number + 1, seed: UInt64(number))
                group.addTask { try await onThread { try writer.run(path) } }
            }
            let end = ContinuousClock.now + Self.writing
            try await eventually("the daemon ends or has written for a while") {
                !child.isRunning || ContinuousClock.now > end
            }
            try await daemon.kill9()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func rotate(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        try daemon.arm()
        _ = try? await client.rotateMasterKey()
        await client.close()
    }

    private func expectWhole(_ daemon: TestDaemon, _ logs: [CrashWriter.Log]) async throws {
        let client = try await daemon.connect()
        try #require(await client.status().storeState == .open, "\(daemon.log.suffix(1_000))")
        let verification = CrashVerification(client: client, socketPath: daemon.socketPath)
        for log in logs where !log.sent.isEmpty {
            let found = try await verification.found(in: log.writer.conversation)
            let own = found.filter { $0.key.hasPrefix(log.writer.idPrefix) }
            _ = try verification.outcome(of: log, found: own)
        }
        try await client.expectClean()
        await client.close()
    }

    private func expectNothingReadable(_ daemon: TestDaemon, _ mark: String) {
        let files = StateFiles(daemon.stateDirectory)
        for text in [mark, "CREATE TABLE", "SQLite format 3"] {
            #expect(files.files(holding: text) == [], "\(text) can be read")
        }
    }
}
