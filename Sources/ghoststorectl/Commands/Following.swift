import StoreClient
import Synchronization

/// Runs a command that continues until it is interrupted, `--timeout` has passed, or it has printed enough.
struct Following {
    /// The pause between two checks whether a locked store is open again.
    private static let pause = Duration.milliseconds(250)

    static let helpText = """
        The command runs until you interrupt it or until --timeout has passed. It continues after a restart of the \
        daemon, and while the store is locked it waits. It ends with exit status 3 if a backup replaces the store, \
        and with exit status 2 if the log or conversation is deleted.
        """

    let session: Session

    /// - Throws: The error of `body`. If `--timeout` passes before `body` has ended, a failure that says so.
    func run(_ body: () async throws -> Void) async throws {
        guard let deadline = session.global.deadline else { return try await body() }
        let client = session.client
        let isOver = OverFlag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await Task.sleep(for: deadline)
                isOver.set()
                // Closing the client ends every call for which `body` waits.
                await client.close()
            }
            defer { group.cancelAll() }
            do {
                try await body()
            } catch  where isOver.isSet {
                throw CommandFailure(
                    .temporary, "the time given by --timeout has passed",
                    answer: ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"))
            }
        }
    }

    /// Calls `follow`. If `follow` fails because the store was locked, waits until the store is open and calls `follow`
    /// again. Fails if the store was locked before `follow` had begun for the first time.
    ///
    /// - Parameter hasBegun: Returns true once the first `follow` has begun.
    func acrossLocks(hasBegun: () -> Bool, _ follow: () async throws -> Void) async throws {
        while true {
            do {
                return try await follow()
            } catch let error as StoreClientError {
                guard error.reason == .storeLocked, hasBegun() else { throw error }
            }
            Diagnostics.write("the store is locked; the command continues when the store is open again")
            try await untilOpen()
        }
    }

    /// Follows until `--timeout` has passed, and also waits if the store is locked from the start.
    func runAcrossLocks(_ follow: () async throws -> Void) async throws {
        try await run { try await acrossLocks(hasBegun: { true }, follow) }
    }

    private func untilOpen() async throws {
        while true {
            try await Task.sleep(for: Self.pause)
            switch try await state() {
            case .locked, nil:
                continue
            case .absent, .open, .readOnly, .wrongKey, .keyMissing, .keyringDamaged, .databaseDamaged,
                .journalDamaged, .rolledBack, .newerSchema, .storageFailed, .unknown:
                return
            }
        }
    }

    /// Returns the state of the store; `nil` while the daemon does not answer.
    private func state() async throws(StoreClientError) -> StoreState? {
        do throws(StoreClientError) {
            return try await session.client.status().storeState
        } catch {
            guard error.isRetryable else { throw error }
            return nil
        }
    }
}

/// A flag that is set once.
private final class OverFlag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool {
        value.load(ordering: .acquiring)
    }

    func set() {
        value.store(true, ordering: .releasing)
    }
}
