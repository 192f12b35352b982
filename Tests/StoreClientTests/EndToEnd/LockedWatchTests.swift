import GhostTestSupport
import StoreClient
import Testing

/// Followers of a store with a passphrase, which wait while the store is locked.
@Suite(.timeLimit(.minutes(2))) struct LockedWatchTests {
    /// The ways in which a store is locked and unlocked again.
    enum Lock: CaseIterable {
        case asked, restart, kill

        func pass(_ daemon: TestDaemon, _ client: StoreClient) async throws {
            switch self {
            case .asked: try await client.lock()
            case .restart:
                try await daemon.terminate()
                try await daemon.startAgain()
            case .kill: try await daemon.restart()
            }
            #expect(try await client.status().storeState == .locked)
            // Gives the followers time to ask more than once.
            try await Task.sleep(for: .milliseconds(300))
            _ = try await client.unlock(secret: secretInput("words"))
        }
    }

    private func withStore(_ body: @escaping @Sendable (TestDaemon, StoreClient) async throws -> Void) async throws {
        try await withDaemonAndClient(.uninitialized) { daemon, client in
            _ = try await client.initializeStore(
                secret: secretInput("words"), label: "mine", withRecoveryCode: false, lowCost: true)
            try await body(daemon, client)
        }
    }

    private func save(_ text: String, _ client: StoreClient) async throws {
        try await client.saveMessage(NewMessage(id: text, conversation: .sessionID("05a"), text: text))
    }

    @Test(arguments: Lock.allCases) func `every follower continues after the lock without a gap`(lock: Lock)
        async throws
    {
        try await withStore { daemon, client in
            _ = try await client.openLog("l", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false))
            var messages = try await client.newMessages().makeAsyncIterator()
            var changes = try await client.watch(WatchFilter(kinds: [.message])).makeAsyncIterator()
            var entries = client.followLog("l").makeAsyncIterator()
            var pages = client.followLogOfAllDevices("l").makeAsyncIterator()
            for (round, text) in ["before", "after", "again"].enumerated() {
                if round > 0 {
                    try await lock.pass(daemon, client)
                }
                try await save(text, client)
                _ = try await client.append([Array(text.utf8)], toLog: "l")
                #expect(try await messages.next(isolation: nil)?.text == text)
                #expect(try await changes.next(isolation: nil)?.id == text)
                #expect(try await entries.next(isolation: nil)?.data == Array(text.utf8))
                #expect(try await pages.next(isolation: nil)?.entries.map(\.data) == [Array(text.utf8)])
            }
        }
    }

    @Test func `a change received before the lock and not read yet is returned after it`() async throws {
        try await withStore { daemon, client in
            var messages = try await client.newMessages().makeAsyncIterator()
            for text in ["one", "two"] {
                try await save(text, client)
            }
            // The watch has received both changes. The stream reads their texts only after the lock.
            try await client.lock()
            async let taken = messages.next(isolation: nil)
            try await Task.sleep(for: .milliseconds(200))
            _ = try await client.unlock(secret: secretInput("words"))
            #expect(try await taken?.text == "one")
        }
    }

    @Test func `a client that does not wait gets STORE_LOCKED, and no follower begins while locked`() async throws {
        try await withStore { _, client in
            _ = try await client.openLog("l", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false))
            let strict = client.with(waitsWhileLocked: false)
            let (messages, changes) = (try await strict.newMessages(), try await strict.watch())
            let entries = strict.followLog("l")
            try await client.append([[1]], toLog: "l")
            var iterator = entries.makeAsyncIterator()
            _ = try await iterator.next(isolation: nil)
            try await client.lock()
            var (message, change) = (messages.makeAsyncIterator(), changes.makeAsyncIterator())
            await expectLocked { _ = try await message.next(isolation: nil) }
            await expectLocked {
                while try await change.next(isolation: nil) != nil {}
            }
            await expectLocked { _ = try await iterator.next(isolation: nil) }
            await expectLocked { _ = try await client.watch() }
            await expectLocked { _ = try await client.newMessages() }
            await expectLocked {
                for try await _ in client.followLog("l") {}
            }
        }
    }

    private func expectLocked(_ body: () async throws -> Void) async {
        let error = await #expect(throws: StoreClientError.self) { try await body() }
        #expect(error?.reason == .storeLocked)
    }

    @Test func `a watch that waits for a locked store ends when its task is cancelled or its client is closed`()
        async throws
    {
        try await withStore { daemon, client in
            let other = try await daemon.connect()
            let tasks = try await [client, other].asyncMap { client in
                let changes = try await client.watch()
                return Task { () -> StoreClientError.Reason? in
                    do {
                        for try await _ in changes {}
                        return nil
                    } catch {
                        return (error as? StoreClientError)?.reason
                    }
                }
            }
            try await client.lock()
            try await Task.sleep(for: .milliseconds(200))
            tasks[0].cancel()
            await other.close()
            #expect(await tasks[0].value == .cancelled)
            #expect(await tasks[1].value == .clientClosed)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self {
            values.append(try await body(element))
        }
        return values
    }
}
