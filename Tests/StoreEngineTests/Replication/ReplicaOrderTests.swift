import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests the merge alone: merges the same batches into equal stores, in every order in which channels may deliver them.
@Suite struct ReplicaOrderTests {
    private static let kinds: [RandomEdits.Kind] = [
        .contact, .conversation, .message, .messageAgain, .edit, .status, .read, .deleteMessage, .react, .draft, .value,
        .scene, .removeOther, .moveMessage, .file, .largeFile, .copy, .directory, .move, .removeFile, .moveTree,
        .log, .append,
    ]

    private struct Shape: CustomTestStringConvertible {
        let originCount: Int
        let batchCount: Int

        var testDescription: String { "\(originCount) devices, \(batchCount) batches of each" }
    }

    private struct Batch {
        let channel: ReplicaChannel
        let sequence: UInt64
        let bytes: [UInt8]

        var name: String { "\(channel.text) \(sequence)" }
    }

    /// The largest number of orders that are tried. A long run tries all of them.
    private static let ordersMax = ReplicaSeeds.isLongRun ? 150 : TestTier.count(8, long: 20)
    private static let shapes = [
        Shape(originCount: 5, batchCount: 1), Shape(originCount: 3, batchCount: 2),
        Shape(originCount: 2, batchCount: 4),
    ]

    /// At most 20 seeds. The further seeds of a long run are only used by `ReplicaConvergenceTests`, for random orders.
    private static let seeds = ReplicaSeeds.range(1, long: 1).prefix(20)

    @Test(arguments: shapes, seeds) private func `every order of the same batches gives the same store`(
        shape: Shape, seed: Int
    ) throws {
        let (fleet, batches) = try concurrent(shape, seed: UInt64(seed))
        let receivers = try Receivers(fleet)
        let orders = Self.orders(batches, seed: UInt64(seed))
        var previous: Content?
        var exchanged: Set<Set<String>> = []
        for order in orders {
            let store = try receivers.first()
            try handIn(order, to: store)
            let content = try Self.content(of: store)
            #expect(content.difference(from: previous) == [], "order \(order.map(\.name))")
            if exchanged.insert(content.toldLines).inserted {
                let other = try receivers.second()
                try handIn(orders[0], to: other)
                let difference = try receivers.differenceAfterExchange(store, other)
                #expect(difference == [], "order \(order.map(\.name)), after an exchange with the first order")
            }
            previous = content
        }
    }

    @Test(arguments: ReplicaSeeds.range(1, long: 2).prefix(20))
    func `batches that arrive twice or too early change nothing`(
        seed: Int
    ) throws {
        let (fleet, batches) = try concurrent(Shape(originCount: 4, batchCount: 4), seed: UInt64(seed) + 1_000)
        var generator = SplitMix(seed: UInt64(seed))
        let receivers = try Receivers(fleet)
        var previous: Content?
        for _ in 0..<4 {
            let store = try receivers.first()
            var waiting = (batches + batches).shuffled(using: &generator)
            while let batch = waiting.popLast() {
                switch try handIn(batch, to: store) {
                case .merged: break
                case .waits(.earlierMessage(let sequence)):
                    #expect(sequence < batch.sequence)
                    waiting.insert(batch, at: 0)
                case .waits(.otherBatch): waiting.insert(batch, at: 0)
                case .waits(let reason): Issue.record("a batch waits for \(reason)")
                case .refused(let refusal): Issue.record("a batch is refused: \(refusal)")
                }
            }
            let content = try Self.content(of: store)
            for batch in batches.shuffled(using: &generator) {
                guard case .merged = try handIn(batch, to: store) else {
                    Issue.record("a batch that was merged is not known")
                    continue
                }
            }
            #expect(try Self.content(of: store) == content, "nothing that was removed comes back")
            #expect(content.difference(from: previous) == [])
            let other = try receivers.second()
            try handIn(batches, to: other)
            #expect(try receivers.differenceAfterExchange(store, other) == [])
            previous = content
        }
    }

