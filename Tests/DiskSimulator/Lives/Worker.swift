import CSimulatedDisk
import Glibc
import StoreBasics
import StoreEngine

/// The operations on an open store in one life.
struct Worker {
    let engine: StoreEngine
    let clients: [Client]
    let ledger: Ledger
    let life: Life
    let focus: Focus

    func workAtRandom(_ random: inout SplitMix) throws(StoreError) {
        for client in clients where random.isOne(of: 4) {
            if let failure = try client.repeatLast(to: engine) {
                disk_fail("life \(life.number): \(failure)")
            }
        }
        for _ in 0...random.number(below: 10) {
            try round(&random)
            if focus == .additions, random.isOne(of: 3) {
                usleep(3_000)
            }
            switch random.number(below: focus == .administration ? 24 : 120) {
            case 0...7: try lockAndUnlock()
            case 8, 9: try rotate(&random)
            case 10, 11: try backUp()
            case 12: try changeKeys()
            case 13, 14: try restore()
            case 15...22: usleep(3_000)  // idle time, in which the store does background maintenance
            default: break
            }
        }
    }

    /// Does each operation after the previous one has ended, so that a failure can be assigned to one of them.
    func workOnEverything(_ random: inout SplitMix) throws(StoreError) {
        for step in 0..<5 {
            for client in clients {
                try client.send(to: engine)
                client.wait()
            }
            // An operation that fails returns an error, and the store continues.
            switch step {
            case 0: try? backUp()
            case 1: try? rotate(&random)
            case 2: try? changeKeys()
            case 3: try restore()
            default: try lockAndUnlock()
            }
        }
    }

    /// Sends works one after the other, so that each becomes one record. The other clients send nothing, because their
    /// works cause background maintenance, which writes further records.
    func workInRecords(_ rounds: Int) throws(StoreError) {
        for _ in 0..<rounds {
            for client in clients where client.isAllInItsRecords {
                try client.send(to: engine)
                client.wait()
            }
        }
    }

    func workOnce() throws(StoreError) {
        for client in clients {
            try client.send(to: engine)
            client.wait()
        }
    }

    /// Lets some clients send some works at the same time.
    private func round(_ random: inout SplitMix) throws(StoreError) {
        let sending = clients.filter { !$0.isAtEnd && random.isOne(of: focus.rarity(of: $0)) }
        for client in sending {
            for _ in 0...(client.isSlow ? 0 : random.number(below: 3)) {
                try client.send(to: engine)
            }
        }
        // Some rounds have a reader, because it makes the writer commit pages. A life may then end before a checkpoint
        // copies these pages to the database file.
        if random.isOne(of: focus == .additions ? 2 : 10) {
            try lookBeforeAnswers(sending)
        }
        sending.forEach { $0.wait() }
    }

    /// Checks what readers see before the answers arrive. Everything that a reader has seen must be durable.
    private func lookBeforeAnswers(_ sending: [Client]) throws(StoreError) {
        let reader = engine.makeReader()
        for client in sending {
            if let difference = try client.notice(reader) {
                disk_fail("life \(life.number), before an answer: \(difference)")
            }
        }
    }

    // MARK: Administration

    private func lockAndUnlock() throws(StoreError) {
        if !life.isFaulty {
            try expectReadableJournal()
        }
        try engine.lock()
        if !life.isFaulty {
            try expectErasedJournal()
        }
        _ = try engine.unlock(secret: Life.secret(7))
        try life.verify(engine, clients)
    }

    /// Checks that the reader of the journal finds content that was not removed, because the search for removed content
    /// would prove nothing otherwise. It tries several times, because an idle writer may have erased the records
    /// already.
    private func expectReadableJournal() throws(StoreError) {
        guard let client = clients.first(where: { !$0.isSlow }) else { return }
        for _ in 0..<3 {
            try client.send(to: engine)
            client.wait()
            if try !JournalRemains(of: life.folder + "/disk/state").isEmpty { return }
        }
        life.expect(false, "what was just written cannot be read from the journal")
    }

    /// Checks that removed content, of this life or an earlier one, cannot be read from a segment that a power cut
    /// would leave or bring back.
    private func expectErasedJournal() throws(StoreError) {
        let remains = try JournalRemains(of: life.folder + "/disk/state")
        for client in clients {
            let found = remains.first(of: client.removedBytes)
            life.expect(found == nil, "removed by client \(client.index) and still in the journal of a locked store")
        }
    }

    private func rotate(_ random: inout SplitMix) throws(StoreError) {
        for client in clients where !client.isSlow && !life.isFaulty && random.isOne(of: 2) {
            try client.send(to: engine)
        }
        try rotate()
        clients.forEach { $0.wait() }
    }

    func rotate() throws(StoreError) {
        _ = try engine.rotateMasterKey { _ in }
        ledger.rotations += 1
    }

    func backUp() throws(StoreError) {
        if let oldest = try engine.listBackups().first, ledger.backups > 1 {
            ledger.backups -= 1
            try engine.deleteBackup(name: oldest.name)
            ledger.deletedBackup = Life.name(of: oldest)
        }
        let backup = try engine.createBackup { _ in }
        ledger.backups += 1
        ledger.noteBackup(named: Life.name(of: backup), revision: backup.revision, clients: clients.count)
    }

    /// Restores the last backup, which removes all works after the backup. If the restore is interrupted, it removes
    /// all of them or none.
    func restore() throws(StoreError) {
        guard let backup = try engine.listBackups().first(where: { Life.name(of: $0) == ledger.backupName }) else {
            return
        }
        ledger.isRestoring = true
        do throws(StoreError) {
            _ = try engine.restoreBackup(
                name: backup.name, secret: Life.secret(7), replaceExisting: true, progress: { _ in })
        } catch {
            guard life.isFaulty else { throw error }
        }
        try life.verify(engine, clients)
    }

    private func changeKeys() throws(StoreError) {
        guard !ledger.hasSecondKey else { return }
        // The slot may exist without having been acknowledged, if the process ended before the answer.
        guard try engine.keySlots().count == 1 else { return }
        _ = try engine.addKeySlot(
            authorizedBy: Life.secret(7), new: .given(Life.secret(8)), label: "second", lowCost: true)
        ledger.hasSecondKey = true
    }
}
