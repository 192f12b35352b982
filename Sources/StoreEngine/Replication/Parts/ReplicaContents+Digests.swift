import SQLCipher
import StoreBasics
import StoreCrypto

/// What became of finding out what a content is.
enum ContentDigestion {
    case whole(AttachmentDigest)
    /// It goes on in the next step.
    case unfinished
    /// Its file is damaged: nobody can be told of it.
    case unreadable
}

/// Contents by what they are, wherever they are kept.
extension ReplicaContents {
    /// Reads as much of a content as fits a step, where that is not known already. Attachments that wait for what it
    /// turns out to be have it from then on.
    func replicaDigest(of stored: VaultContent) throws(StoreError) -> ContentDigestion {
        if let known = try ReplicaDigestRows.find(stored, connection) { return .whole(known) }
        let vault = replica.vault
        let running = vault.digest(of: stored.number, stored.generation)
        do throws(StoreError) {
            repeat {
                guard running.byteCount < stored.byteCount else {
                    vault.forgetDigest(of: stored.number)
                    let digest = running.finish()
                    try ReplicaDigestRows.write(digest, of: stored, connection)
                    try linkAwaitedContent(digest)
                    return .whole(digest)
                }
                let end = min(stored.byteCount, running.byteCount + Self.digestStepBytes)
                running.update(try vault.read(running.byteCount..<end, of: stored, connection))
            } while !slice.isOver
            return .unfinished
        } catch {
            vault.forgetDigest(of: stored.number)
            guard error.reason == .fileDamaged else { throw error }
            return .unreadable
        }
    }

    /// The number of a content that is here.
    func contentNumber(_ digest: AttachmentDigest) throws(StoreError) -> Int64? {
        if let stored = try AttachmentContents.find(digest, connection)?.stored { return stored }
        return try ReplicaDigestRows.content(digest, connection)
    }

    /// Makes contents of files be those of attachments too, where they are the same.
    func linkContents(of attachments: [NewAttachment]) throws(StoreError) {
        for attachment in attachments {
            try linkContent(attachment.digest)
        }
    }

    func linkContent(_ digest: AttachmentDigest) throws(StoreError) {
        guard try AttachmentContents.find(digest, connection)?.stored == nil,
            let content = try ReplicaDigestRows.content(digest, connection)
        else { return }
        try FileContents.retain(content, connection)
        try link(digest, content)
    }

    /// The same where attachments lack it: else it is kept for files alone.
    func linkAwaitedContent(_ digest: AttachmentDigest) throws(StoreError) {
        guard try AttachmentContents.find(digest, connection) != nil else { return }
        try linkContent(digest)
    }

    /// A content becomes one of attachments; its reference is handed on.
    func link(_ digest: AttachmentDigest, _ content: Int64) throws(StoreError) {
        let expiresAt = clock.age + EngineLimits.restoredAttachmentGraceMicroseconds
        try AttachmentContents.link(digest, content, at: clock.age, expiringAt: expiresAt, connection)
        areas.expiries.noteRetention(dueAt: expiresAt, orAnchorAt: clock.age)
        areas.attachments.hasStoredAttachments = true
    }

    /// One more file has a content.
    ///
    /// - Returns: its number and length; `nil` for one that is not here.
    func shareContent(
        _ digest: AttachmentDigest
    ) throws(StoreError) -> (number: Int64, byteCount: UInt64)? {
        guard let number = try contentNumber(digest) else { return nil }
        try FileContents.retain(number, connection)
        let byteCount = try FileContents.byteCount(of: number, connection)
        if case .vault(let stored) = try FileContents.place(of: number, connection) {
            try ReplicaDigestRows.write(digest, of: stored, connection)
        }
        if let row = try connection.first(Self.unboundContent, digest.bytes) {
            // It was kept for the file alone.
            let (unbound, stored) = (row.integer(0), row.optionalInteger(1))
            try AttachmentContents.delete(unbound, connection)
            if let stored {
                try areas.contents.release(stored)
            }
        }
        return (number, byteCount)
    }

    private static var digestStepBytes: UInt64 { 256 << 10 }
    private static let unboundContent = StatementText(
        "SELECT number, stored FROM attachment_contents WHERE digest = ?1 AND reference_count < 1")
}
