import StoreBasics

/// The batches of a device that are missing here, and the device that was asked for them.
struct ReplicaArrears {
    /// The sequence of the device's last batch, as others reported it.
    var toldSequence: UInt64 = 0
    /// When others first reported a batch that is not merged here.
    var toldAt: Timestamp?
    var teller: UInt64?
    /// The time since which a batch waits for its key.
    var keyAwaitedSince: Timestamp?
    /// The device that was asked last; `nil` if no device was asked for what is missing now.
    var askedDevice: UInt64?
    var askedAt: Timestamp?
}

extension ReplicaMember {
    /// Records that batches of this device are merged up to a sequence. None of them waits for a key any more.
    mutating func setPlace(_ sequence: UInt64, _ hash: [UInt8]) {
        mergedSequence = sequence
        mergedHash = hash
        isGapped = false
        isRoundOver = false
        arrears.keyAwaitedSince = nil
    }

    /// Records the last batch of this device as another device reported it.
    ///
    /// - Returns: Whether the sequence is greater than what is merged here and what was reported before.
    mutating func noteTold(_ sequence: UInt64, by teller: UInt64, at now: Timestamp) -> Bool {
        let told = min(sequence, removedThrough ?? .max)
        let isBehind = arrears.toldSequence > mergedSequence
        guard told > mergedSequence, told > arrears.toldSequence || !isBehind else { return false }
        arrears.toldSequence = told
        if !isBehind {
            arrears.toldAt = now
            arrears.askedDevice = nil
        }
        arrears.teller = teller
        return true
    }

    /// Records that a batch of the device shows that the stream has lost earlier ones.
    ///
    /// - Returns: Whether that was not known.
    mutating func noteGap(before sequence: UInt64, at now: Timestamp) -> Bool {
        let isNew = !isGapped
        if isNew {
            isGapped = true
            arrears.askedDevice = nil
        }
        return noteTold(sequence, by: device, at: now) || isNew
    }

    /// Returns the time since which batches of the device have been known to be missing; `nil` if none is missing, or
    /// if they may be on their way.
    func missingSince(now: Timestamp) -> Timestamp? {
        guard min(arrears.toldSequence, removedThrough ?? .max) > mergedSequence, let toldAt = arrears.toldAt else {
            return nil
        }
        let isBehind =
            ReplicaTimes.hasPassed(ReplicaTimes.behind, since: toldAt, now: now)
            && mergedAt.map { ReplicaTimes.hasPassed(ReplicaTimes.behind, since: $0, now: now) } ?? true
        return isGapped || isBehind ? toldAt : nil
    }
}
