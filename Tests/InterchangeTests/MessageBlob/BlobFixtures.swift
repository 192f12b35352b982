import FoundationEssentials
import Interchange

/// The files under Tests/Fixtures/blobstorage, which the original library wrote.
enum BlobFixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/blobstorage")

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    private struct JSONMessage: Decodable {
        var text: String
        var isSent: Bool
        var messageType: UInt8
        var timestamp: Int64
    }

    static func messages(_ name: String) throws -> [BlobMessage] {
        let data = try Data(contentsOf: folder.appending(path: name))
        return try JSONDecoder().decode([JSONMessage].self, from: data).map {
            BlobMessage(
                text: $0.text, isSent: $0.isSent, type: BlobMessageType(ordinal: $0.messageType),
                timestampMilliseconds: $0.timestamp)
        }
    }
}

/// A small file as bytes. It has three messages, one of them with two-byte letters and one with an empty text.
enum SmallBlob {
    static let messages = [
        BlobMessage(text: "héllo", isSent: true, type: .short, timestampMilliseconds: 1_700_000_000_000),
        BlobMessage(text: "", isSent: false, type: .video, timestampMilliseconds: -1),
        BlobMessage(text: "x", isSent: false, type: .long, timestampMilliseconds: .max),
    ]

    static let bytes: [UInt8] =
        [3, 0, 0, 0]
        + [6, 0, 0, 0] + Array("héllo".utf8) + [1, 0, 0x00, 0x68, 0xe5, 0xcf, 0x8b, 1, 0, 0]
        + [0, 0, 0, 0] + [0, 3] + [UInt8](repeating: 0xff, count: 8)
        + [1, 0, 0, 0, UInt8(ascii: "x"), 0, 1] + [UInt8](repeating: 0xff, count: 7) + [0x7f]
}
