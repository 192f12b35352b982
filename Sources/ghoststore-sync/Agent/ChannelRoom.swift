import ReplicaModel

/// A channel that has a task while there is room for one.
enum ChannelWork: Hashable, Sendable {
    case outgoing(ReplicaChannel)
    case followed(ReplicaChannel)

    /// What a device needs to take part at all comes first: what it says itself and who wants to join, which are few.
    /// Another device may invent members. Snapshots end by themselves, and the one that is waited for has no end in
    /// sight before it was followed.
    fileprivate var rank: Int {
        switch self {
        case .outgoing(.device): 0
        case .outgoing(.joinRequest), .outgoing(.joinWelcome), .followed(.joinRequest), .followed(.joinWelcome): 1
        case .followed(.device): 2
        case .followed(.snapshot): 3
        case .outgoing(.snapshot): 4
        }
    }

    fileprivate var isFollowedDevice: Bool {
        if case .followed(.device) = self { true } else { false }
    }
}

/// Which channels get a task where there are more than there is room for. A value without I/O.
struct ChannelRoom {
    let channelsMax: Int

    /// Kept free by devices that are followed, which go on for as long as the group, for what comes and goes.
    private var reserved: Int { min(16, channelsMax / 4) }

    /// - Parameter wanted: what the daemon names, in any order.
    /// - Returns: what is to be started, the first first, and how many have to wait.
    func assign(_ wanted: [ChannelWork], running: Set<ChannelWork>) -> (started: [ChannelWork], waitingCount: Int) {
        var devices = running.count(where: \.isFollowedDevice)
        var started: [ChannelWork] = []
        let new = Set(wanted).subtracting(running)
        for work in new.sorted(by: { ($0.rank, $0.text) < ($1.rank, $1.text) }) {
            guard running.count + started.count < channelsMax else { break }
            if work.isFollowedDevice {
                guard devices < channelsMax - reserved else { continue }
                devices += 1
            }
            started.append(work)
        }
        return (started, new.count - started.count)
    }
}

extension ChannelWork {
    /// So that the same ones go first at every start.
    fileprivate var text: String {
        switch self {
        case .outgoing(let channel), .followed(let channel): channel.text
        }
    }
}
