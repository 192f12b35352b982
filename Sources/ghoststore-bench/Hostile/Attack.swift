import FoundationEssentials
import StoreProtocol

/// The worst that one caller can do of one kind, with the rights of `HostileUsers.rule`.
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

    var summary: String {
        switch self {
        case .tinyEntries: "8 connections save 1,000 tiny messages at a time"
        case .filteredLists: "60 connections list 40,000 messages through a filter of 16 kB that none passes"
        case .unreadAnswers: "300 connections ask for 4 MiB lists and read nothing"
        case .halfFrames: "300 connections announce 16 MiB and send 4 bytes"
        case .halfLargeFrames: "300 connections send 1 MiB of 16"
        case .watches: "128 connections with 64 watches each, and saves of 1,000 messages"
        case .logWaits: "200 connections with 64 waiting reads each, and appends"
        case .deepValues: "8 connections set 7 MiB of scene values 30 levels deep"
        case .idempotencyKeys: "8 connections append with ever new idempotency keys"
        case .markRead: "300,000 unread messages, marked read in one call, and saved again"
        case .connections: "as many connections as there are, idle, opened again when closed"
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
        case .connections: 5_000
        }
    }

    var readsAnswers: Bool {
        self != .unreadAnswers
    }

    /// Requests that are answered before the attack begins.
    func preparation() throws(BenchError) -> [[UInt8]] {
        switch self {
        case .filteredLists:
            try (0..<4).map { _ throws(BenchError) in try HostileFrames.saves(1_000, textBytes: 20) }
        case .unreadAnswers:
            [try HostileFrames.saves(110, textBytes: 40_000)]
        case .logWaits, .idempotencyKeys:
            [
                try WireRequest.frame(id: RequestIDs.first) { request in
                    request.openLog.name = HostileUsers.log
                    request.openLog.maximumBytes = 64 << 20
                    request.openLog.overwritesOldest = true
                }
            ]
        case .markRead:
            try (0..<30).map { _ throws(BenchError) in try HostileFrames.saves(1_000, textBytes: 1) }
        case .tinyEntries, .halfFrames, .halfLargeFrames, .watches, .deepValues, .connections: []
        }
    }

    /// What one connection sends.
    func script(connection: Int) throws(BenchError) -> HostileScript {
        switch self {
        case .tinyEntries:
            return .repeated([try HostileFrames.saves(1_000, textBytes: 0)])
        case .filteredLists:
            return .repeated([try HostileFrames.filteredList()])
        case .unreadAnswers:
            return .once(try (0..<8).map { _ throws(BenchError) in try HostileFrames.list() })
        case .halfFrames:
            return .once([[0, 0xff, 0xff, 0xff]])
        case .halfLargeFrames:
            return .once([[0, 0xff, 0xff, 0xff] + [UInt8](repeating: 0, count: 1 << 20)])
        case .watches where connection == 0:
            return .repeated([try HostileFrames.saves(1_000, textBytes: 1)])
        case .watches:
            return .once(
                try (0..<64 as Range<UInt32>).map { index throws(BenchError) in
                    try WireRequest.frame(id: RequestIDs.first + index) { $0.watch = WireWatchRequest() }
                })
        case .logWaits where connection == 0:
            return .repeated([try HostileFrames.append(key: nil)])
        case .logWaits:
            return .repeated(
                try (0..<64 as Range<UInt32>).map { index throws(BenchError) in
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
            var frames = [try HostileFrames.markRead()]
            for _ in 0..<10 {
                frames.append(try HostileFrames.saves(1_000, textBytes: 1))
            }
            return .repeated(frames)
        case .connections:
            return .once([])
        }
    }
}

/// The frames a hostile connection sends; it sends as fast as they are taken.
enum HostileScript {
    case once([[UInt8]])
    case repeated([[UInt8]])
    case made((Int) throws(BenchError) -> [UInt8])

    /// `nil` after the last one.
    func frame(_ number: Int) throws(BenchError) -> [UInt8]? {
        switch self {
        case .once(let frames): number < frames.count ? frames[number] : nil
        case .repeated(let frames): frames[number % frames.count]
        case .made(let make): try make(number)
        }
    }
}

/// Who takes part.
enum HostileUsers {
    static let attacker: UInt32 = 64_990
    static let victim: UInt32 = 64_991
    static let log = "hostile.log"
    static let rules =
        "user:\(attacker) messages:readwrite,conversations:write,changes:read,scenes:readwrite:hostile.*,"
        + "logs:readwrite:hostile.*;user:\(victim) messages:readwrite"
}

/// Requests of hostile callers.
enum HostileFrames {
    private static let sessionID = "hostile"

    static func saves(_ count: Int, textBytes: Int) throws(BenchError) -> [UInt8] {
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

    /// 7 values of nearly 1 MiB each, in arrays of one element.
    static func deepValues() throws(BenchError) -> [UInt8] {
        var value = WireSceneValue()
        value.data = Data(repeating: 7, count: (1 << 20) - 400)
        for _ in 0..<30 {
            let inner = value
            value = WireSceneValue()
            value.array.values = [inner]
        }
        return try WireRequest.frame(id: RequestIDs.first) { request in
            request.setSceneValues.scene = "hostile.scene"
            request.setSceneValues.changes = (0..<7).map { index in
                var change = WireSceneChange()
                change.key = "k\(index)"
                change.value = value
                return change
            }
        }
    }
}
