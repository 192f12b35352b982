import GhostTestSupport
import StoreBasics
import StoreClient
import StoreProtocol
import TestBasics

/// The clients that write during one recorded run of the daemon.
struct PowerCutWriters {
    /// Administration calls that are repeated during the run.
    enum Administration: CaseIterable {
        case none, backups, rotations
    }

    /// The responses that the clients received.
    struct Logs {
        var messages: [CrashWriter.Log] = []
        /// The calls of each writer, by the name of the log or scene.
        var calls: [String: [[SentCall]]] = [:]
        var administered = 0

        /// Returns the logs as if everything had ended at `time`.
        func cut(at time: Int) -> Logs {
            var logs = self
            logs.messages = messages.map { $0.cut(at: time) }
            logs.calls = calls.mapValues { $0.map { $0.cut(at: time) } }
            return logs
        }
    }

    private enum Written: Sendable {
        case messages(CrashWriter.Log)
        case calls(String, [SentCall])
    }

    private let messageWriters: [CrashWriter]
    private let appendWriters: [AppendCrashWriter]
    private let sceneWriters: [SceneCrashWriter]

    /// - Parameter clock: a clock that is read after each response.
    init(_ expected: PowerCutExpectation, run: Int, seed: UInt64, clock: @escaping @Sendable () -> Int) {
        messageWriters = (0..<4).map { number in
            CrashWriter(
                conversation: "05cut-\(run)-\(number / 2)", idPrefix: "r\(run)w\(number)-", depth: number % 2 * 5 + 1,
                seed: seed &+ UInt64(number), clock: clock)
        }
        appendWriters = expected.logs.enumerated().map { number, log in
            AppendCrashWriter(
                log: log.name, idPrefix: "r\(run)a\(number)-", depth: number * 3 + 1,
                seed: seed &+ 100 &+ UInt64(number), clock: clock)
        }
        sceneWriters = expected.scenes.enumerated().map { number, scene in
            SceneCrashWriter(
                scene: scene.scene, idPrefix: "r\(run)s\(number)-", firstCounter: scene.counter + 1,
                depth: number * 3 + 1, clock: clock)
        }
    }

    func writeAndKill(
        _ daemon: TestDaemon, after delay: Duration, beside administration: Administration
    ) async throws -> Logs {
        let path = daemon.socketPath
        async let administered = Self.administer(path, administration)
        var logs = try await withThrowingTaskGroup(of: Written.self) { group in
            for writer in messageWriters {
                group.addTask { .messages(try await onThread { try writer.run(path) }) }
            }
            for writer in appendWriters {
                group.addTask { .calls(writer.log, try await onThread { try writer.run(path) }) }
            }
            for writer in sceneWriters {
                group.addTask { .calls(writer.scene, try await onThread { try writer.run(path) }) }
            }
            try await Task.sleep(for: delay)
            try await daemon.kill9()
            return try await group.reduce(into: Logs()) { logs, written in
                switch written {
                case .messages(let log): logs.messages.append(log)
                case .calls(let name, let sent): logs.calls[name, default: []].append(sent)
                }
            }
        }
        logs.administered = try await administered
        return logs
    }

    /// - Returns: the number of acknowledged administration calls.
    private static func administer(_ path: String, _ administration: Administration) async throws -> Int {
        let call: WireRequest.OneOf_Call? =
            switch administration {
            case .none: nil
            case .backups: .createBackup(.init())
            case .rotations: .rotateMasterKey(.init())
            }
        guard let call else { return 0 }
        return try await onThread {
            var count = 0
            do {
                let connection = try RawConnection(path)
                while true {
                    _ = try connection.call(call)
                    count += 1
                }
            } catch is RawConnection.Closed {
                return count
            }
        }
    }
}
