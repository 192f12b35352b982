import ReplicaModel
import SQLCipher
import StoreBasics

/// Keeps track of missing contents to which data refers. They are recorded when data refers to them, requested from one
/// device after another, and published again if other devices lack them, too.
extension ReplicaContents {
    // MARK: Naming

    /// Records that merged data refers to a content. A missing content will be requested even if no notice announces
    /// it. An existing content will be published on request.
    func recordReference(_ digest: AttachmentDigest, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard try contentNumber(digest) == nil else {
            guard try !ReplicaContentRows.isThere(digest, connection) else { return }
            return try ReplicaContentRows.write(digest, merge.device, nil, connection)
        }
        try recordMissing(digest, named: merge.device, in: merge.batchSequence)
    }

    /// Records a missing content.
    ///
    /// - Parameter sequence: The batch that has to be merged first, because it may contain what needs the content; 0
    ///   for none.
    func recordMissing(
        _ digest: AttachmentDigest, named device: UInt64, in sequence: UInt64
    ) throws(StoreError) {
        guard try !MissingContentRows.isThere(digest, connection) else { return }
        let publication = try ReplicaContentRows.publication(digest, connection)
        try MissingContentRows.write(
            MissingContentRows.Row(
                digest: digest, device: publication?.device ?? device, sequence: publication?.sequence, holder: device,
                namedIn: sequence), at: now, connection)
    }

    /// Records the contents of merged attachments, some of which may have existed before. Contents that have a source
    /// are requested only for new attachments, so that an evicted content does not come back with every change.
    func recordContents(
        of attachments: [NewAttachment], insteadOf old: [NewAttachment], _ merge: ReplicaMergeStep
    ) throws(StoreError) {
        let known = Set(old.map(\.digest))
        for attachment in attachments {
            let isHere = try contentNumber(attachment.digest) != nil
            if isHere || attachment.source == nil || !known.contains(attachment.digest) {
                try recordReference(attachment.digest, merge)
            }
        }
    }

    /// Records the contents of merged attachments, and keeps existing ones as long as the attachments.
    func recordContentsEndingGrace(
        of attachments: [NewAttachment], insteadOf old: [NewAttachment] = [], _ merge: ReplicaMergeStep
    ) throws(StoreError) {
        try recordContents(of: attachments, insteadOf: old, merge)
        for attachment in attachments {
            try AttachmentContents.endGraceIfBound(attachment.digest, connection)
        }
    }

    /// Returns whether the store evicted a content that applications can fetch again: all attachments name a source for
    /// it, and the store once had it or this device published it.
    func isEvicted(_ digest: AttachmentDigest) throws(StoreError) -> Bool {
        guard try AttachmentContents.canBeFetchedAgain(digest, connection),
            try ReplicaContentRows.isThere(digest, connection)
        else { return false }
        return try !MissingContentRows.isThere(digest, connection)
    }

    // MARK: Coming

    /// Records that another device published a content that the store has. Does nothing unless the content is recorded
    /// as missing.
    func recordContentPublished(
        _ digest: AttachmentDigest, by device: UInt64, _ sequence: UInt64
    ) throws(StoreError) {
        guard let missing = try MissingContentRows.find(digest, connection) else { return }
        try MissingContentRows.delete(digest, connection)
        if missing.isWanted {
            try ReplicaContentRows.write(digest, device, sequence, connection)
        }
    }

    /// Handles a missing content that the store has now. The content is published if other devices may lack it, too: if
    /// this device published a reference to it without having it, or has requested it without knowing a device that
    /// published it.
    func resolveMissing(_ missing: MissingContentRows.Row, _ ownDevice: UInt64) throws(StoreError) {
        try MissingContentRows.delete(missing.digest, connection)
        guard missing.isWanted, let number = try contentNumber(missing.digest) else { return }
        try ReplicaContentRows.write(missing.digest, missing.device, missing.sequence, connection)
        guard missing.sequence == nil, missing.anyWasAsked || missing.device == ownDevice else { return }
        let byteCount = try FileContents.byteCount(of: number, connection)
        try UnsentContentRows.insert(missing.digest, byteCount: byteCount, isAgain: true, connection)
    }

    // MARK: Asking

    /// Puts contents that have arrived into the files that wait for them. Records contents that have not arrived as
    /// missing, so that they are requested.
    ///
    /// - Returns: False if the next step has to continue.
    func resolvePendingFiles(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        for digest in try replica.wantedFiles.next(connection) {
            guard try contentNumber(digest) == nil else {
                // The content has arrived. Resolve it before its files are placed, while a waiting file still shows
                // that it is needed.
                if let missing = try MissingContentRows.find(digest, connection) {
                    try resolveMissing(missing, collector.device)
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
            try recordMissing(digest, named: holder, in: 0)
        }
        return true
    }

    /// Returns true if a file that waits for the content already has it at its path, where an application may have
    /// written it. To find out, files that may have the content are read.
    ///
    /// - Returns: Also true if the next step has to continue reading.
    private func isAtItsPath(_ digest: AttachmentDigest) throws(StoreError) -> Bool {
        for wanted in try WantedFileRows.next(digest, limit: EngineLimits.stepRowsMax, connection) {
            guard case .listed(_, _, let listedBytes) = try ReplicaFileValue(wanted.value).content,
                case .file(let content, let byteCount)? = try FileRow.find(FilePath(wanted.name), connection)?.kind,
                byteCount == listedBytes, case .vault(let stored) = try FileContents.place(of: content, connection)
            else { continue }
            if case .unfinished = try replicaDigest(of: stored) { return true }
        }
        return try contentNumber(digest) != nil
    }

    /// Requests the missing contents that are due.
    func askForContents(_ collector: inout ReplicaCollector) throws(StoreError) {
        let askables = try ReplicaAskables(connection)
        let due = try replica.missingContents.due(
            collector.device, deviceCount: askables.count, now: now, age: areas.expiries.ageAsTime, connection)
        for missing in due {
            guard try contentNumber(missing.digest) == nil else {
                try resolveMissing(missing, collector.device)
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

    /// Returns the device to ask for a content: the device whose batch refers to it, or the next device if this device
    /// did not publish it or left the group.
    ///
    /// - Returns: `nil` if no device answers requests.
    private func holder(of missing: MissingContentRows.Row, _ askables: ReplicaAskables) -> UInt64? {
        guard missing.holderWasAsked || !askables.contains(missing.holder) else { return missing.holder }
        return askables.next(after: missing.holder)
    }
}
