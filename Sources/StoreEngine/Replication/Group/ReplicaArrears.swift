import StoreBasics

/// The batches of a device that are missing here, and the device that was asked for them.
struct ReplicaArrears {
    /// The sequence of the device's last batch, as other devices reported it.
    var reportedSequence: UInt64 = 0
    /// When another device first reported a batch that is not merged here.
    var reportedAt: Timestamp?
    var reporter: UInt64?
    /// The time since which a batch waits for its key.
    var keyAwaitedSince: Timestamp?
    /// The device that was asked last; `nil` if no device was asked for what is missing now.
    var askedDevice: UInt64?
    var askedAt: Timestamp?
    /// The time since which batches of other devices have waited for batches of this device; `nil` once all reported
    /// batches are merged.
    var orderAwaitedSince: Timestamp?
}

extension ReplicaMember {
    /// Records that batches of this device are merged up to a sequence. None of them waits for a key any more.
    mutating func setPlace(_ sequence: UInt64, _ hash: [UInt8]) {
        mergedSequence = sequence
        mergedHash = hash
        isGapped = false
        isRoundOver = false
        arrears.keyAwaitedSince = nil
        if sequence >= arrears.reportedSequence {
            arrears.orderAwaitedSince = nil
        }
    }

    /// Records the last batch of this device as another device reported it.
    ///
    /// - Returns: True if the sequence is greater than what is merged here and what was reported before.
    mutating func recordReportedSequence(_ sequence: UInt64, by reporter: UInt64, at now: Timestamp) -> Bool {
        let reported = min(sequence, removedThrough ?? .max)
        let isBehind = arrears.reportedSequence > mergedSequence
        guard reported > mergedSequence, reported > arrears.reportedSequence || !isBehind else { return false }
        arrears.reportedSequence = reported
        if !isBehind {
            arrears.reportedAt = now
            arrears.askedDevice = nil
        }
        arrears.reporter = reporter
        return true
    }

    /// Records that a batch of the device shows that the stream has lost earlier ones.
    ///
    /// - Returns: True if the loss or the sequence was not known before.
    mutating func recordGap(before sequence: UInt64, at now: Timestamp) -> Bool {
        let isNew = !isGapped
        if isNew {
            isGapped = true
            arrears.askedDevice = nil
        }
        return recordReportedSequence(sequence, by: device, at: now) || isNew
    }

    /// Returns the time since which batches of the device have been known to be missing; `nil` if none is missing, or
    /// if they may be on their way.
    func missingSince(now: Timestamp) -> Timestamp? {
        guard min(arrears.reportedSequence, removedThrough ?? .max) > mergedSequence,
            let reportedAt = arrears.reportedAt
        else { return nil }
        let isBehind =
            ReplicaTimes.hasPassed(ReplicaTimes.behind, since: reportedAt, now: now)
            && mergedAt.map { ReplicaTimes.hasPassed(ReplicaTimes.behind, since: $0, now: now) } ?? true
        return isGapped || isBehind ? reportedAt : nil
    }
}
