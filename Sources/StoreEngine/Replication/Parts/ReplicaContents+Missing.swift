import ReplicaModel
import SQLCipher
import StoreBasics

/// What is named and not here: it is noted by whatever names it, asked for in turn, and told on where others lack it,
/// too.
extension ReplicaContents {
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

    /// Attachments were merged, some of which may have been here before. Those that can be fetched are asked for when
    /// they are new: what a store has let go of does not come back with every change.
    func noteContents(
        of attachments: [NewAttachment], insteadOf old: [NewAttachment], _ merge: ReplicaMergeStep
    ) throws(StoreError) {
        let known = Set(old.map(\.digest))
        for attachment in attachments {
            let isHere = try contentNumber(attachment.digest) != nil
            if isHere || attachment.source == nil || !known.contains(attachment.digest) {
                try noteNamed(attachment.digest, merge)
            }
        }
    }

    /// What attachments that were merged have stays as long as they do.
    func settleContents(
        of attachments: [NewAttachment], insteadOf old: [NewAttachment] = [], _ merge: ReplicaMergeStep
    ) throws(StoreError) {
        try noteContents(of: attachments, insteadOf: old, merge)
        for attachment in attachments {
            try AttachmentContents.endGraceIfBound(attachment.digest, connection)
        }
    }

    /// All attachments here say where to fetch it, and it was here, or the group is told of it by this device: to fetch
    /// it is up to applications.
    func isEvicted(_ digest: AttachmentDigest) throws(StoreError) -> Bool {
        guard try AttachmentContents.canBeFetchedAgain(digest, connection),
            try ReplicaContentRows.isThere(digest, connection)
        else { return false }
        return try !MissingContentRows.isThere(digest, connection)
    }

    // MARK: Coming

    /// A content that is here, and may have been missing, was told by others.
    func noteContentTold(
        _ digest: AttachmentDigest, by device: UInt64, _ sequence: UInt64
    ) throws(StoreError) {
        guard let missing = try MissingContentRows.find(digest, connection) else { return }
        try MissingContentRows.delete(digest, connection)
        if missing.isWanted {
            try ReplicaContentRows.write(digest, device, sequence, connection)
        }
    }

    /// A content that was missing turns out to be here, whoever has made it. Others lack it, too, where this device
    /// named it without having it, or has asked for one that nobody is known to have told.
    func noteFound(_ missing: MissingContentRows.Row, _ ownDevice: UInt64) throws(StoreError) {
        try MissingContentRows.delete(missing.digest, connection)
        guard missing.isWanted, let number = try contentNumber(missing.digest) else { return }
        try ReplicaContentRows.write(missing.digest, missing.device, missing.sequence, connection)
        guard missing.sequence == nil, missing.anyWasAsked || missing.device == ownDevice else { return }
        let byteCount = try FileContents.byteCount(of: number, connection)
        try UntoldContentRows.insert(missing.digest, byteCount: byteCount, isAgain: true, connection)
    }

    // MARK: Asking

    /// Puts contents into the files that wait for them, whatever has brought them here, and has those asked for that
    /// nothing brings any more.
    ///
    /// - Returns: false where some of those that were looked at are left for the next step.
    func settleWantedFiles(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        for digest in try replica.wantedFiles.next(connection) {
            guard try contentNumber(digest) == nil else {
                // While a file waits for it, it is wanted.
                if let missing = try MissingContentRows.find(digest, connection) {
                    try noteFound(missing, collector.device)
                }
                try linkContent(digest)
                guard try replica.files.placeWantedFiles(of: digest, &collector.states) else {
                    replica.wantedFiles.lookAgain()
                    return false
                }
                continue
            }
            guard try !isAtItsPath(digest) else {
                replica.wantedFiles.lookAgain()
                return false
            }
            guard try !MissingContentRows.isThere(digest, connection),
                let name = try WantedFileRows.next(digest, limit: 1, connection).first?.name,
                let holder = try collector.states.state(of: name, connection).mark(of: .value)?.stamp.device,
                holder != 0, holder != collector.device
            else { continue }
            try noteMissing(digest, named: holder, in: 0)
        }
        return true
    }

    /// What is at a path already may be what is to come there, where nobody has read it.
    ///
    /// - Returns: also true where the reading goes on in the next step.
    private func isAtItsPath(_ digest: AttachmentDigest) throws(StoreError) -> Bool {
        for wanted in try WantedFileRows.next(digest, limit: EngineLimits.stepRowsMax, connection) {
            guard case .listed(_, _, let toldBytes) = try ReplicaFileValue(wanted.value).content,
                case .file(let content, let byteCount)? = try FileRow.find(FilePath(wanted.name), connection)?.kind,
                byteCount == toldBytes, case .vault(let stored) = try FileContents.place(of: content, connection)
            else { continue }
            if case .unfinished = try replicaDigest(of: stored) { return true }
        }
        return try contentNumber(digest) != nil
    }

    /// Asks for contents that were named, that are not here, and that nothing brings any more.
    func askForContents(_ collector: inout ReplicaCollector) throws(StoreError) {
        let due = try replica.missingContents.due(collector.device, now: now, connection)
        guard !due.isEmpty else { return }
        let askables = try ReplicaAskables(connection)
        for missing in due {
            guard try contentNumber(missing.digest) == nil else {
                try noteFound(missing, collector.device)
                try linkContent(missing.digest)
                try replica.files.placeWantedFiles(of: missing.digest, &collector.states)
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
        guard missing.holderWasAsked || !askables.contains(missing.holder) else { return missing.holder }
        return askables.next(after: missing.holder)
    }
}
