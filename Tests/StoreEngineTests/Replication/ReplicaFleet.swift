import ReplicaModel
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// The stores of one replica group, and a stream between them. The test decides when messages are published and
/// delivered.
final class ReplicaFleet {
    struct Device {
        let store: TemporaryStore
        var edits: RandomEdits
        /// The number of the device in the group.
        var number: UInt64 = 0

        var engine: StoreEngine { store.engine }
    }

    /// The clocks of each device's machine, by the index of the device.
    struct Clocks {
        let of: (Int) -> SystemClocks
    }

    var devices: [Device]
    let log: ReplicaLog
    private var generator: SplitMix
    private let seed: UInt64
    private let kinds: [RandomEdits.Kind]
    private let clocks: (Int) -> SystemClocks
    /// The devices on which a batch waits for a batch of another device.
    private var awaitingOrder: Set<Int> = []

    /// Opens copies of a formed group, or forms a new one.
    ///
    /// - Parameters:
    ///   - isFormedHere: forms a new group for this test.
    ///   - before: changes the stores before they join the group. If it is given, a new group is formed.
    init(
        deviceCount: Int, seed: UInt64, kinds: [RandomEdits.Kind], clocks: SystemClocks? = nil,
        each: Clocks? = nil, selection: ReplicaSelection = .everything,
        isFormedHere: Bool = !FormedReplicaGroup.isShared, before: ((TemporaryStore) throws -> Void)? = nil
    ) throws {
        let each = each ?? clocks.map { clocks in Clocks { _ in clocks } }
        let formed =
            isFormedHere || before != nil
            ? nil : try FormedReplicaGroup.of(deviceCount: deviceCount, clocks: each, selection: selection)
        generator = SplitMix(seed: seed)
        self.seed = seed
        self.kinds = kinds
        self.clocks = each?.of ?? { _ in .real(bootID: nil) }
        devices = []
        log = ReplicaLog(formed?.messages ?? [:])
        if let formed {
            try place(formed)
        } else {
            try form(deviceCount, selection, before)
        }
    }

    private func form(
        _ deviceCount: Int, _ selection: ReplicaSelection, _ before: ((TemporaryStore) throws -> Void)?
    ) throws {
        for _ in 0..<deviceCount {
            try addStore()
        }
        if let before {
            try devices.forEach { try before($0.store) }
        }
        devices[0].number = try devices[0].engine.createReplicaGroup(
            deviceName: ReplicaDeviceName("device 0"), selection: selection)
        for index in devices.indices.dropFirst() {
            try join(index, by: 0)
        }
        try settle()
    }

    private func place(_ group: FormedReplicaGroup) throws {
        for device in group.devices {
            add(try TemporaryStore(placing: device.files, clocks: clocks(devices.count)), number: device.number)
        }
    }

    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    // MARK: Devices

    /// Adds a store that belongs to no group yet.
    func addStore(attachmentCacheBytesMax: UInt64 = 0) throws {
        add(
            try TemporaryStore(clocks: clocks(devices.count), attachmentCacheBytesMax: attachmentCacheBytesMax),
            number: 0)
    }

    private func add(_ store: TemporaryStore, number: UInt64) {
        let edits = RandomEdits(
            store.engine, seed: seed &* 31 &+ UInt64(devices.count + 1), kinds: kinds, hasOwnIDs: true)
        devices.append(Device(store: store, edits: edits, number: number))
    }

    func invite(_ index: Int, seconds: UInt64 = 3_600) throws -> SecretBytes {
        try devices[index].engine.inviteReplicaDevice(validForSeconds: seconds).takeCode()
    }

    func join(_ index: Int, by inviter: Int) throws {
        try ask(index, try invite(inviter))
        for _ in 0..<1_000 {
            guard try status(index).state != .member else { return }
            for device in [inviter, index] {
                try publish(device)
                while try takeNext(device) {}
            }
        }
        Issue.record("device \(index) has not become a member")
    }

    func ask(_ index: Int, _ code: consuming SecretBytes) throws {
        devices[index].number = try devices[index].engine.joinReplicaGroup(
            code: code, deviceName: ReplicaDeviceName("device \(index)"))
    }

