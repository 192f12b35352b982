import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// The data of a store that must be equal on all devices, without ids and revisions that each store chooses itself.
private struct Contents: Hashable {
    var messages: [String: [String]] = [:]
    var contacts: [String] = []
    var values: [String] = []

    init(_ client: StoreClient) async throws {
        for try await conversation in client.conversations() {
            var texts: [String] = []
            for try await message in client.messages(in: .sessionID(conversation.sessionID)) {
                texts.append("\(message.id) \(message.text) \(message.isRead)")
            }
            messages[conversation.sessionID] = texts
        }
        for try await contact in client.contacts() {
            contacts.append("\(contact.sessionID) \(contact.displayName ?? "") \(contact.notes ?? "")")
        }
        for try await entry in client.sceneEntries("notes.main") {
            values.append("\(entry.key) \(String(describing: entry.value))")
        }
        contacts.sort()
        values.sort()
    }
}

@Suite(.timeLimit(.minutes(5))) struct DaemonGroupTests {
    private func edit(_ client: StoreClient, _ number: Int, _ generator: inout SplitMix) async throws {
        let party = ConversationReference.sessionID("05party\(Int.random(in: 0..<3, using: &generator))")
        let other = Int.random(in: 0..<6, using: &generator)
        do throws(StoreClientError) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1:
                try await client.saveMessage(
                    NewMessage(id: "m\(number)", conversation: party, text: "text \(number)"))
            case 2: try await client.editMessage("m\(other)", text: "edited \(number)")
            case 3: try await client.deleteMessages(["m\(other)"])
            case 4:
                try await client.saveContact(
                    ContactUpdate(sessionID: "05party\(other)", notes: .set("\(number)")))
            default:
                _ = try await client.setSceneValues("notes.main", [.set("k\(other)", .string("\(number)"))])
            }
        } catch {
            guard [.messageNotFound, .alreadyExists].contains(error.reason) else { throw error }
        }
    }

    private func code(_ client: StoreClient, _ time: Duration = .seconds(600)) async throws -> SecretInput {
        var invitation = try await client.inviteReplicaDevice(validFor: time)
        guard let code = invitation.takeCode() else { throw TestSupportError("an invitation without a code") }
        return try code.secret()
    }

    @Test(arguments: [UInt64(1), 2]) func `three daemons of a group end with the same content`(seed: UInt64)
        async throws
    {
        var generator = SplitMix(seed: seed)
        var daemons: [TestDaemon] = []
        for _ in 0..<3 {
            daemons.append(try await TestDaemon.start())
        }
        var clients: [StoreClient] = []
        for daemon in daemons {
            clients.append(try await daemon.connect())
        }
        for (index, client) in clients.enumerated() {
            for number in 0..<10 {
                try await edit(client, index * 1_000 + number, &generator)
            }
        }
        let relay = GroupRelay(clients, seed: seed)
        try await clients[0].createReplicaGroup(
            deviceName: "one", selection: ["conversations", "contacts", "scenes:notes.*"])
        try await clients[1].joinReplicaGroup(code: try await code(clients[0]), deviceName: "two")
        try await relay.run()
        try await clients[2].joinReplicaGroup(code: try await code(clients[1]), deviceName: "three")
        for round in 0..<30 {
            let index = Int.random(in: 0..<3, using: &generator)
            try await edit(clients[index], 10_000 + round, &generator)
            try await relay.runALittle()
            if round % 10 == 5 {
                try await daemons[index].restart()
            }
        }
        try await relay.run()
        for client in clients {
            let status = try await client.replicaStatus()
            #expect(status.state == .member && status.waitingCount == 0 && status.uncollectedRevisions == 0)
            #expect(status.devices.count == 2 && status.devices.allSatisfy { $0.fault == nil })
        }
        #expect(relay.refusals == [], "seed \(seed)")
        let first = try await Contents(clients[0])
        #expect(!first.messages.isEmpty && !first.contacts.isEmpty && !first.values.isEmpty)
        for client in clients.dropFirst() {
            let other = try await Contents(client)
            #expect(other == first, "seed \(seed)")
        }
        for (daemon, client) in zip(daemons, clients) {
            await client.close()
            try await daemon.kill9()
        }
    }

    @Test func `each daemon logs which devices joined and left, by number and without names`() async throws {
        try await withDaemonAndClient { firstDaemon, one in
            try await withDaemonAndClient { secondDaemon, two in
                try await withDaemonAndClient { thirdDaemon, three in
                    let relay = GroupRelay([one, two, three], seed: 7)
                    let names = ["desk of ann", "lap of ann", "phone of ann"]
                    try await one.createReplicaGroup(deviceName: names[0], selection: ["contacts"])
                    for (client, name) in zip([two, three], names.dropFirst()) {
                        try await client.joinReplicaGroup(code: try await code(one), deviceName: name)
                        try await relay.run()
                    }
                    var ids: [ReplicaDeviceID] = []
                    for client in [one, two, three] {
                        ids.append(try await client.replicaStatus().device)
                    }
                    try await one.removeReplicaDevice(ids[2])
                    try await relay.run()
                    let lines = [firstDaemon, secondDaemon, thirdDaemon].map(\.log)
                    for (log, line) in [
                        (0, "this store admitted a device to the replica group device=\(ids[1])"),
                        (0, "this store admitted a device to the replica group device=\(ids[2])"),
                        (1, "the store was admitted to its replica group by=\(ids[0])"),
                        (1, "another device admitted a device to the replica group by=\(ids[0]) device=\(ids[2])"),
                        (1, "a device was removed from the replica group by=\(ids[0]) device=\(ids[2])"),
                        (2, "the store was removed from its replica group by=\(ids[0])"),
                    ] {
                        #expect(lines[log].ranges(of: line).count == 1, "\(line) in\n\(lines[log])")
                    }
                    for name in names {
                        #expect(lines.allSatisfy { !$0.contains(name) })
                    }
                }
            }
        }
    }

    @Test func `a code admits one device, and a removed device learns of its removal`() async throws {
        try await withDaemonAndClient { _, one in
            try await withDaemonAndClient { _, two in
                try await withDaemonAndClient { _, three in
                    let relay = GroupRelay([one, two, three], seed: 5)
                    try await one.createReplicaGroup(deviceName: "one", selection: ["contacts"])
                    let shared = try await code(one)
                    try await two.joinReplicaGroup(code: try shared.copy(), deviceName: "two")
                    try await relay.run()
                    #expect(try await two.replicaStatus().state == .member)
                    try await three.joinReplicaGroup(code: shared, deviceName: "three")
                    try await relay.run()
                    let state = try await three.replicaStatus().state
                    #expect(state == .joining)
                    #expect(try await one.replicaStatus().devices.map(\.name) == ["two"])
                    try await one.removeReplicaDevice(try await two.replicaStatus().device)
                    try await one.saveContact(ContactUpdate(sessionID: "05after", notes: .set("secret")))
                    try await relay.run()
                    #expect(try await two.replicaStatus().state == .removed)
                    var kept: [String] = []
                    for try await contact in two.contacts() {
                        kept.append(contact.sessionID)
                    }
                    #expect(kept == [])
                }
            }
        }
    }
}
