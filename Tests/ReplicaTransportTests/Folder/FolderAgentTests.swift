import FoundationEssentials
import GhostTestSupport
import Glibc
import ReplicaModel
import ReplicaTransport
import StoreBasics
import TestBasics
import Testing

@testable import ghoststore_sync

/// Agents of several devices with folders. The daemons are stand-ins in memory that outlive the agents.
@Suite(.timeLimit(.minutes(5))) struct FolderAgentTests {
    @Test func `devices with one folder get everything once and in order, although agents are killed at any time`()
        async throws
    {
        let carriage = try Carriage(folders: 1)
        let group = DeviceGroup(
            folders: [String](repeating: carriage.folders[0], count: 3), seed: 20_261_129, odds: 100)
        let (first, more) = (TestTier.count(60, long: 300), TestTier.count(20, long: 100))
        try await group.run { group in
            for device in group.devices { device.store.save(first) }
            try await eventually("half is there", within: .seconds(60)) { group.isComplete(first / 2) }
            for device in group.devices { device.store.save(more) }
            group.devices.forEach { $0.killer.rest() }
            try await eventually("all is there", within: .seconds(60)) { group.isComplete(first + more) }
        }
        group.expectEverything(UInt64(first + more))
        #expect(group.devices.reduce(0) { $0 + $1.killer.kills } > 3)
    }

    @Test(arguments: 0..<UInt64(TestTier.count(3, long: 60)))
    func `a carrier that delivers late, in parts, in any order and repeatedly loses nothing`(seed: UInt64)
        async throws
    {
        print("CARRIAGE_SEED=\(seed)")
        var random = SplitMix(seed: seed)
        let carriage = try Carriage(folders: 3)
        let group = DeviceGroup(folders: carriage.folders, seed: seed, odds: 300)
        let count = 40
        try await group.run { group in
            for round in 0..<40 {
                for device in group.devices { device.store.save(count / 40) }
                try carriage.carrySome(&random)
                if round % 4 == 0 { try await Task.sleep(for: .milliseconds(20)) }
            }
            group.devices.forEach { $0.killer.rest() }
            try carriage.carryAll()
            try await eventually("all is there", within: .seconds(60)) {
                if !group.isComplete(count) { try carriage.carryAll() }
                return group.isComplete(count)
            }
        }
        group.expectEverything(UInt64(count))
        // The carrier was late, but not late enough for a message to count as lost.
        for device in group.devices {
            for other in group.devices where other.store.device != device.store.device {
                #expect(device.store.handIns(other.store.channel).filter(\.isOldestKept) == [])
            }
        }
    }

    @Test func `a message that does not arrive in time counts as lost, and a snapshot replaces it`() async throws {
        let carriage = try Carriage(folders: 1)
        let group = DeviceGroup(
            folders: [String](repeating: carriage.folders[0], count: 2), patience: .milliseconds(300), seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1])
        writer.save(6)
        try await group.run(only: [0]) { _ in
            try await eventually("all is published") { writer.storedThrough == 6 }
        }
        let names = carriage.names(0, writer.channel.text)
        unlink("\(carriage.group(0))/\(writer.channel.text)/\(names[2])")
        try await group.run(only: [1]) { _ in
            try await eventually("the gap is noticed") { reader.figures.snapshot.gauges[.gappedChannels] == 1 }
            #expect(reader.store.merged(writer.channel) == [1, 2])
            let kept = Set(reader.store.handIns(writer.channel).filter(\.isOldestKept).map(\.sequence))
            #expect(kept == [4])
            reader.store.want(writer.channel, 5)
            try await eventually("it continues") { reader.store.merged(writer.channel) == [1, 2, 5, 6] }
            try await eventually("the gap is over") { reader.figures.snapshot.gauges[.gappedChannels] == 0 }
        }
    }

    @Test func `a lost message that comes back after all is merged in its order`() async throws {
        let carriage = try Carriage(folders: 2)
        let group = DeviceGroup(folders: carriage.folders, patience: .milliseconds(300), seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1])
        writer.save(6)
        try await group.run { _ in
            try await eventually("all is published") { writer.storedThrough == 6 }
            let names = carriage.names(0, writer.channel.text)
            for name in names where name != names[2] {
                try carriage.write(
                    carriage.read(0, writer.channel.text, name), 1, writer.channel.text, name)
            }
            try await eventually("the gap is noticed") { reader.figures.snapshot.gauges[.gappedChannels] == 1 }
            try carriage.carryAll()
            try await eventually("all is there", within: .seconds(40)) {
                reader.store.merged(writer.channel) == [1, 2, 3, 4, 5, 6]
            }
        }
    }

    @Test func `a copy of a store that publishes in the same folder is noticed`() async throws {
        let carriage = try Carriage(folders: 1)
        let group = DeviceGroup(folders: carriage.folders, seed: 1)
        let store = group.devices[0].store
        let copy = FakeReplicaStore.seal(store.channel, 1, size: 7)
        let name = "00000000000000000001.\(Hexadecimal.encode(copy.suffix(16))).sealed"
        try carriage.write(copy, 0, store.channel.text, name)
        store.save(3)
        try await group.run(only: [0]) { group in
            try await eventually("the fork is noticed") {
                group.devices[0].figures.snapshot.gauges[.forkedChannels] == 1
            }
        }
        #expect(carriage.names(0, store.channel.text) == [name] && store.storedThrough == 0)
    }

    @Test func `foreign files of every kind are ignored`() async throws {
        let carriage = try Carriage(folders: 1)
        let folder = carriage.folders[0]
        let group = DeviceGroup(folders: [folder, folder], seed: 1)
        let channel = group.devices[0].store.channel.text
        let sealed = "\(String(repeating: "0", count: 19))1.\(String(repeating: "ab", count: 16)).sealed"
        try carriage.write(Array("text".utf8), 0, channel, "notes.txt")
        try carriage.write([], 0, channel, sealed)
        try carriage.write([1], 0, channel, "1.ab.sealed")
        try carriage.write([1], 0, channel, "99999999999999999999.floor")
        try carriage.write([1], 0, "device.x", sealed)
        try carriage.write([1], 0, ".stfolder", "marker")
        let place = "\(carriage.group(0))/\(channel)"
        #expect(symlink("/dev/zero", "\(place)/00000000000000000002.\(String(repeating: "cd", count: 16)).sealed") == 0)
        #expect(mkfifo("\(place)/00000000000000000003.\(String(repeating: "ef", count: 16)).sealed", 0o600) == 0)
        try await group.run { group in
            for device in group.devices { device.store.save(5) }
            try await eventually("all is there", within: .seconds(40)) { group.isComplete(5) }
        }
        group.expectEverything(5)
    }

    @Test func `messages that all members have merged are removed, and files that come back change nothing`()
        async throws
    {
        let carriage = try Carriage(folders: 2)
        let group = DeviceGroup(folders: carriage.folders, seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1].store)
        let channel = writer.channel.text
        try await group.run { group in
            writer.save(8)
            try await eventually("all is published") { writer.storedThrough == 8 }
            try carriage.carryAll()
            try await eventually("all is there") { reader.merged(writer.channel).count == 8 }
            let old = carriage.names(0, channel)
            writer.confirm(through: 5)
            try await eventually("the messages are removed") { carriage.names(0, channel).count == 4 }
            #expect(carriage.names(0, channel).first == "00000000000000000005.floor")
            try carriage.write([], 1, channel, "00000000000000000005.floor")
            try await eventually("they are removed on the other device") { carriage.names(1, channel).count == 4 }
            try carriage.write([1, 2], 0, channel, old[1])
            writer.save(2)
            try await eventually("the rest is published") { writer.storedThrough == 10 }
            try carriage.carryAll()
            try await eventually("the rest is there") { reader.merged(writer.channel).count == 10 }
            // The agent replaces the marker 5 by a later one only after many more messages, because the carrier has to
            // copy each marker.
            writer.confirm(through: 10)
            try await Task.sleep(for: .milliseconds(500))
            #expect(carriage.names(0, channel).contains("00000000000000000005.floor"))
        }
        #expect(reader.merged(writer.channel) == Array(1...10))
        try await group.run(only: [0]) { _ in
            // The newest message shows the agent where it has to continue, so it is never removed.
            try await eventually("all others are removed") {
                carriage.names(0, channel).filter { $0.hasSuffix(".sealed") }.count == 1
            }
            writer.save()
            try await eventually("it continues after the newest") { writer.storedThrough == 11 }
        }
        #expect(
            group.devices[0].figures.snapshot.counters[AgentFigures.Counter(total: .lostInStream, labels: [:])] == nil)
    }

    @Test func `an agent waits for a folder that is absent, and does not create it`() async throws {
        let carriage = try Carriage(folders: 1)
        let folder = carriage.folders[0]
        rmdir(folder)
        let group = DeviceGroup(folders: [folder, folder], seed: 1)
        try await group.run { group in
            group.devices[0].store.save(3)
            try await Task.sleep(for: .milliseconds(600))
            #expect(access(folder, F_OK) != 0 && group.devices[0].store.storedThrough == 0)
            #expect(group.devices[0].figures.line.contains("there is no folder \(folder); hint: mount its disk"))
            #expect(mkdir(folder, 0o700) == 0 && chmod(folder, 0o2750) == 0)
            try await eventually("all is published", within: .seconds(40)) {
                group.devices[0].store.storedThrough == 3
            }
            // The permissions let the folder's group read the files, so that another user's carrier can copy them.
            var status = stat()
            #expect(stat("\(folder)/group", &status) == 0 && status.st_mode & 0o7777 == 0o2750)
            let channel = group.devices[0].store.channel.text
            let name = try #require(carriage.names(0, channel).first)
            #expect(stat("\(folder)/group/\(channel)/\(name)", &status) == 0 && status.st_mode & 0o7777 == 0o640)
            // The folder disappears, as if its disk was removed, and comes back.
            #expect(rename(folder, folder + ".away") == 0)
            group.devices[0].store.save(3)
            try await Task.sleep(for: .milliseconds(300))
            #expect(group.devices[0].store.storedThrough == 3)
            #expect(rename(folder + ".away", folder) == 0)
            try await eventually("all is published", within: .seconds(60)) {
                group.devices[0].store.storedThrough == 6
            }
        }
    }

    @Test func `a file that has the name of a channel stops only this channel`() async throws {
        let carriage = try Carriage(folders: 1)
        let folder = carriage.folders[0]
        let group = DeviceGroup(folders: [folder, folder], seed: 1)
        let (one, two) = (group.devices[0].store, group.devices[1].store)
        #expect(mkdir(carriage.group(0), 0o700) == 0)
        let place = "\(carriage.group(0))/\(two.channel.text)"
        #expect(FileManager.default.createFile(atPath: place, contents: Data()))
        try await group.run { _ in
            one.save(3)
            two.save(3)
            try await eventually("the other channel works") { two.merged(one.channel).count == 3 }
            unlink(place)
            try await eventually("all is there", within: .seconds(40)) { one.merged(two.channel).count == 3 }
        }
    }

    @Test func `a false marker removes only what was merged, and the owner removes it`() async throws {
        let carriage = try Carriage(folders: 2)
        let group = DeviceGroup(folders: carriage.folders, seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1].store)
        let channel = writer.channel.text
        try await group.run(only: [0]) { _ in
            writer.save(5)
            try await eventually("all is published") { writer.storedThrough == 5 }
        }
        try carriage.carryAll()
        let marker = "00000140737488355328.floor"
        for device in 0..<2 { try carriage.write([], device, channel, marker) }
        try await group.run { _ in
            try await eventually("all is there") { reader.merged(writer.channel).count == 5 }
            try await eventually("the owner removes the marker") { !carriage.names(0, channel).contains(marker) }
            writer.save(2)
            try await eventually("the rest is published") { writer.storedThrough == 7 }
            try carriage.carryAll()
            try await eventually("the rest is there") { reader.merged(writer.channel).count == 7 }
        }
        #expect(carriage.names(0, channel).count == 7)
    }

    @Test func `thousands of forged messages do not hide the genuine one`() async throws {
        let carriage = try Carriage(folders: 1)
        let folder = carriage.folders[0]
        let group = DeviceGroup(folders: [folder, folder], seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1].store)
        var random = SplitMix(seed: 3)
        for number in 0..<4_200 {
            let bytes = random.bytes(40)
            let sequence = String(number % 2 == 0 ? 2 : 1_000_000 + number)
            let digits = String(repeating: "0", count: 20 - sequence.count) + sequence
            let name = "\(digits).\(Hexadecimal.encode(bytes.suffix(16))).sealed"
            try carriage.write(bytes, 0, writer.channel.text, name)
        }
        func writeGenuine(_ sequence: UInt64) throws {
            let bytes = FakeReplicaStore.seal(writer.channel, sequence)
            let name = "0000000000000000000\(sequence).\(Hexadecimal.encode(bytes.suffix(16))).sealed"
            try carriage.write(bytes, 0, writer.channel.text, name)
        }
        try writeGenuine(1)
        try await group.run(only: [1]) { _ in
            try await eventually("the forgeries are refused", within: .seconds(60)) {
                let refused = AgentFigures.Counter(total: .refusedMessages, labels: ["reason": "FORGED"])
                return group.devices[1].figures.snapshot.counters[refused] ?? 0 >= 2_000
            }
            try writeGenuine(2)
            try await eventually("the genuine messages are merged", within: .seconds(40)) {
                reader.merged(writer.channel) == [1, 2]
            }
        }
    }

    @Test func `a message that is missing among merged ones delays nothing`() async throws {
        let carriage = try Carriage(folders: 1)
        let folder = carriage.folders[0]
        let group = DeviceGroup(folders: [folder, folder], seed: 1)
        let (writer, reader) = (group.devices[0].store, group.devices[1].store)
        writer.save(9)
        try await group.run(only: [0]) { _ in
            try await eventually("all is published") { writer.storedThrough == 9 }
        }
        let names = carriage.names(0, writer.channel.text)
        for index in [1, 4, 6] { unlink("\(carriage.group(0))/\(writer.channel.text)/\(names[index])") }
        reader.want(writer.channel, 8)
        try await group.run(only: [1]) { _ in
            try await eventually("the rest is merged") { reader.merged(writer.channel) == [8, 9] }
        }
    }

    @Test func `an agent publishes on after its newest file was damaged`() async throws {
        let carriage = try Carriage(folders: 1)
        let group = DeviceGroup(folders: carriage.folders, seed: 1)
        let writer = group.devices[0].store
        try await group.run(only: [0]) { _ in
            writer.save(3)
            try await eventually("all is published") { writer.storedThrough == 3 }
            let newest = try #require(carriage.names(0, writer.channel.text).last)
            try carriage.write([1], 0, writer.channel.text, newest)
            writer.save(3)
            try await eventually("the rest is published", within: .seconds(40)) { writer.storedThrough == 6 }
        }
    }

    @Test func `old joins and snapshots leave a marker, and are removed later`() async throws {
        let carriage = try Carriage(folders: 1)
        let group = DeviceGroup(folders: carriage.folders, seed: 1)
        let join = "join.\(String(repeating: "ab", count: 16)).request"
        let sealed = FakeReplicaStore.seal(.device(1), 1)
        let name = "00000000000000000001.\(Hexadecimal.encode(sealed.suffix(16))).sealed"
        try carriage.write(sealed, 0, join, name)
        func age(_ days: Int) async throws {
            let touched = try await Program.shell("touch -d '-\(days) days' '\(carriage.group(0))/\(join)'")
            #expect(touched.exitCode == 0)
        }
        try await age(29)
        try await group.run { _ in try await Task.sleep(for: .milliseconds(300)) }
        #expect(carriage.names(0, join) == [name])
        try await age(31)
        try await group.run { _ in
            try await eventually("only a marker is left") {
                carriage.names(0, join) == ["00000140737488355328.floor"]
            }
        }
        try await age(91)
        try await group.run { _ in
            try await eventually("the folder is removed") { access("\(carriage.group(0))/\(join)", F_OK) != 0 }
        }
    }
}
