import StoreBasics
import StoreClient

/// What the daemon tells of itself and its store.
struct DaemonChecks {
    /// The timer makes one every night.
    private static let backupAgeMicrosecondsMax: Int64 = 7 * 86_400 * 1_000_000

    let status: Status
    let client: StoreClient
    let place: DaemonPlace
    let units: UnitFacts?

    func findings() async -> [Finding] {
        guard status.processID != 0 else {
            return [
                .problem(
                    .daemon, "the daemon answers, but this user has no right to anything",
                    mend: "sudo gpasswd -a \(Accounts.userName(Accounts.effectiveUser)) "
                        + (place.trustedGroup ?? "ghoststore"))
            ]
        }
        return [version, store, loss, keyMemory].compactMap { $0 } + [await backups()] + (await replication())
    }

    private var version: Finding {
        guard status.serverVersion == ProjectVersion.text else {
            return .problem(
                .daemon,
                "the daemon is ghoststored \(status.serverVersion), this is ghoststorectl "
                    + "\(ProjectVersion.text)", mend: "\(place.systemctl) restart ghoststored.service")
        }
        return .ok(
            .daemon,
            "ghoststored \(status.serverVersion), up "
                + Quantity.duration(milliseconds: status.uptimeMilliseconds))
    }

    private var store: Finding {
        let why = status.storeStateMessage.isEmpty ? "" : ": \(status.storeStateMessage)"
        let text = "the store is \(status.storeState.word)\(why)"
        switch status.storeState {
        case .open: return .ok(.store, text)
        case .locked, .wrongKey: return .problem(.store, text, mend: "ghoststorectl unlock")
        case .absent: return .problem(.store, text, mend: "ghoststorectl init")
        case .readOnly: return .problem(.store, text, mend: "df -h \(place.stateDirectory ?? "")")
        case .journalDamaged, .rolledBack:
            return .problem(.store, text, mend: "ghoststorectl unlock --accept-loss")
        case .keyMissing, .keyringDamaged, .databaseDamaged, .newerSchema, .storageFailed, .unknown:
            return .problem(.store, text, mend: "ghoststorectl backup list")
        }
    }

    private var loss: Finding? {
        guard status.revisionsMissing > 0 else { return nil }
        return .note(
            .loss, "\(status.revisionsMissing) revisions that were answered were given up at the last opening",
            mend: "ghoststorectl backup list")
    }

    private var keyMemory: Finding {
        guard !status.isMemoryLocked else { return .ok(.keyMemory, "keys are locked into memory") }
        return .problem(
            .keyMemory, "keys may be written to swap: the daemon may not lock memory; it needs LimitMEMLOCK=64M",
            mend: place.kind == .other ? "ulimit -l 65536" : "\(place.systemctl) edit ghoststored.service")
    }

    private func backups() async -> Finding {
        do throws(StoreClientError) {
            let newest = try await client.backups().filter { $0.kind == .made && $0.isComplete }.map(\.createdAt).max()
            guard let newest else { return .problem(.backups, "the daemon has no backup", mend: makingBackups) }
            let age = Timestamp.now.microseconds - newest.microseconds
            guard age >= 0 else {
                return .problem(
                    .clock, "the newest backup is from the future: the clock was or is wrong", mend: "date")
            }
            let words = Quantity.duration(milliseconds: UInt64(age / 1_000))
            guard age <= Self.backupAgeMicrosecondsMax else {
                return .problem(.backups, "the newest backup is \(words) old", mend: makingBackups)
            }
            return .ok(.backups, "the newest backup is \(words) old")
        } catch {
            return .unknown(.backups, error.message, mend: "sudo ghoststorectl doctor")
        }
    }

    private var makingBackups: String {
        guard place.kind != .other, units?.isActive("ghoststore-backup.timer") == false else {
            return "ghoststorectl backup create"
        }
        return "\(place.systemctl) enable --now ghoststore-backup.timer; ghoststorectl backup create"
    }
}
