import StoreBasics
import StoreEngine

/// The identity of one watch or waiting read of an event loop.
struct FollowerKey: Hashable, Sendable {
    let connection: ConnectionID
    let requestID: UInt64
    /// A watch and a waiting read may have the same request ID.
    let isWaitingRead: Bool
    /// Distinguishes the follower from earlier ones with the same request ID on this connection.
    let number: UInt64
}

/// Finds the followers of one user that a commit concerns, without asking each of them.
struct FollowerIndex {
    /// A key under which followers are indexed. A change concerns a follower only if they have a topic in common.
    enum Topic: Hashable {
        case anyChange
        case kind(EntityKind)
        case conversation(String)
        case scene(String)
        /// The global values, which every scene without its own value uses.
        case globalScene
        case log(LogName)
        /// Messages for the store's replica group.
        case replication
    }

    private var followers: [Topic: Set<FollowerKey>] = [:]
    private var topics: [FollowerKey: [Topic]] = [:]

    var isEmpty: Bool {
        topics.isEmpty
    }

    var watchers: [FollowerKey] {
        topics.keys.filter { !$0.isWaitingRead }
    }

    mutating func insert(_ key: FollowerKey, _ listed: [Topic]) {
        remove(key)
        topics[key] = listed
        for topic in listed {
            followers[topic, default: []].insert(key)
        }
    }

    mutating func remove(_ key: FollowerKey) {
        for topic in topics.removeValue(forKey: key) ?? [] {
            followers[topic]?.remove(key)
            if followers[topic]?.isEmpty ?? false {
                followers[topic] = nil
            }
        }
    }

    /// Returns the followers that changes of these append logs concern; `nil` stands for any log.
    func concerned(by logs: [LogName]?) -> [FollowerKey] {
        let listed: [Topic]
        if let logs {
            listed = logs.map { .log($0) }
        } else {
            listed = followers.keys.filter { if case .log = $0 { true } else { false } }
        }
        return Array(listed.reduce(into: Set<FollowerKey>()) { $0.formUnion(followers[$1] ?? []) })
    }

    /// The followers that wait for messages for the store's replica group.
    var concernedByReplication: [FollowerKey] {
        Array(followers[.replication] ?? [])
    }

    /// Returns the followers that a commit concerns, each once. A commit that clears the store concerns all watches.
    func concerned(by topics: CommitTopics) -> [FollowerKey] {
        guard !topics.isOfAll else { return watchers }
        var keys = followers[.anyChange] ?? []
        if topics.topics.count < followers.count {
            for topic in topics.topics {
                keys.formUnion(followers[topic] ?? [])
            }
        } else {
            for (topic, listed) in followers where topics.topics.contains(topic) {
                keys.formUnion(listed)
            }
        }
        return Array(keys)
    }
}

/// The topics of one commit, computed once for all followers.
struct CommitTopics: Sendable {
    fileprivate var topics: Set<FollowerIndex.Topic> = []
    /// True for a commit that clears the whole store. It concerns every watcher.
    fileprivate var isOfAll = false

    init(_ changes: [Change]) {
        for change in changes {
            topics.insert(.kind(change.kind))
            switch change.kind {
            case .store: isOfAll = true
            case .conversation, .draft: topics.insert(.conversation(change.id))
            case .message, .reaction, .member: topics.insert(.conversation(change.parent))
            case .sceneValue: topics.insert(change.parent.isEmpty ? .globalScene : .scene(change.parent))
            case .contact, .log, .file: break
            }
        }
    }
}

extension ChangeFilter {
    /// The topics under which a watch with this filter is indexed.
    var topics: [FollowerIndex.Topic] {
        if let scene {
            return [.scene(scene), .globalScene]
        }
        if let conversationID {
            return [.conversation(conversationID)]
        }
        return kinds.isEmpty ? [.anyChange] : kinds.map { .kind($0) }
    }
}
