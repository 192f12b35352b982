import Interchange
import StoreClient

extension BlobImportReport: Presentable {
    var json: JSONObject {
        [
            "messages": messageCount, "content_bytes": contentBytes, "created_count": createdCount,
            "updated_count": updatedCount, "content_id": contentID, "is_dry_run": isDryRun, "is_sealed": isSealed,
            "oldest_microseconds": oldest, "newest_microseconds": newest,
        ]
    }

    var fields: FieldList {
        [
            "messages": messageCount, "size": Quantity.bytes(contentBytes), "sealed": isSealed,
            "created": isDryRun ? nil : createdCount, "updated": isDryRun ? nil : updatedCount, "oldest": oldest,
            "newest": newest, "content id": contentID,
        ]
    }
}

/// The contents of a plain message file.
struct PlainBlobFacts: Presentable {
    private var messageCount = 0
    private var bytes: UInt64 = 0
    private var countsByType: [BlobMessageType: Int] = [:]
    private var oldestMilliseconds: Int64?
    private var newestMilliseconds: Int64?

    /// Reads the whole file.
    ///
    /// - Throws: `.damaged` if the file is invalid. The message says at which byte.
    init(reading path: String) throws(CommandFailure) {
        let file = try InputFile(path)
        // A file written by another program may contain longer texts than the store accepts.
        var decoder = BlobDecoder(fileBytes: file.bytes, textBytesMax: Self.textBytesMax)
        do {
            while true {
                let piece = try file.readChunk(bytes: 64 << 10)
                guard !piece.isEmpty else { break }
                decoder.feed(piece)
                while let located = try decoder.next() {
                    count(located.message)
                }
            }
            try decoder.finish()
        } catch let error as InterchangeError {
            throw CommandFailure(.damaged, "\(path): \(error)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.internalFailure, "unexpected: \(error)")
        }
        bytes = decoder.offset
    }

    private static let textBytesMax = 64 << 20

    private mutating func count(_ message: BlobMessage) {
        messageCount += 1
        countsByType[message.type, default: 0] += 1
        let time = message.timestampMilliseconds
        oldestMilliseconds = min(oldestMilliseconds ?? time, time)
        newestMilliseconds = max(newestMilliseconds ?? time, time)
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("is_sealed", false)
        object.add("messages", messageCount)
        object.add("bytes", bytes)
        for type in BlobMessageType.allCases {
            object.add("\(type)", countsByType[type] ?? 0)
        }
        if let oldestMilliseconds, let newestMilliseconds {
            object.add("oldest_milliseconds", oldestMilliseconds)
            object.add("newest_milliseconds", newestMilliseconds)
        }
        return object
    }

    var fields: FieldList {
        var list: FieldList = ["sealed": false, "messages": messageCount, "size": Quantity.bytes(bytes)]
        for type in BlobMessageType.allCases {
            list.add("\(type)", countsByType[type] ?? 0)
        }
        list.add("oldest", oldestMilliseconds.map(Self.time))
        list.add("newest", newestMilliseconds.map(Self.time))
        return list
    }

    private static func time(_ milliseconds: Int64) -> String {
        let (microseconds, isOverflowing) = milliseconds.multipliedReportingOverflow(by: 1_000)
        return isOverflowing ? "\(milliseconds) ms" : Timestamp(microseconds: microseconds).description
    }
}

/// The facts in the header of a sealed file. The header is not authenticated before the file is opened with its secret.
struct SealedFileFacts: Presentable {
    let header: SealedFileHeader

    var json: JSONObject {
        var object = JSONObject()
        add(to: &object)
        return object
    }

    func add(to object: inout JSONObject) {
        object.add("is_sealed", true)
        switch header.seal {
        case .passphrase(let memoryBytes, let passes, _):
            object.add("sealed_for", "passphrase")
            object.add("memory_bytes", memoryBytes)
            object.add("passes", passes)
        case .recipients(let recipients):
            object.add("sealed_for", "recipient")
            object.add("recipient_public_key", recipients.map { Base64.text($0.publicKey) }.joined(separator: " "))
        }
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("sealed", true)
        switch header.seal {
        case .passphrase(let memoryBytes, let passes, _):
            list.add("for", "a passphrase")
            list.add(
                "derivation", "Argon2id, \(Quantity.bytes(memoryBytes)), \(Quantity.count(passes, "pass", "passes"))")
        case .recipients(let recipients):
            list.add("for", recipients.count == 1 ? "the recipient with this public key" : "any of several recipients")
            for recipient in recipients {
                list.add("public key", Base64.text(recipient.publicKey))
            }
        }
        return list
    }
}
