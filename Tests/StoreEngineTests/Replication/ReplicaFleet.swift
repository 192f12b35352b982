import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics

@testable import StoreEngine

/// Some stores of one group, and a log between them that hands on batches when it is told to.
final class ReplicaFleet {
    struct Device {
        let store: TemporaryStore
        let number: UInt64
        var edits: RandomEdits
        /// Batches in the log.
        var batches: [[UInt8]] = []

        var engine: StoreEngine { store.engine }
    }

    var devices: [Device]
    private var generator: SplitMix

    init(
        deviceCount: Int, seed: UInt64, kinds: [RandomEdits.Kind], clocks: SystemClocks = .real(bootID: nil)
    ) throws {
        generator = SplitMix(seed: seed)
        devices = try (1...deviceCount).map { number in
            let store = try TemporaryStore(clocks: clocks)
            let edits = RandomEdits(store.engine, seed: seed &* 31 &+ UInt64(number), kinds: kinds, hasOwnIDs: true)
            return Device(store: store, number: UInt64(number), edits: edits)
        }
        for device in devices {
            try device.engine.write(
                .startReplicaGroup(
                    ReplicaGroupStart(group: [UInt8](repeating: 9, count: 16), device: device.number)))
        }
    }

    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    /// What a device has changed goes to the log.
    func collect(_ index: Int) throws {
        try devices[index].engine.write(.collectReplicaChanges)
        try takeOut(index)
    }

    /// Merging collects too.
    private func takeOut(_ index: Int) throws {
        let batches = try devices[index].engine.makeReader().replicaBatches(
            after: UInt64(devices[index].batches.count), limit: 1_000)
        devices[index].batches += batches.map(\.bytes)
    }

    /// The next batch of a device comes to another.
    ///
    /// - Returns: false where there is none.
    func deliver(from origin: Int, to place: Int) throws -> Bool {
        let merged = try devices[place].engine.makeReader().mergedSequence(of: devices[origin].number)
        guard merged < UInt64(devices[origin].batches.count) else { return false }
        try merge(origin, sequence: merged + 1, into: place)
        return true
    }

    /// One that it may have had before.
    func merge(_ origin: Int, sequence: UInt64, into place: Int) throws {
        let bytes = devices[origin].batches[Int(sequence) - 1]
        let records = try bytes.withUnsafeBytes { try ReplicaRecord.all(in: $0) }
        try devices[place].engine.write(
            .mergeReplicaBatch(
                ReplicaBatch(device: devices[origin].number, sequence: sequence, records: records)))
        try takeOut(place)
    }

    /// Some edits here and there, and some batches on their way.
    func live(rounds: Int) throws {
        for _ in 0..<rounds {
            let index = number(devices.count)
            switch number(16) {
            case 0...3: try devices[index].edits.make(1 + number(6))
            case 4...6: try collect(index)
            case 7: try deliverAgain(to: index)
            case 8 where number(4) == 0: try restart(index)
            default:
                let other = number(devices.count)
                if other != index {
                    _ = try deliver(from: other, to: index)
                }
            }
        }
    }

    /// One that it has had.
    private func deliverAgain(to place: Int) throws {
        let origin = number(devices.count)
        guard origin != place else { return }
        let merged = try devices[place].engine.makeReader().mergedSequence(of: devices[origin].number)
        guard merged > 0 else { return }
        let before = try content(place)
        try merge(origin, sequence: 1 + UInt64(number(Int(merged))), into: place)
        guard try content(place) == before else {
            throw StoreError(.internal, "a batch that was merged before has changed something")
        }
    }

    func restart(_ index: Int) throws {
        try devices[index].store.reopen()
        devices[index].edits.engine = devices[index].engine
    }

    /// Everything comes everywhere, until nobody has anything to tell.
    func settle() throws {
        for _ in 0..<100 {
            var isQuiet = true
            for index in devices.indices {
                try collect(index)
            }
            for place in devices.indices {
                for origin in devices.indices where origin != place {
                    while try deliver(from: origin, to: place) {
                        isQuiet = false
                    }
                }
            }
            if isQuiet { return }
        }
        throw StoreError(.internal, "the devices never stop to tell each other something")
    }

    /// What a device holds, each thing a line, in an order that does not depend on when it came.
    func content(_ index: Int) throws -> [String] {
        var lines: [String] = []
        var digest: ContentDigest? = ContentDigest()
        var pieceOwner: String?
        func endPieces() {
            if let owner = pieceOwner {
                lines.append("\(owner): \(Hexadecimal.encode(digest.take()?.finish() ?? []))")
            }
            digest = ContentDigest()
            pieceOwner = nil
        }
        var conversation = ""
        var message = ""
        for record in try devices[index].engine.archived() {
            if case .filePiece(let bytes) = record {
                digest?.update(bytes)
                continue
            }
            endPieces()
            switch record {
            case .conversation(let held):
                conversation = held.sessionID.text
                lines.append("\(held)")
            case .message(var held):
                message = held.id.text
                held.expiresAt = nil
                lines.append("\(conversation): \(held)")
            case .reaction(let held): lines.append("\(message): \(held)")
            case .contact, .draft, .sceneValue: lines.append("\(record)")
            case .content(let held): pieceOwner = "\(held)"
            case .file(let held) where held.path.area.isReplicated: pieceOwner = "\(held)"
            case .directory(let held) where held.path.area.isReplicated && !held.path.isRoot:
                lines.append("directory \(held.path.text)")
            case .header, .log, .logEntry, .directory, .file, .filePiece, .removal, .footer: break
            }
        }
        endPieces()
        return lines.sorted()
    }
}
