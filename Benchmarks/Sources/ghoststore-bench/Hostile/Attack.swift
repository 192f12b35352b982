import FoundationEssentials
import Glibc
import StoreClient
import StoreProtocol

/// The attacks. Each is the worst of its kind that is possible with the rights in `HostileUsers.rules`.
enum Attack: String, CaseIterable, Codable {
    case tinyEntries = "tiny-entries"
    case filteredLists = "filtered-lists"
    case unreadAnswers = "unread-answers"
    case halfFrames = "half-frames"
    case halfLargeFrames = "half-large-frames"
    case watches
    case logWaits = "log-waits"
    case deepValues = "deep-values"
    case idempotencyKeys = "idempotency-keys"
    case markRead = "mark-read"
    case connections
    case largeSaves = "large-saves"
    case busyProcessors = "busy-processors"

    var summary: String {
        switch self {
        case .tinyEntries: "\(connectionsText) save \(Self.text(HostileFrames.savedAtOnce)) tiny messages at a time"
        case .filteredLists:
            "\(connectionsText) list \(preparedText) messages through a filter of 16 kB that matches none"
        case .unreadAnswers: "\(connectionsText) ask for 4 MiB lists and read nothing"
        case .halfFrames: "\(connectionsText) announce 16 MiB and send 4 bytes"
        case .halfLargeFrames: "\(connectionsText) send 1 MiB of 16"
        case .watches:
            "\(connectionsText) with \(Self.waitingPerConnection) watches each, and saves of "
                + "\(Self.text(HostileFrames.savedAtOnce)) messages"
        case .logWaits: "\(connectionsText) with \(Self.waitingPerConnection) waiting reads each, and appends"
        case .deepValues:
            "\(connectionsText) set \(HostileFrames.deepValueCount) MiB of scene values "
                + "\(HostileFrames.deepValueLevels) levels deep"
        case .idempotencyKeys: "\(connectionsText) append with a new idempotency key each time"
        case .markRead:
            "\(preparedText) unread messages, marked read in one call, again and again with "
                + "\(Self.text(Self.savesBetweenMarks * HostileFrames.savedAtOnce)) new ones between"
        case .connections: "\(connectionsText), more than the daemon accepts, stay idle and reconnect when closed"
        case .largeSaves:
            "\(processCount) users with \(connectionCount) connections each save "
                + "\(HostileFrames.largeTexts) MiB at a time"
        case .busyProcessors:
            "no attack, but a reference for the others: an empty loop on each processor and no requests"
        }
    }

    private var connectionsText: String {
        "\(Self.text(connectionCount)) connections"
    }

    private var preparedText: String {
        Self.text(preparedMessages)
    }

    private static func text(_ count: Int) -> String {
        Numbers.grouped(Double(count))
    }

    private static let waitingPerConnection = 64
    private static let savesBetweenMarks = 100

    /// The number of messages in the store when the attack begins.
    private var preparedMessages: Int {
        switch self {
        case .filteredLists: 40_000
        case .markRead: 300_000
        // These messages have 40 kB each, so a list of all of them has 4 MiB.
        case .unreadAnswers: 110
        case .tinyEntries, .halfFrames, .halfLargeFrames, .watches, .logWaits, .deepValues, .idempotencyKeys,
            .connections, .largeSaves, .busyProcessors:
            0
        }
    }

    var connectionCount: Int {
        switch self {
        case .tinyEntries, .deepValues, .idempotencyKeys: 8
        case .filteredLists: 60
        case .unreadAnswers, .halfFrames, .halfLargeFrames: 300
        case .watches: 128
        case .logWaits: 200
        case .markRead: 1
        case .largeSaves: 4
        case .connections: 5_000
        case .busyProcessors: 0
        }
    }

    /// The number of programs that carry out the attack.
    var processCount: Int {
        switch self {
        case .busyProcessors: sysconf(Int32(_SC_NPROCESSORS_ONLN))
        case .largeSaves: HostileUsers.attackers.count
        default: 1
        }
    }

    var readsAnswers: Bool {
        self != .unreadAnswers
    }

    /// Returns the requests that are made and answered before the attack begins.
    func preparation() throws(BenchError) -> [[UInt8]] {
        switch self {
        case .filteredLists: try prepared(textBytes: 20)
        case .unreadAnswers: try prepared(textBytes: 40_000)
        case .logWaits, .idempotencyKeys:
            [
                try WireRequest.frame(id: RequestIDs.first) { request in
                    request.openLog.name = HostileUsers.log
                    request.openLog.maximumBytes = 64 << 20
                    request.openLog.overwritesOldest = true
                }
            ]
        case .markRead: try prepared(textBytes: 1)
        case .tinyEntries, .halfFrames, .halfLargeFrames, .watches, .deepValues, .connections, .largeSaves,
            .busyProcessors:
            []
        }
    }

    private func prepared(textBytes: Int) throws(BenchError) -> [[UInt8]] {
        try stride(from: 0, to: preparedMessages, by: HostileFrames.savedAtOnce).map { saved throws(BenchError) in
            try HostileFrames.saves(min(HostileFrames.savedAtOnce, preparedMessages - saved), textBytes: textBytes)
        }
    }

