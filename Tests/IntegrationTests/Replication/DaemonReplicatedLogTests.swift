import GhostTestSupport
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(2))) struct DaemonReplicatedLogTests {
    private let configuration = LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)

    private func texts(_ page: LogEntryPage) -> [String] {
        page.entries.map { String(decoding: $0.data, as: UTF8.self) }
    }

    private func all(_ client: StoreClient) async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        for try await entry in client.logEntriesOfAllDevices("events") {
            entries.append(entry)
        }
        return entries
    }

    private func withGroup(
        _ body: (_ one: StoreClient, _ two: StoreClient, GroupRelay) async throws -> Void
    ) async throws {
        try await withDaemonAndClient { _, one in
            try await withDaemonAndClient { _, two in
                let relay = GroupRelay([one, two], seed: 9)
                try await one.createReplicaGroup(deviceName: "one", selection: ["logs"])
                var invitation = try await one.inviteReplicaDevice(validFor: .seconds(600))
                guard let code = invitation.takeCode() else { throw TestSupportError("an invitation without a code") }
                try await two.joinReplicaGroup(code: try code.secret(), deviceName: "two")
                try await relay.run()
                try await body(one, two, relay)
                #expect(relay.refusals == [])
            }
        }
    }

    @Test func `both daemons read the entries of both, and reads by sequence number return only local entries`()
        async throws
    {
        try await withGroup { one, two, relay in
            let opened = try await one.openLog("events", configuration, isReplicated: true)
            #expect(opened.isReplicated)
            try await one.openLog("own", configuration)
            try await one.append([Array("a".utf8)], toLog: "events")
            try await relay.run()
            #expect(try await two.logPage().logs.map(\.name) == ["events"])
            try await two.append([Array("b".utf8), Array("c".utf8)], toLog: "events")
            try await relay.run()
            let entries = try await all(one)
            #expect(entries.map(\.sequence) == [1, 1, 2])
            let device = try await two.replicaStatus().device
            #expect(entries.map(\.device) == [nil, device, device])
            #expect(entries.allSatisfy { $0.appendedAt != nil })
            #expect(try await all(two).map(\.data) == entries.map(\.data))
            #expect(texts(try await one.logEntryPage("events")) == ["a"])
            try await two.deleteLog("events")
            try await relay.run()
            let error = await #expect(throws: StoreClientError.self) { _ = try await one.log("events") }
            #expect(error?.reason == .logNotFound)
        }
    }

    @Test func `a follower of all devices gets each entry once, whichever device appends it`() async throws {
        try await withGroup { one, two, relay in
            try await one.openLog("events", configuration, isReplicated: true)
            try await relay.run()
            let follower = Task {
                var heard: [String] = []
                for try await page in one.followLogOfAllDevices("events") {
                    heard += texts(page)
                    if heard.count == 8 { break }
                }
                return heard
            }
            for number in 0..<4 {
                try await one.append([Array("one \(number)".utf8)], toLog: "events")
                try await two.append([Array("two \(number)".utf8)], toLog: "events")
                try await relay.run()
            }
            let heard = try await follower.value
            #expect(heard.filter { $0.hasPrefix("one") } == (0..<4).map { "one \($0)" })
            #expect(heard.filter { $0.hasPrefix("two") } == (0..<4).map { "two \($0)" })
        }
    }

    @Test func `an append wakes a call that waits for messages of the group`() async throws {
        try await withGroup { one, _, _ in
            try await one.openLog("events", configuration, isReplicated: true)
            let status = try await one.replicaStatus()
            let channel = try #require(status.outgoing.first { $0.channel.hasPrefix("device.") })
            let opened = try await one.takeReplicaMessages(channel.channel, storedThrough: channel.sequence)
            let last = opened.last?.sequence ?? channel.sequence
            let waiting = Task {
                try await one.takeReplicaMessages(channel.channel, storedThrough: last, waiting: .seconds(50))
            }
            try await Task.sleep(for: .milliseconds(200))
            try await one.append([[1]], toLog: "events")
            #expect(try await waiting.value.map(\.sequence) == [last + 1])
        }
    }
}
