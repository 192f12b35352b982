import ReplicaModel
import SQLCipher
import StoreBasics

/// What is named and not here: it is noted by whatever names it, asked for in turn, and told on where others lack it,
/// too.
extension WriteSession {
    // MARK: Naming

    /// What was merged names a content. One that is not here is asked for, whatever announces it; one that is here is
    /// told to who asks.
    func noteNamed(_ digest: AttachmentDigest, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard try contentNumber(digest) == nil else {
            guard try !ReplicaContentRows.isThere(digest, connection) else { return }
            return try ReplicaContentRows.write(digest, merge.device, nil, connection)
        }
        try noteMissing(digest, named: merge.device, in: merge.batchSequence)
    }

    /// - Parameter sequence: 0 where nothing else of that batch is to be waited for.
    func noteMissing(
        _ digest: AttachmentDigest, named device: UInt64, in sequence: UInt64
    ) throws(StoreError) {
        guard try !MissingContentRows.isThere(digest, connection) else { return }
        let told = try ReplicaContentRows.told(digest, connection)
        try MissingContentRows.write(
            MissingContentRows.Row(
                digest: digest, device: told?.device ?? device, sequence: told?.sequence, holder: device,
                namedIn: sequence), at: now, connection)
    }

    /// Attachments that were here before were merged. Those that can be fetched again are asked for when they are new.
    func noteContents(of attachments: [NewAttachment], _ merge: ReplicaMergeStep) throws(StoreError) {
        for attachment in attachments {
            let isHere = try contentNumber(attachment.digest) != nil
            if isHere || attachment.source == nil {
                try noteNamed(attachment.digest, merge)
            }
        }
    }

    // MARK: Coming

    /// A content that is here, and may have been missing, was told by others.
    func noteTold(
        _ digest: AttachmentDigest, by device: UInt64, _ sequence: UInt64
    ) throws(StoreError) {
        guard let missing = try MissingContentRows.find(digest, connection) else { return }
        try MissingContentRows.delete(digest, connection)
        if missing.isWanted {
            try ReplicaContentRows.write(digest, device, sequence, connection)
        }
    }

    /// Attachments here let go of it, as it can be fetched from where their source says: that is up to applications.
    func isEvicted(_ digest: AttachmentDigest) throws(StoreError) -> Bool {
        guard try AttachmentContents.canBeFetchedAgain(digest, connection),
            try ReplicaContentRows.isThere(digest, connection)
        else { return false }
        return try !MissingContentRows.isThere(digest, connection)
    }

    /// A content that was missing turns out to be here, whoever has made it. Others lack it, too, where this device
    /// named it without having it, or has asked for one that nobody is known to have told.
    func noteFound(_ missing: MissingContentRows.Row, _ ownDevice: UInt64) throws(StoreError) {
        try MissingContentRows.delete(missing.digest, connection)
        guard missing.isWanted, let number = try contentNumber(missing.digest) else { return }
        try ReplicaContentRows.write(missing.digest, missing.device, missing.sequence, connection)
        guard missing.sequence == nil, missing.wereAsked || missing.device == ownDevice else { return }
        let byteCount = try FileContents.byteCount(of: number, connection)
        try UntoldContentRows.insert(missing.digest, byteCount: byteCount, isAgain: true, connection)
    }

    // MARK: Asking

    /// Asks for contents that were named, that are not here, and that nothing brings any more.
    mutating func askForContents(_ collector: inout ReplicaCollector) throws(StoreError) {
        let due = try missingContents.due(collector.device, now: now, connection)
        guard !due.isEmpty else { return }
        let askables = try ReplicaAskables(connection)
        for missing in due {
            guard try contentNumber(missing.digest) == nil else {
                try noteFound(missing, collector.device)
                try linkContent(missing.digest)
                try placeWantedFiles(of: missing.digest, &collector.states)
                continue
            }
            guard missing.isWanted else {
                try MissingContentRows.delete(missing.digest, connection)
                continue
            }
            guard let holder = holder(of: missing, askables) else { continue }
            collector.add(.contentRequest(ContentRequestRecord(digest: missing.digest.bytes, device: holder)))
            try MissingContentRows.setAsked(holder, for: missing.digest, at: now, connection)
        }
    }

    /// Who has named it; where that one has not told it, or is not of the group any more, the next device.
    ///
    /// - Returns: `nil` where there is none.
    private func holder(of missing: MissingContentRows.Row, _ askables: ReplicaAskables) -> UInt64? {
        guard missing.wasAsked || !askables.contains(missing.holder) else { return missing.holder }
        return askables.next(after: missing.holder)
    }
}
