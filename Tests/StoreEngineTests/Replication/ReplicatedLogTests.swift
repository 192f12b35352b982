import Glibc
import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ReplicatedLogTests {
    let fleet: ReplicaFleet
    let name: LogName
    let large = LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: false)

    init() throws {
        fleet = try ReplicaFleet(deviceCount: 3, seed: 1, kinds: [])
        name = try LogName("events")
    }

    private func open(_ device: Int, _ configuration: LogConfiguration? = nil, isReplicated: Bool = true) throws {
        try fleet.devices[device].engine.write(.openLog(name, configuration ?? large, isReplicated: isReplicated))
    }

    /// Waits 2 ms and appends, so that the stamp is of a later millisecond than the stamp of the previous append.
    private func append(_ device: Int, _ texts: String...) throws {
        usleep(2_000)
        let messages = texts.map { Array($0.utf8) }
        try fleet.devices[device].engine.write(.appendLog(LogAppend(log: name, expected: nil, messages: messages)))
    }

    private func texts(_ device: Int, after place: LogPlace = .start) throws -> [String] {
        try fleet.entries(device, name, after: place).map { String(decoding: $0.data, as: UTF8.self) }
    }

    private func isThere(_ device: Int) throws -> Bool {
        try fleet.reader(device).log(name) != nil
    }

    private func expectAll(_ expected: [String], _ devices: [Int] = [0, 1, 2]) throws {
        for device in devices {
            #expect(try texts(device) == expected, "device \(device)")
            #expect(try fleet.logs(device) == fleet.logs(devices[0]))
            #expect(try expectClean(fleet.devices[device].engine) == [])
        }
    }

    @Test func `entries of all devices are read in the order of their stamps, each with its device`() throws {
        for device in 0..<3 { try open(device) }
        try append(1, "a", "b")
        try append(0, "c")
        try append(2, "d")
        try append(1, "e")
        #expect(try texts(1) == ["a", "b", "e"])
        try fleet.settle()
        try expectAll(["a", "b", "c", "d", "e"])
        let entries = try fleet.entries(0, name)
        let numbers = fleet.devices.map(\.number)
        #expect(entries.map(\.device) == [numbers[1], numbers[1], nil, numbers[2], numbers[1]])
        #expect(entries.map(\.sequence) == [1, 2, 1, 1, 3])
    }

    @Test func `metadata of entries reach every device, in batches and in snapshots`() throws {
        try open(0)
        try fleet.settle([0, 1])
        let messages = (0..<10).map { [UInt8($0)] }
        // Together, these metadata do not fit into one batch.
        let metadata = try messages.map { message in
            message[0] % 5 == 0
                ? nil
                : try Metadata(data: [UInt8](repeating: message[0], count: EngineLimits.metadataBytesMax), type: "a/b")
        }
        for device in 0..<2 {
            let append = LogAppend(log: name, expected: nil, messages: messages, metadata: metadata)
            try fleet.devices[device].engine.write(.appendLog(append))
        }
        try fleet.settle()
        try fleet.addStore()
        try fleet.join(3, by: 0)
        try fleet.settle()
        for device in 0..<4 {
            let entries = try fleet.entries(device, name)
            #expect(entries.count == 20)
            #expect(entries.allSatisfy { $0.metadata == metadata[Int($0.data[0])] }, "device \(device)")
            #expect(try expectClean(fleet.devices[device].engine) == [])
        }
    }

    @Test func `a read without entries of others returns the entries that were appended here`() throws {
        try open(0)
        try append(0, "own")
        try fleet.settle()
        try append(1, "other")
        try fleet.settle()
        let page = try fleet.reader(0).logEntries(LogQuery(log: name))
        #expect(page.entries.map(\.sequence) == [1])
        #expect(page.info.isReplicated)
        #expect(try fleet.reader(1).log(name)?.configuration == large)
    }

    @Test func `a log that is not replicated stays on its device, even beside a replicated one of its name`() throws {
        try open(0, isReplicated: false)
        try append(0, "for me")
        try fleet.settle()
        #expect(try !isThere(1))
        try open(1)
        try append(1, "for all")
        try fleet.settle()
        #expect(try texts(0) == ["for me"])
        #expect(try texts(2) == ["for all"])
        try open(0)
        try fleet.settle()
        for device in 0..<3 {
            #expect(try Set(texts(device)) == ["for me", "for all"])
        }
    }

    @Test func `a read from a position misses no entry that arrives late`() throws {
        try open(0)
        try fleet.settle()
        try append(1, "early")
        try append(0, "late")
        try fleet.settle([0, 2])
        let place = try #require(try fleet.page(2, name).place)
        #expect(try texts(2) == ["late"])
        try fleet.settle()
        #expect(try texts(2, after: place) == ["early"])
        try expectAll(["early", "late"])
        let end = try #require(try fleet.page(2, name).place)
        #expect(try LogPlace(end.bytes) == end)
        #expect(try texts(2, after: end) == [])
        try append(2, "own")
        #expect(try texts(2, after: end) == ["own"])
        let behindOwn = try #require(try fleet.page(2, name, after: end).place)
        try fleet.settle()
        #expect(try texts(2, after: behindOwn) == [])
    }

    @Test func `the entries of each device are limited by its own log, on all devices`() throws {
        let small = LogConfiguration(maximumBytes: 64 + 3 * 5, overwritesOldest: true)
        for device in 0..<3 { try open(device, small) }
        try append(0, "0", "1")
        try append(1, "a")
        try fleet.settle()
        for text in ["2", "3", "4", "5"] { try append(0, text) }
        try fleet.settle()
        try expectAll(["a", "3", "4", "5"])
        // Also checks entries that are overwritten before they are published.
        for number in 0..<600 {
            let message = Array("\(number % 10)".utf8)
            try fleet.devices[0].engine.write(.appendLog(LogAppend(log: name, expected: nil, messages: [message])))
        }
        try fleet.settle()
        try expectAll(["a", "7", "8", "9"])
    }

    /// Waits until more than 2 ms have passed, so that the next change is in a later millisecond. For changes of two
    /// devices in one millisecond, the time would not decide which change is later.
    private func nextMillisecond() {
        let now = Timestamp.now
        _ = eventually { Timestamp.now.microseconds > now.microseconds + 2_000 }
    }

    @Test func `a deleted log is gone everywhere with its known entries, and later entries stay`()
        throws
    {
        for device in 0..<3 { try open(device) }
        try append(0, "a")
        try append(1, "b")
        try fleet.settle()
        try append(1, "unknown to who deletes it")
        nextMillisecond()
        try fleet.devices[2].engine.write(.deleteLog(name))
        try fleet.settle()
        for device in 0..<3 {
            #expect(try !isThere(device))
        }
        try open(0)
        try append(0, "new")
        try fleet.settle()
        try expectAll(["new"])
        try fleet.devices[0].engine.write(.deleteLog(name))
        nextMillisecond()
        try append(1, "meanwhile")
        try fleet.settle()
        try expectAll(["meanwhile"])
        #expect(try fleet.reader(0).log(name)?.sequences == nil)
        #expect(try fleet.reader(1).log(name)?.messageCount == 1)
    }

    @Test func `a log that is opened with another configuration is not published to the group`() throws {
        try open(0, isReplicated: false)
        try append(0, "a")
        let other = LogConfiguration(maximumBytes: large.maximumBytes * 2, overwritesOldest: large.overwritesOldest)
        try open(0, other)
        #expect(try fleet.reader(0).log(name)?.isReplicated == false)
        try fleet.settle()
        #expect(try !isThere(1))
        try open(0)
        try fleet.settle()
        #expect(try texts(1) == ["a"])
    }

    @Test func `a log that is deleted and created again at once begins empty`() throws {
        try open(0)
        try append(0, "a", "b")
        try fleet.settle()
        let place = try #require(try fleet.page(0, name).place)
        try fleet.devices[0].engine.write(.deleteLog(name))
        try open(0)
        #expect(try texts(0) == [])
        #expect(throws: StoreError.self) { try fleet.page(0, name, after: place) }
        try append(0, "c")
        try fleet.settle()
        try expectAll(["c"])
    }

    @Test func `entries from before a log was replicated or its store joined are published`()
        throws
    {
        try open(0, isReplicated: false)
        try append(0, "before")
        try open(0)
        try fleet.addStore()
        try open(3)
        try append(3, "elsewhere")
        try fleet.join(3, by: 0)
        try append(0, "behind")
        try fleet.settle()
        for device in 0..<4 {
            #expect(try Set(texts(device)) == ["before", "elsewhere", "behind"])
            #expect(try fleet.logs(device) == fleet.logs(0))
        }
    }

    @Test func `a snapshot contains all entries once`() throws {
        for device in 0..<3 { try open(device) }
        for number in 0..<300 { try append(number % 2, "\(number)") }
        try fleet.settle([0, 1])
        try append(2, "own")
        fleet.log.trim(keeping: 1)
        try fleet.settle()
        try expectAll((0..<300).map(String.init) + ["own"])
        try fleet.addStore()
        try fleet.join(3, by: 2)
        try fleet.settle()
        try expectAll((0..<300).map(String.init) + ["own"], [0, 3])
    }

    @Test func `a store that leaves and joins again publishes no entry twice`() throws {
        for device in 0..<3 { try open(device) }
        try append(0, "a")
        try append(2, "b")
        try fleet.settle()
        try fleet.devices[2].engine.leaveReplicaGroup()
        #expect(try texts(2) == ["a", "b"])
        try append(2, "c")
        try append(0, "d")
        try fleet.join(2, by: 1)
        try fleet.settle()
        try expectAll(["a", "b", "c", "d"])
        try fleet.devices[2].engine.leaveReplicaGroup()
        // Two entries were appended by this store in its two memberships, and two by another device.
        let devices = try fleet.entries(2, name).map(\.device)
        #expect(Set(devices).count == 3 && !devices.contains(nil))
    }

    @Test func `a store that was restored from a backup gets back what it had published after the backup`() throws {
        try open(2)
        try append(2, "a")
        try fleet.settle()
        let backup = try fleet.devices[2].engine.backUp().name
        try append(2, "b")
        try fleet.settle()
        try fleet.devices[2].engine.restore(backup)
        try append(2, "c")
        try fleet.devices[2].engine.leaveReplicaGroup()
        try fleet.join(2, by: 0)
        try fleet.settle()
        try expectAll(["a", "b", "c"])
    }

    @Test func `only selected logs are replicated`() throws {
        let rule = try #require(ReplicaSelection.Rule(text: "logs:shared.*"))
        let selection = try #require(ReplicaSelection([rule]))
        let fleet = try ReplicaFleet(deviceCount: 2, seed: 2, kinds: [], selection: selection)
        for text in ["shared.events", "events"] {
            let log = try LogName(text)
            try fleet.devices[0].engine.write(.openLog(log, large, isReplicated: true))
            try fleet.devices[0].engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: [[1]])))
        }
        try fleet.settle()
        let logs = try fleet.reader(1).logs(limit: 10, cursor: nil).logs
        #expect(logs.map(\.name.text) == ["shared.events"])
        #expect(try fleet.entries(1, LogName("shared.events")).map(\.data) == [[1]])
    }

    @Test func `entries that arrive out of order are all kept, unless their device has overwritten them`() throws {
        let puppet = try ReplicaPuppet(fleet)
        try open(1)
        try fleet.settle()
        let value = WholeLog(name: name, configuration: large, createdAt: .now).body
        func record(_ first: UInt64, _ count: UInt64, oldest: UInt64) -> ReplicaRecord {
            let entries = (first..<(first + count)).map { number in
                LogEntriesRecord.Entry(time: number << 16, data: Array("\(number)".utf8))
            }
            return .logEntries(
                LogEntriesRecord(
                    name: name.text, value: value, device: puppet.number, opened: 1, oldestSequence: oldest,
                    firstSequence: first, entries: entries))
        }
        try puppet.tell([record(5, 3, oldest: 1)], to: 1)
        let place = try #require(try fleet.page(1, name).place)
        #expect(try texts(1) == ["5", "6", "7"])
        try puppet.tell([record(3, 3, oldest: 1), record(8, 1, oldest: 4)], to: 1)
        #expect(try texts(1) == ["4", "5", "6", "7", "8"])
        #expect(try texts(1, after: place) == ["8"])
        try puppet.tell([record(2, 3, oldest: 1)], to: 1)
        #expect(try texts(1) == ["4", "5", "6", "7", "8"])
        #expect(try expectClean(fleet.devices[1].engine) == [])
    }

    @Test(arguments: [0, 3, 1_300, 2_496, 2_500])
    func `a log with many entries is deleted up to the first entry that was appended later`(removed: UInt64) throws {
        let count: UInt64 = 2_500
        let puppet = try ReplicaPuppet(fleet)
        let value = WholeLog(name: name, configuration: large, createdAt: .now).body
        // There is a gap before the entries of each record, and every three entries have the same time.
        for start in stride(from: UInt64(1), through: count, by: 1_000) {
            let entries = (start..<min(start + 1_000, count + 1)).map { number in
                LogEntriesRecord.Entry(time: (number / 3) << 16, data: Array("\(number)".utf8))
            }
            let record = LogEntriesRecord(
                name: name.text, value: value, device: puppet.number, opened: 1, oldestSequence: 1,
                firstSequence: start + 1_000, entries: entries)
            try puppet.tell([.logEntries(record)], to: 1)
        }
        let removal = ReplicaStamp(time: (removed / 3) << 16, device: .max)
        try puppet.tell([.thing(ThingRecord(name: ThingName(.log, name.text), removal: removal))], to: 1)
        let expected = (1...count).filter { $0 / 3 > removed / 3 }.map { "\($0)" }
        #expect(try isThere(1) == !expected.isEmpty)
        #expect(try expected.isEmpty || texts(1) == expected)
        #expect(try expectClean(fleet.devices[1].engine) == [])
    }

    @Test func `entries that no store can have written are refused`() throws {
        let puppet = try ReplicaPuppet(fleet)
        let value = WholeLog(name: name, configuration: large, createdAt: .now).body
        let record = LogEntriesRecord(
            name: name.text, value: value, device: puppet.number, opened: 1, oldestSequence: 1, firstSequence: 1,
            entries: [.init(time: 1, data: [1])])
        let changes: [(inout LogEntriesRecord) -> Void] = [
            { $0.name = "" }, { $0.value.append(0) }, { $0.opened = 0 }, { $0.oldestSequence = 2 },
            { $0.firstSequence = 0 }, { $0.firstSequence = .max }, { $0.entries[0].time = .max },
            { $0.entries[0].data = [] }, { $0.entries = [] }, { $0.oldestSequence = 0 },
        ]
        for change in changes {
            var wrong = record
            change(&wrong)
            var bytes: [UInt8] = []
            ReplicaRecord.logEntries(wrong).append(to: &bytes)
            #expect(throws: ReplicaRecordError.malformed) { try ReplicaChannels.records(in: bytes).get() }
        }
        try puppet.tell([.logEntries(record)], to: 0)
        #expect(try texts(0) == ["\u{1}"])
    }
}
