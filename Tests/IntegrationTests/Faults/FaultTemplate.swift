import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// The outcome of work in which a call failed.
enum FaultOutcome: Equatable {
    case done
    case refused(StoreClientError.Reason)
    /// The daemon has ended, as it does when storage fails.
    case unanswered

    /// Runs the work with the fault armed.
    init(_ daemon: TestDaemon, _ child: ChildProcess, of work: (StoreClient) async throws -> Void) async throws {
        let client = try await daemon.connect()
        try daemon.arm()
        defer { daemon.disarm() }
        do {
            try await work(client)
            await client.close()
            self = .done
        } catch let error as StoreClientError {
            await client.close()
            let status = try? await child.wait(within: .milliseconds(200))
            #expect(status == nil || status == .exited(74))
            self = status == nil ? .refused(error.reason) : .unanswered
        }
    }
}

/// A store and a backup of it from before the last messages were saved. The files of the store are put back to this
/// state before each fault.
struct FaultTemplate {
    static let conversation = "05fault"
    static let backedUpCount = 10
    static let savedCount = 15
    /// A number larger than the number of times that any piece of work calls one function.
    static let callsMax = 500

    private let daemon: TestDaemon
    let backup: String

    init() async throws {
        daemon = try await TestDaemon.start()
        let client = try await daemon.connect()
        try await Self.save(0..<Self.backedUpCount, client)
        backup = try await client.createBackup().name
        try await Self.save(Self.backedUpCount..<Self.savedCount, client)
        await client.close()
        try await daemon.terminate()
        try await copy("state", to: "template")
    }

    private static func save(_ numbers: Range<Int>, _ client: StoreClient) async throws {
        for number in numbers {
            _ = try await client.saveMessage(
                NewMessage(
                    id: "m\(number)", conversation: .sessionID(conversation), text: "number \(number)",
                    timestamp: Timestamp(microseconds: Int64(number + 1))))
        }
    }

    private func copy(_ folder: String, to other: String) async throws {
        let (from, to) = (daemon.directory.file(folder), daemon.directory.file(other))
        let result = try await Program.shell("rm -rf '\(to)' && cp -a '\(from)' '\(to)'")
        try #require(result.exitCode == 0, "\(result.errorOutput)")
    }

    /// Makes the first call of a function in the work fail, then the second, and so on until the work ends without a
    /// failure.
    ///
    /// - Parameter expect: checks the store after the work (in the same daemon unless it has ended), and again after a
    ///   restart.
    func failEachCall(
        of function: String, _ error: Int32, in work: (StoreClient) async throws -> Void,
        expecting expect: (_ outcome: FaultOutcome, _ isRestarted: Bool, StoreClient) async throws -> Void
    ) async throws {
        for call in 1...Self.callsMax {
            try await copy("template", to: "state")
            let child = try await daemon.launch(with: Fault(function: function, call: call, error: error))
            try #require(try await daemon.answers(child))
            let outcome = try await FaultOutcome(daemon, child, of: work)
            let hasFailed = daemon.hasFailed
            let comment: Comment = "\(function) \(call): \(outcome)"
            if outcome != .unanswered {
                try await expectUsable(comment) { try await expect(outcome, false, $0) }
            }
            try await daemon.kill9()
            try await daemon.startAgain()
            try await expectUsable(comment) { try await expect(outcome, true, $0) }
            try await daemon.kill9()
            guard hasFailed else { break }
        }
    }

    /// Expects that reads, writes and administration succeed.
    private func expectUsable(_ comment: Comment, _ body: (StoreClient) async throws -> Void) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        let isServing = status.storeState == .open || status.storeState == .readOnly
        #expect(isServing, "\(comment): \(status.storeState), \(status.storeStateMessage)")
        guard isServing else { return await client.close() }
        try await body(client)
        try await eventually("\(comment): a write goes through") {
            try await reason {
                _ = try await client.saveContact(ContactUpdate(sessionID: "05usable"))
            } == nil
        }
        try await client.expectClean()
        await client.close()
    }
}
