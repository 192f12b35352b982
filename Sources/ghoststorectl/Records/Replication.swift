import StoreBasics
import StoreClient

/// A row for a device of the replica group: this store's own device or another one.
struct ReplicaRow {
    let id: ReplicaDeviceID
    let name: String
    /// The status, only for this store's own device.
    let own: ReplicaStatus?
    /// The device, only if it is another one.
    let other: ReplicaDevice?
    /// Why this store and the other device are not in step; `nil` if they are, and for removed devices.
    let lag: String?

    static func rows(of status: ReplicaStatus) -> [ReplicaRow] {
        let own = ReplicaRow(id: status.device, name: status.deviceName, own: status, other: nil, lag: nil)
        return [own]
            + status.devices.map {
                ReplicaRow(id: $0.id, name: $0.name, own: nil, other: $0, lag: status.lag(of: $0))
            }
    }

    /// True if the other device is a member of the group.
    private var isMember: Bool { other.map { $0.removedThrough == nil } ?? false }

    /// The state in one word: the store's state in the group, or the fault that stops messages of the device.
    var state: String {
        if let own {
            return own.state.rawValue
        }
        if let fault = other?.fault {
            return fault.rawValue
        }
        return other?.removedThrough == nil ? "member" : "removed"
    }

    private var stateEmphasis: Style? {
        switch own?.state {
        case .removed, .changed: return .red
        case .joining, .receiving: return .yellow
        case .member, .unknown: return nil
        case nil: break
        }
        if other?.fault != nil {
            return .red
        }
        return other?.removedThrough == nil ? nil : .dim
    }

    /// The last sequence number that this store created, or that was merged here from the other device.
    private var sequence: UInt64 {
        own?.lastSequence ?? other?.mergedSequence ?? 0
    }

    private var waiting: String {
        guard let own else {
            guard let other, other.missingSince != nil else { return "" }
            let count = other.knownSequence - min(other.mergedSequence, other.knownSequence)
            return "misses \(Quantity.count(count, "message"))"
        }
        let messages =
            own.waitingCount == 0
            ? nil : "\(Quantity.count(own.waitingCount, "message")), \(Quantity.bytes(own.waitingBytes))"
        let changes =
            own.uncollectedRevisions == 0 ? nil : Quantity.count(own.uncollectedRevisions, "change")
        return [messages, changes].compactMap { $0 }.joined(separator: ", ")
    }
}

extension ReplicaRow: Tabular, Described {
    static let description = JSONFields<ReplicaRow>(
        name: "device",
        [
            .field("device", \.id.description), .field("name", \.name), .field("is_own") { $0.own != nil },
            .field("state") { $0.state.lowercased() }, .field("sequence", \.sequence),
            .field("is_in_step", ifPresent: { $0.isMember ? $0.lag == nil : nil }),
            .field("merged_at_microseconds", ifPresent: \.other?.mergedAt),
            .field("held_sequence", ifPresent: \.other?.heldSequence),
            .field("held_at_microseconds", ifPresent: \.other?.heldAt),
            .field("ahead_milliseconds", ifPresent: \.other?.aheadMilliseconds),
            .field("behind_milliseconds", ifPresent: \.other?.behindMilliseconds),
            .field("known_sequence", ifPresent: \.other?.knownSequence),
            .field("missing_since_microseconds", ifPresent: \.other?.missingSince),
            .field("asked_device", ifPresent: \.other?.askedDevice?.description),
            .field("stored_through", ifPresent: \.own?.storedThrough),
            .field("waiting_messages", ifPresent: \.own?.waitingCount),
            .field("waiting_bytes", ifPresent: \.own?.waitingBytes),
            .field("uncollected_revisions", ifPresent: \.own?.uncollectedRevisions),
            .field("lost_edits", ifPresent: \.own?.lostEditCount),
        ])

    static let table: [TableColumn<ReplicaRow>] = [
        .init(.text("name", columnsMin: 12, worth: 9), \.name), .init(.fixed("device", worth: 3), \.id.description),
        .init(.fixed("state", worth: 8)) { Table.Cell($0.state, $0.stateEmphasis) },
        .init(.text("in step", columnsMin: 7, columnsWanted: 24, worth: 9)) { $0.isMember ? $0.lag ?? "yes" : "" },
        .init(.number("batches", worth: 6), \.sequence), .init(.fixed("last heard", worth: 5), \.other?.mergedAt),
        .init(.number("holds", worth: 5)) { $0.other?.heldAt == nil ? "" : String($0.other?.heldSequence ?? 0) },
        .init(.fixed("as of", worth: 2), \.other?.heldAt),
        .init(.text("waits", columnsMin: 10, worth: 4), \.waiting),
    ]
}

