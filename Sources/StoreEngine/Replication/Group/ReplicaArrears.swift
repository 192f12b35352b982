import StoreBasics

/// What is missing of a device's batches, and who was asked for it.
struct ReplicaArrears {
    /// Up to where they go, as others have told.
    var toldSequence: UInt64 = 0
    /// When that was told first of what is not merged here.
    var toldAt: Timestamp?
    var teller: UInt64?
    /// Since when a batch waits for its key.
    var keyAwaitedSince: Timestamp?
    /// Who was asked last; `nil` where nobody was asked for what is missing now.
    var askedDevice: UInt64?
    var askedAt: Timestamp?
}

extension ReplicaMember {
    /// Its batches are merged through this one: none of them waits for a key.
    mutating func setPlace(_ sequence: UInt64, _ hash: [UInt8]) {
        mergedSequence = sequence
        mergedHash = hash
        isGapped = false
        isRoundOver = false
        arrears.keyAwaitedSince = nil
    }

    /// Another device has told up to where this one's batches go.
    ///
    /// - Returns: whether that is further than what is merged here or was told before.
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

    /// Notes that a batch of the device shows that the log has lost earlier ones.
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

    /// Since when batches of the device have been known to be missing here; `nil` if none is, or if they may be on
    /// their way.
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