    /// Returns what one connection sends.
    func script(connection: Int) throws(BenchError) -> HostileScript {
        switch self {
        case .tinyEntries:
            return .repeated([try HostileFrames.saves(textBytes: 0)])
        case .filteredLists:
            return .repeated([try HostileFrames.filteredList()])
        case .unreadAnswers:
            return .once(try (0..<8).map { _ throws(BenchError) in try HostileFrames.list() })
        case .halfFrames:
            return .once([[0, 0xff, 0xff, 0xff]])
        case .halfLargeFrames:
            return .once([[0, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 1 << 20)])
        case .watches where connection == 0:
            return .repeated([try HostileFrames.saves(textBytes: 1)])
        case .watches:
            return .once(
                try (0..<UInt32(Self.waitingPerConnection)).map { index throws(BenchError) in
                    try WireRequest.frame(id: RequestIDs.first + index) { $0.watch = WireWatchRequest() }
                })
        case .logWaits where connection == 0:
            return .repeated([try HostileFrames.append(key: nil)])
        case .logWaits:
            return .repeated(
                try (0..<UInt32(Self.waitingPerConnection)).map { index throws(BenchError) in
                    try WireRequest.frame(id: RequestIDs.first + index) { request in
                        request.readLog.name = HostileUsers.log
                        request.readLog.afterSequence = 1 << 40
                        request.readLog.waitMilliseconds = 60_000
                    }
                })
        case .deepValues:
            return .repeated([try HostileFrames.deepValues()])
        case .idempotencyKeys:
            return .made { number throws(BenchError) in
                try HostileFrames.append(key: "hostile-\(connection)-\(number)")
            }
        case .markRead:
            let saves = Array(repeating: try HostileFrames.saves(textBytes: 1), count: Self.savesBetweenMarks)
            return .repeated([try HostileFrames.markRead()] + saves)
        case .largeSaves:
            return .repeated([try HostileFrames.saves(HostileFrames.largeTexts, textBytes: 1 << 20)])
        case .connections, .busyProcessors:
            return .once([])
        }
    }
}

/// The frames of a hostile connection, which sends them as fast as the daemon accepts them.
enum HostileScript {
    case once([[UInt8]])
    case repeated([[UInt8]])
    case made((Int) throws(BenchError) -> [UInt8])

    /// Returns the frame with this number, or `nil` after the last one.
    func frame(_ number: Int) throws(BenchError) -> [UInt8]? {
        switch self {
        case .once(let frames): number < frames.count ? frames[number] : nil
        case .repeated(let frames): frames[number % frames.count]
        case .made(let make): try make(number)
        }
    }
}

enum HostileUsers {
    /// The users that attack. Most attacks come from the first user alone.
    static let attackers: [UInt32] = [64_990, 64_992, 64_993, 64_994]
    static let victim: UInt32 = 64_991
    static let log = "hostile.log"
    static let rules =
        attackers.map { attacker in
            "user:\(attacker) messages:readwrite,conversations:write,changes:read,scenes:readwrite:hostile.*,"
                + "logs:readwrite:hostile.*;"
        }.joined() + "user:\(victim) messages:readwrite"
}

enum HostileFrames {
    private static let sessionID = "hostile"
    /// The largest number of entries that the daemon accepts in one call.
    static let savedAtOnce = StoreClient.entriesPerRequestMax
    static let largeTexts = 7
    static let deepValueCount = 7
    static let deepValueLevels = 30

    static func saves(_ count: Int = savedAtOnce, textBytes: Int) throws(BenchError) -> [UInt8] {
        var message = WireNewMessage()
        message.conversation.sessionID = sessionID
        message.text = String(repeating: "x", count: textBytes)
        return try WireRequest.frame(id: RequestIDs.first) { request in
            request.saveMessages.messages = Array(repeating: message, count: count)
        }
    }

    static func list() throws(BenchError) -> [UInt8] {
        try WireRequest.frame(id: RequestIDs.first) { request in
            request.listMessages.conversation.sessionID = sessionID
            request.listMessages.limit = 1_000
        }
    }

    static func filteredList() throws(BenchError) -> [UInt8] {
        try WireRequest.frame(id: RequestIDs.first) { request in
            request.listMessages.conversation.sessionID = sessionID
            request.listMessages.limit = 1_000
            request.listMessages.senderSessionID = String(repeating: "y", count: 16_000)
        }
    }

    static func append(key: String?) throws(BenchError) -> [UInt8] {
        try WireRequest.frame(id: RequestIDs.first) { request in
            request.appendLog.name = HostileUsers.log
            request.appendLog.messages = [Data([1])]
            request.idempotencyKey = Data((key ?? "").utf8)
        }
    }

    static func markRead() throws(BenchError) -> [UInt8] {
        try WireRequest.frame(id: RequestIDs.first) { $0.markConversationRead.conversation.sessionID = sessionID }
    }

    /// Returns a request that sets values of almost 1 MiB each. Each value is nested in `deepValueLevels` arrays of one
    /// element.
    static func deepValues() throws(BenchError) -> [UInt8] {
        var value = WireSceneValue()
        value.data = Data(repeating: 7, count: (1 << 20) - 400)
        for _ in 0..<deepValueLevels {
            let inner = value
            value = WireSceneValue()
            value.array.values = [inner]
        }
        return try WireRequest.frame(id: RequestIDs.first) { request in
            request.setSceneValues.scene = "hostile.scene"
            request.setSceneValues.changes = (0..<deepValueCount).map { index in
                var change = WireSceneChange()
                change.key = "k\(index)"
                change.value = value
                return change
            }
        }
    }
}
