import ReplicaModel

/// The work of one channel, which gets a task while there is room.
enum ChannelWork: Hashable, Sendable {
    case outgoing(ReplicaChannel)
    case followed(ReplicaChannel)

    /// The priority of the channel, 0 first. To take part at all, a device needs its own channel and the channels of
    /// joining devices, which are few. Another device may invent any number of members, so followed devices come later.
    /// Snapshots can come last, because followed devices never occupy the reserved tasks. A task becomes free again
    /// when its snapshot ends.
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

/// The choice of the channels that get a task if there are more channels than tasks. A value without I/O.
struct ChannelRoom {
    let channelsMax: Int

    /// The number of tasks that are reserved for channels that exist only for a while. Followed devices may not occupy
    /// them, because a device is followed as long as the group exists.
    private var reserved: Int { min(16, channelsMax / 4) }

    /// Assigns tasks to channels that are not running yet.
    ///
    /// - Parameter wanted: the channels in the daemon's status, in any order.
    /// - Returns: the channels to start, in order, and the number of channels that must wait.
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
    /// A text by which channels of equal priority are ordered, so that the same ones come first at every start.
    fileprivate var text: String {
        switch self {
        case .outgoing(let channel), .followed(let channel): channel.text
        }
    }
}
