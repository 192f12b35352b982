package import ReplicaModel
import StoreBasics
import StoreCrypto

extension ReplicaRecord {
    /// True if a store can have written the record, because its texts, names and values are ones that applications may
    /// use. Merging checks nothing more, so all records are checked before the first one changes anything.
    package var isPossible: Bool {
        switch self {
        case .thing(let record):
            return (try? record.check()) != nil
        case .message(let record):
            return (try? record.check()) != nil
        case .member(let record):
            return record.isPossible
        case .contentPiece(let piece):
            return piece.byteCount <= EngineLimits.fileBytesMax
                && (piece.byteCount > UInt64(EngineLimits.inlineFileBytesMax) || piece.offset == 0 && piece.isLast)
        case .logEntries(let record):
            return (try? record.check()) != nil
        case .positions(let record):
            return record.positions.allSatisfy { $0.sequence <= Self.sequenceMax }
        case .knownBatches(let record):
            return record.last.count <= ReplicaLimits.membersMax
                && record.last.allSatisfy { $0.sequence <= Self.sequenceMax }
        case .memberRemoval(let record):
            return record.throughSequence <= Self.sequenceMax
        case .contentNotice(let notice):
            return notice.sequence <= Self.sequenceMax
        case .epoch, .snapshotRequest, .part, .contentRequest, .time:
            return true
        }
    }

    /// The greatest valid sequence. No device makes so many batches, and adding to it cannot overflow.
    private static var sequenceMax: UInt64 { 1 << 62 }
}

extension MemberRecord {
    /// True if the number matches the signing key and the name is valid.
    var isPossible: Bool {
        device == ReplicaDeviceKeys.number(ofSigningKey: signingKey) && (try? ReplicaDeviceName(name)) != nil
    }
}

extension MessageRecord {
    fileprivate func check() throws(StoreError) {
        _ = try EntityID(id)
        guard generation <= Self.generationMax,
            content?.progress.restarts ?? 0 <= MessageProgress.restartsMax
        else { throw .invalidArgument("a batch has a message with an impossible generation or number of restarts") }
        guard let content else { return }
        _ = try SessionID(content.sessionID)
        _ = try WholeMessage(body: content.body)
        _ = try MessageStatus(replicaStep: content.progress.step)
    }
}

extension LogEntriesRecord {
    fileprivate func check() throws(StoreError) {
        _ = try LogName(name)
        _ = try WholeLog(body: value)
        let last = firstSequence.addingReportingOverflow(UInt64(entries.count) - 1)
        guard 1...UInt64(Rows.countMax) ~= opened, oldestSequence >= 1, firstSequence >= 1, !last.overflow,
            last.partialValue <= UInt64(Rows.countMax), oldestSequence <= last.partialValue, isInOrderOfTime,
            entries.allSatisfy({ entry in
                entry.time <= DeviceLogRow.timeMax && 1...EngineLimits.logMessageBytesMax ~= entry.data.count
                    && entry.metadata?.withUnsafeBytes(Metadata.isValid) ?? true
            })
        else { throw .invalidArgument("a batch has log entries with impossible numbers, times, sizes or metadata") }
    }
}

extension ThingRecord {
    fileprivate func check() throws(StoreError) {
        let parts = name.parts
        guard removal == .zero || name.kind.hasRemovals || name.kind == .draft || name.kind == .member else {
            throw .invalidArgument("a batch has a removal record for a kind of data that needs no such records")
        }
        switch name.kind {
        case .contact, .conversation, .draft:
            _ = try SessionID(parts[0])
        case .member:
            _ = try SessionID(parts[0])
            _ = try SessionID(parts[1])
        case .sceneValue:
            _ = try parts[0].isEmpty ? nil : SceneName(parts[0])
            _ = try SceneKey(parts[1])
        case .reaction:
            _ = try EntityID(parts[0])
            _ = try SessionID(parts[2])
            _ = try Emoji(parts[3])
        case .file:
            _ = try FilePath(name)
        case .log:
            _ = try LogName(parts[0])
        }
        _ = try canonical()
    }
}