    /// Returns another store with copies of a device's files.
    func copy(_ index: Int) throws -> TemporaryStore {
        try TemporaryStore(placing: StoreSpecimen.files(of: devices[index].store))
    }

    func reader(_ index: Int) -> StoreReader { devices[index].store.reader }

    func status(_ index: Int) throws -> ReplicaStatus {
        guard let status = try reader(index).replicaStatus() else {
            throw StoreError(.internal, "the device belongs to no group")
        }
        return status
    }

    func index(of number: UInt64) -> Int? { devices.firstIndex { $0.number == number } }

    // MARK: Agents

    /// Publishes the changes of a device, which then knows that its messages are stored.
    func collect(_ index: Int) throws {
        try publish(index)
    }

    /// Publishes the outgoing messages of a device, as its agent does.
    ///
    /// - Parameter forgetsAnswers: if true, the device does not learn that its messages are stored.
    func publish(_ index: Int, forgetsAnswers: Bool = false) throws {
        for place in try status(index).outgoing {
            var stored = place.sequence
            while true {
                let messages = try take(index, place.channel, storedThrough: stored)
                for message in messages {
                    log.append(place.channel, message.sequence, message.bytes)
                }
                guard let last = messages.last, !forgetsAnswers else { break }
                stored = last.sequence
            }
        }
    }

    func take(
        _ index: Int, _ channel: ReplicaChannel, storedThrough: UInt64
    ) throws -> [ReplicaOutgoing] {
        let work = OutgoingRequest(channel: channel, storedThrough: storedThrough, bytesMax: 1 << 20)
        return try Self.take(work, from: devices[index].engine)
    }

    static func take(_ work: OutgoingRequest, from engine: StoreEngine) throws -> [ReplicaOutgoing] {
        guard case .replica(.taken(let messages)) = try engine.write(.replica(.take(work))) else {
            throw StoreError(.internal, "a take was answered as something else")
        }
        return messages
    }

    func handIn(
        _ index: Int, _ channel: ReplicaChannel, _ bytes: [UInt8], isOldestKept: Bool = false
    ) throws -> ReplicaHandedIn {
        let message = ReplicaMessage(channel: channel, bytes: bytes, isOldestKept: isOldestKept)
        return try Self.handIn(message, to: devices[index].engine)
    }

    static func handIn(_ message: ReplicaMessage, to engine: StoreEngine) throws -> ReplicaHandedIn {
        guard case .replica(.handedIn(let outcome)) = try engine.write(.replica(.handIn(message)))
        else { throw StoreError(.internal, "a message was answered as something else") }
        return outcome
    }

    /// Hands in the next message of one of the channels that a device follows.
    ///
    /// - Returns: true if a message was merged.
    func takeNext(_ index: Int, of channels: (ReplicaChannel) -> Bool = { _ in true }) throws -> Bool {
        for place in try status(index).followed.shuffled(using: &generator) where channels(place.channel) {
            guard let (bytes, isOldest) = log.next(place.channel, after: place.sequence) else { continue }
            switch try handIn(index, place.channel, bytes, isOldestKept: isOldest) {
            case .merged: return true
            case .waits(.snapshot):
                // Like the agent, also hands in the newest message, because it may contain requests.
                if let newest = log.message(place.channel, log.lastSequence(place.channel)) {
                    _ = try handIn(index, place.channel, newest)
                }
            case .waits(.otherBatch): awaitingOrder.insert(index)
            case .waits: continue
            case .refused(let refusal):
                throw StoreError(.internal, "a message of \(place.channel.text) was refused: \(refusal)")
            }
        }
        return false
    }

    // MARK: Random changes

    /// Makes random edits on the devices and delivers random batches.
    func live(rounds: Int) throws {
        for _ in 0..<rounds {
            let index = number(devices.count)
            switch number(16) {
            case 0...3: try devices[index].edits.make(1 + number(6))
            case 4...6: try publish(index, forgetsAnswers: number(4) == 0)
            case 7: try deliverAgain(to: index)
            case 8 where number(4) == 0: try restart(index)
            default: _ = try takeNext(index)
            }
        }
    }

