import Interchange
import StoreBasics
import StoreCrypto

@testable import StoreEngine

extension StoreEngine {
    /// Performs a step of an export or import and waits for its result.
    func blob(_ command: BlobCommand, user: UInt32 = 1_000) throws(StoreError) -> BlobResult {
        let outcome = OneShot<Result<BlobResult, StoreError>>()
        performBlobCommand(command, userID: user) { outcome.set($0) }
        return try outcome.wait().get()
    }

    /// The parts of the engine that an export or import needs.
    var blobSource: BlobSessions.Source {
        Self.blobSource(readers, status, writer, directory, configuration.clocks, files, allowsLowCost: true)
    }

    func beginExport(
        _ sessionID: String, sealing: FileSeal = .none, _ change: (inout MessageFilter) -> Void = { _ in }
    ) throws -> BlobExportStart {
        var request = BlobExportRequest(conversation: .session(try SessionID(sessionID)), sealing: sealing)
        change(&request.filter)
        guard case .exportBegun(let start) = try blob(.beginExport(request))
        else { throw StoreError(.internal, "an export begins with its start") }
        return start
    }

    func piece(_ session: BlobSessionID, at offset: Int) throws -> BlobPiece {
        guard case .piece(let piece) = try blob(.readExport(session, offset: UInt64(offset))) else {
            throw StoreError(.internal, "reading gives a piece")
        }
        return piece
    }

    /// Returns a whole export, with all pieces joined.
    func export(
        _ sessionID: String, sealing: FileSeal = .none, _ change: (inout MessageFilter) -> Void = { _ in }
    ) throws -> [UInt8] {
        let start = try beginExport(sessionID, sealing: sealing, change)
        var file: [UInt8] = []
        while true {
            let piece = try piece(start.session, at: file.count)
            file += piece.data
            if piece.isLast {
                break
            }
        }
        guard UInt64(file.count) == start.totalBytes else {
            throw StoreError(.internal, "an export has as many bytes as it announced")
        }
        return file
    }

    func beginImport(
        _ sessionID: String?, importID: String? = "import", isDryRun: Bool = false, secret: consuming SlotSecret? = nil,
        fileBytes: Int? = nil, user: UInt32 = 1_000
    ) throws -> BlobSessionID {
        var box: SlotSecretBox?
        if let secret = consume secret {
            box = SlotSecretBox(secret)
        }
        let request = BlobImportRequest(
            conversation: try sessionID.map { .session(try SessionID($0)) }, importID: importID, isDryRun: isDryRun,
            secret: box, totalBytes: fileBytes.map { UInt64($0) })
        guard case .importBegun(let session) = try blob(.beginImport(request), user: user) else {
            throw StoreError(.internal, "an import begins with its session")
        }
        return session
    }

    @discardableResult
    func importFile(
        _ file: [UInt8], to sessionID: String?, importID: String? = "import", isDryRun: Bool = false,
        secret: consuming SlotSecret? = nil, pieceBytes: Int = 1 << 20, announcing fileBytes: Int? = nil
    ) throws -> BlobImportReport {
        let session = try beginImport(
            sessionID, importID: importID, isDryRun: isDryRun, secret: secret, fileBytes: fileBytes)
        for start in stride(from: 0, to: file.count, by: pieceBytes) {
            let piece = Array(file[start..<min(start + pieceBytes, file.count)])
            _ = try blob(.writeImport(session, offset: UInt64(start), data: piece))
        }
        guard case .importFinished(let report) = try blob(.finishImport(session)) else {
            throw StoreError(.internal, "an import ends with its report")
        }
        return report
    }
}

/// Returns messages of many sizes, with rising times.
func blobMessages(_ count: Int, textBytes: Int = 20) -> [BlobMessage] {
    (0..<count).map { index in
        BlobMessage(
            text: "\(index) é\0" + String(repeating: "x", count: index * 7_919 % (2 * textBytes)),
            isSent: index.isMultiple(of: 3), type: BlobMessageType.allCases[index % 4],
            timestampMilliseconds: 1_700_000_000_000 + Int64(index / 2))
    }
}