    /// Lets devices with the same content make changes of their own. Some of them merge changes of others between their
    /// batches.
    ///
    /// - Returns: the fleet, whose last two devices have merged none of the batches, and all the batches.
    private func concurrent(_ shape: Shape, seed: UInt64) throws -> (ReplicaFleet, [Batch]) {
        let fleet = try ReplicaFleet(deviceCount: shape.originCount + 2, seed: seed, kinds: Self.kinds)
        try fleet.live(rounds: 60)
        try fleet.settle()
        let origins = 0..<shape.originCount
        let before = origins.map { fleet.log.lastSequence(.device(fleet.devices[$0].number)) }
        for _ in 0..<shape.batchCount {
            for origin in origins {
                let channel = ReplicaChannel.device(fleet.devices[origin].number)
                let last = fleet.log.lastSequence(channel)
                while fleet.log.lastSequence(channel) == last {
                    try fleet.devices[origin].edits.make(4)
                    try fleet.publish(origin)
                }
            }
            for origin in origins where fleet.number(2) == 0 {
                _ = try fleet.takeNext(origin)
            }
        }
        let batches = origins.flatMap { origin -> [Batch] in
            let channel = ReplicaChannel.device(fleet.devices[origin].number)
            return ((before[origin] + 1)...fleet.log.lastSequence(channel)).compactMap { sequence in
                fleet.log.message(channel, sequence).map { Batch(channel: channel, sequence: sequence, bytes: $0) }
            }
        }
        return (fleet, batches)
    }

    /// The last two devices of a fleet. Each order of the batches gets new stores, made from copies of their files.
    private struct Receivers {
        private let fleet: ReplicaFleet
        private let indices: [Int]
        private let files: [[String: [UInt8]]]

        init(_ fleet: ReplicaFleet) throws {
            self.fleet = fleet
            indices = Array(fleet.devices.indices.suffix(2))
            files = try indices.map { try StoreSpecimen.files(of: fleet.devices[$0].store) }
        }

        func first() throws -> TemporaryStore { try TemporaryStore(placing: files[0]) }

        func second() throws -> TemporaryStore { try TemporaryStore(placing: files[1]) }

        /// Lets the two stores exchange the results of their own decisions, such as conflict copies.
        ///
        /// - Returns: the lines that only one of the stores has after the exchange.
        func differenceAfterExchange(_ first: TemporaryStore, _ second: TemporaryStore) throws -> Set<String> {
            let stores = [first, second]
            for (index, store) in zip(indices, stores) {
                let device = fleet.devices[index]
                fleet.devices[index] = ReplicaFleet.Device(store: store, edits: device.edits, number: device.number)
                // The exchange between the previous two stores used the same sequences.
                fleet.log.forget(.device(device.number))
            }
            try fleet.settle(indices)
            let lines = try zip(indices, stores).map { index, store in
                try ReplicaOrderTests.content(of: store, device: fleet.devices[index].number).lines
            }
            return lines[0].symmetricDifference(lines[1])
        }
    }

    private func handIn(_ batches: [Batch], to store: TemporaryStore) throws {
        // As with an agent, a batch waits until the other devices' batches that its device had merged have arrived. The
        // later batches of its own device wait with it.
        var waiting = batches
        while !waiting.isEmpty {
            var left: [Batch] = []
            for batch in waiting {
                switch left.contains(where: { $0.channel == batch.channel }) ? nil : try handIn(batch, to: store) {
                case nil, .waits(.otherBatch): left.append(batch)
                case let outcome: #expect(outcome == .merged(nextSequence: batch.sequence + 1))
                }
            }
            guard left.count < waiting.count else {
                Issue.record("batches wait for each other: \(left.map(\.name))")
                return
            }
            waiting = left
        }
    }

    private func handIn(_ batch: Batch, to store: TemporaryStore) throws -> ReplicaHandedIn {
        let message = ReplicaMessage(channel: batch.channel, bytes: batch.bytes, isOldestKept: false)
        return try ReplicaFleet.handIn(message, to: store.engine)
    }