    /// Delivers a message again that the device has merged before.
    private func deliverAgain(to place: Int) throws {
        guard let followed = try status(place).followed.randomElement(using: &generator), followed.sequence > 0,
            let bytes = log.message(followed.channel, 1 + UInt64(number(Int(followed.sequence))))
        else { return }
        let before = try content(place)
        guard case .merged(followed.sequence + 1) = try handIn(place, followed.channel, bytes) else {
            throw StoreError(.internal, "a batch that was merged before is not known")
        }
        guard try content(place) == before else {
            throw StoreError(.internal, "a batch that was merged before has changed something")
        }
    }

    func restart(_ index: Int) throws {
        try devices[index].store.reopen()
        devices[index].edits.engine = devices[index].engine
    }

    /// Lets the minute pass for which batches wait for batches of other devices.
    private func passOrderTime() throws {
        for index in awaitingOrder {
            try devices[index].engine.passOrderTime()
        }
        awaitingOrder = []
    }

    /// Publishes and delivers all messages until no device has anything to publish. A batch that waits for a batch that
    /// no device has, such as a batch of a puppet, is merged after its waiting time.
    func settle(_ indices: [Int]? = nil) throws {
        let indices = indices ?? Array(devices.indices)
        for _ in 0..<200 {
            var isQuiet = true
            for index in indices {
                try publish(index)
            }
            for index in indices {
                while try takeNext(index) {
                    isQuiet = false
                }
            }
            if isQuiet {
                guard !awaitingOrder.isEmpty else { return }
                try passOrderTime()
            }
        }
        throw StoreError(.internal, "the devices never stop to tell each other something")
    }

    /// Returns the conversations of a device in the order of its list: for each one the last message that the list
    /// shows, and its messages in order.
    func order(_ index: Int) throws -> [[String]] {
        let reader = reader(index)
        return try reader.conversations(ConversationQuery(limit: 1_000)).conversations.map { conversation in
            let query = MessageQuery(conversation: .id(conversation.id), limit: 1_000)
            return try [conversation.sessionID.text, conversation.lastMessage?.id.text ?? ""]
                + reader.messages(query).messages.map(\.id.text)
        }
    }

    func content(_ index: Int) throws -> [String] {
        try Self.content(of: devices[index].engine, device: devices[index].number)
    }

    /// Returns the content of a device, one line for each entity. The order does not depend on the order of arrival.
    /// The line of a file or directory begins with "at", the path and a zero byte. Images are replaced by their
    /// digests.
    static func content(of engine: StoreEngine, device: UInt64) throws -> [String] {
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
        for record in try engine.archived() {
            if case .filePiece(let bytes) = record {
                digest?.update(bytes)
                continue
            }
            endPieces()
            switch record {
            case .conversation(var held):
                conversation = held.sessionID.text
                held.avatar = try held.avatar.map { try AttachmentStore.digest($0).bytes }
                lines.append("\(held)")
            case .message(var held):
                message = held.id.text
                held.expiresAt = nil
                lines.append("\(conversation): \(held)")
            case .reaction(let held): lines.append("\(message): \(held)")
            case .contact(var held):
                held.avatar = try held.avatar.map { try AttachmentStore.digest($0).bytes }
                lines.append("\(held)")
            case .draft, .sceneValue: lines.append("\(record)")
            case .content(let held): pieceOwner = "\(held)"
            case .file(let held) where held.path.area.isReplicated: pieceOwner = "at \(held.path.text)\0\(held)"
            case .directory(let held) where held.path.area.isReplicated && !held.path.isRoot:
                lines.append("at \(held.path.text)\0 a directory")
            case .header, .log, .logEntry, .directory, .file, .filePiece, .removal, .footer: break
            }
        }
        endPieces()
        return lines.sorted() + (try logs(of: engine, device: device))
    }
}

extension SecretBytes {
    func copied() throws -> SecretBytes {
        try withUnsafeBytes { (bytes) throws(CryptoError) in try SecretBytes(copying: bytes) }
    }
}