extension ReplicaStatus {
    /// Returns why this store and another device are not in step; `nil` if each has all changes of the other that this
    /// store knows of.
    func lag(of device: ReplicaDevice) -> String? {
        guard device.removedThrough == nil else { return nil }
        let lacks = [
            device.heldSequence < lastChangeSequence || uncollectedRevisions > 0 ? "lacks changes of this device" : nil,
            device.mergedSequence < device.knownSequence || device.fault != nil ? "its changes are missing here" : nil,
            device.mergedAt == nil && device.fault == nil ? "nothing of it is here yet" : nil,
        ]
        let reasons = lacks.compactMap { $0 }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// The number of lost edits and how to see them; `nil` if there is none.
    var lostEdits: String? {
        guard lostEditCount > 0 else { return nil }
        let edits = Quantity.count(lostEditCount, "edit")
        return "\(edits) lost against later changes of other devices; hint: ghoststorectl replication lost-edits"
    }

    /// The names of the devices with which this store is not in step.
    var devicesOutOfStep: [String] { devices.filter { lag(of: $0) != nil }.map(\.name) }

    /// Returns the other device with this name or number.
    func device(named text: String) throws(CommandFailure) -> ReplicaDevice {
        if let id = ReplicaDeviceID(text), let found = devices.first(where: { $0.id == id }) {
            return found
        }
        let named = devices.filter { $0.name == text && $0.removedThrough == nil }
        let isOwnName = deviceName == text
        guard named.count + (isOwnName ? 1 : 0) < 2 else {
            let numbers = (isOwnName ? ["\(device) (this device)"] : []) + named.map(\.id.description)
            throw CommandFailure(
                .usage,
                """
                several devices have the name \(text); hint: use a number instead: \(numbers.joined(separator: ", "))
                """)
        }
        guard !isOwnName, device != ReplicaDeviceID(text) else {
            throw CommandFailure(
                .usage,
                """
                \(text) is this device; it cannot be removed here, but it can leave; hint: ghoststorectl help \
                replication leave
                """)
        }
        guard let found = named.first else {
            throw CommandFailure(
                .notFound, "there is no such device: \(text); hint: ghoststorectl replication status",
                answer: ("NOT_FOUND", StoreClientError.Reason.replicaDeviceNotFound.rawValue))
        }
        return found
    }

    /// The end of the question whether to clear a store that belongs to a group.
    var clearQuestion: String {
        let others = devices.count { $0.removedThrough == nil }
        let keep = others == 0 ? "" : " \(Quantity.count(others, "other device")) of the group will keep everything."
        return ", and leave the replica group?" + keep
    }

    /// The advice for the other devices after this device has left; empty if no other device knows this one.
    var farewell: String {
        switch state {
        case .joining, .removed: return ""
        case .receiving, .member, .changed, .unknown: break
        }
        guard devices.contains(where: { $0.removedThrough == nil }) else { return "" }
        return "; the other devices are not notified that this device left: remove \(device) on one of them"
    }

    /// Sentences about names that several devices have.
    private var namesakes: [String] {
        let all = [(deviceName, device)] + devices.filter { $0.removedThrough == nil }.map { ($0.name, $0.id) }
        return Dictionary(grouping: all, by: \.0).filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map {
            let numbers = $0.value.map(\.1.description).joined(separator: ", ")
            return "several devices have the name \($0.key); hint: in commands, use their numbers: \(numbers)"
        }
    }

    /// The event that this store waits for, and what to do if it does not happen. The store cannot detect that the
    /// event will not happen: it receives no message if it is not admitted, and the device it has asked may be offline.
    var hope: String? {
        switch state {
        case .joining:
            """
            this store waits until the device that created the code admits this store; hint: ghoststore-sync must run \
            on both devices; if the code has expired or another device has used it, leave the group, and join it with \
            a new code
            """
        case .receiving:
            """
            this store is receiving the data of the group; hint: ghoststore-sync must run on this device and on \
            another one
            """
        case .member where followed.contains { $0.channel.hasPrefix("snapshot.") }:
            """
            messages that this device needs are missing in the stream, so it waits for all data of another device; its \
            own data is not lost; hint: ghoststore-sync must run on this device and on one of the others
            """
        case .member, .removed, .changed, .unknown: nil
        }
    }

    /// Returns why messages of a device are missing here, which device was asked for them, and what helps.
    private func missingAdvice(_ device: ReplicaDevice) -> String {
        let asked = device.askedDevice.map { id in devices.first { $0.id == id }?.name ?? id.description }
        return "this store lacks changes of \(device.name): the stream has lost them or does not deliver them"
            + (asked.map { "; this store has asked \($0) for them" } ?? "")
            + "; hint: ghoststore-sync must run on \(device.name) and on this device"
    }

    /// The actions that a person must take, a sentence each.
    var advice: [String] {
        var advice: [String] = []
        switch state {
        case .removed:
            advice.append(
                "another device has removed this one; hint: leave the group, and join it again with a new code")
        case .changed:
            advice.append(
                "a backup was restored, so this store is another device now; hint: leave the group, and join it "
                    + "again with a new code")
        case .joining, .receiving, .member, .unknown:
            break
        }
        advice += namesakes
        for device in devices where device.removedThrough == nil {
            if let fault = device.fault {
                advice.append(
                    """
                    this device accepts no more sealed messages from \(device.name) (\(fault.rawValue)): \
                    \(fault.advice(device))
                    """)
            }
            if device.missingSince != nil {
                advice.append(missingAdvice(device))
            }
            if device.aheadMilliseconds > 0 {
                let ahead = Quantity.duration(milliseconds: device.aheadMilliseconds)
                advice.append(
                    """
                    the clock of \(device.name) is \(ahead) ahead of the clock of this device; hint: check both clocks
                    """)
            }
            if device.behindMilliseconds > 0 {
                let behind = Quantity.duration(milliseconds: device.behindMilliseconds)
                advice.append(
                    """
                    the clock of this device is \(behind) ahead of the time that \(device.name) last reported, so \
                    keep_for deletes messages on this device that much later; hint: check both clocks
                    """)
            }
        }
        return advice
    }
}

extension ReplicaReason {
    /// Returns the advice about a device whose messages are not accepted any more.
    fileprivate func advice(_ device: ReplicaDevice) -> String {
        switch self {
        case .forked:
            """
            its store was copied, and both copies act as one device; hint: leave the group on both copies, remove \
            \(device.id) here, and let each copy join again
            """
        case .laterVersion:
            "that device has a later version of ghoststore; hint: upgrade ghoststore here"
        default:
            """
            its messages are damaged or come from another device; hint: remove \(device.id), and let that device \
            join again
            """
        }
    }
}