    /// Returns the content of a store. A file content counts if a file or message refers to it, even if the store still
    /// requests the content. All other contents are left out: if a file was removed and another file got its name, the
    /// order of the batches decides whether the store still has the content of the first file, which it removes later.
    ///
    /// - Parameter device: the number of the store in the group, which is needed to compare different devices.
    private static func content(of store: TemporaryStore, device: UInt64 = 0) throws -> Content {
        let lines = try ReplicaFleet.content(of: store.engine, device: device)
        let others = lines.filter { !$0.hasPrefix("ArchivedContent(") }
        let held = lines.compactMap { line in
            line.hasPrefix("ArchivedContent(") ? line.split(separator: "[").last?.split(separator: "]").first : nil
        }
        let awaited = try store.engine.missingContents().map { Substring("\($0)").dropFirst().dropLast() }
        let named = (held + awaited).filter { digest in others.contains { $0.contains("[\(digest)]") } }
        let toldPaths = try others.compactMap(Content.path).filter { try tells(FilePath(text: $0), store) }
        return Content(lines: Set(others + named.map { "content \($0)" }), toldPaths: Set(toldPaths))
    }

    private struct Content: Equatable {
        let lines: Set<String>
        /// Paths whose newest change this store publishes itself, because it keeps a removed directory for a file in
        /// it, or makes a conflict copy. The order of the batches decides if that is necessary, and the other devices
        /// accept the result. So these paths are compared only after an exchange.
        let toldPaths: Set<String>

        var toldLines: Set<String> {
            lines.filter { Self.path($0).map(toldPaths.contains) ?? false }
        }

        func difference(from other: Content?) -> Set<String> {
            guard let other else { return [] }
            return lines.symmetricDifference(other.lines).filter { line in
                guard let path = Self.path(line) else { return true }
                return !toldPaths.contains(path) && !other.toldPaths.contains(path)
            }
        }

        /// Returns the path in a line that describes a file or directory; `nil` for other lines.
        static func path(_ line: String) -> String? {
            guard line.hasPrefix("at ") else { return nil }
            return line.dropFirst(3).split(separator: "\0").first.map(String.init)
        }
    }

    /// Returns true if the newest change of a path is the store's own, or if the store still has to publish one.
    private static func tells(_ path: FilePath, _ store: TemporaryStore) throws -> Bool {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            if try UnsentPathRows.covers(path, connection) { return true }
            let mark = try ReplicaThingRows.read(path.thingName, connection)?.mark(of: .value)
            return try mark?.stamp.device == ReplicaGroupRow.read(connection)?.device
        }
    }

    /// Returns orders of the batches that keep the order within each channel: all of them, or a random selection if
    /// there are too many.
    private static func orders(_ batches: [Batch], seed: UInt64) -> [[Batch]] {
        let lengths = Dictionary(grouping: batches, by: \.channel).values.map(\.count)
        let orderCount = lengths.reduce(into: (placed: 0, count: 1.0)) { sum, length in
            for index in 1...length {
                sum.placed += 1
                sum.count *= Double(sum.placed) / Double(index)
            }
        }.count
        guard orderCount > Double(ordersMax) else { return every(batches) }
        var generator = SplitMix(seed: seed)
        return (0..<ordersMax).map { _ in
            var rest = batches
            return (0..<batches.count).map { _ in
                let channel = rest.randomElement(using: &generator)?.channel
                return rest.remove(at: rest.firstIndex { $0.channel == channel } ?? 0)
            }
        }
    }

    private static func every(_ batches: [Batch]) -> [[Batch]] {
        guard !batches.isEmpty else { return [[]] }
        return Set(batches.map(\.channel)).flatMap { channel -> [[Batch]] in
            var rest = batches
            guard let index = rest.firstIndex(where: { $0.channel == channel }) else { return [] }
            let next = rest.remove(at: index)
            return every(rest).map { [next] + $0 }
        }
    }
}
