import StoreBasics

/// Makes random writes of every kind for one writer.
struct ContentStepMaker {
    /// Sizes below, at and above the largest content in the database itself, and sizes of several chunks.
    private static let sizes = [0, 100, 5_000, 65_536, 65_537, 70_000, 131_072, 200_000, 700_000]
    private static let fileBytesMax = 3_000_000
    private static let messagesMax = 60
    static let words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbour", "islet", "juniper"]
    /// Contents that several writers save. The store keeps each of them once.
    private static let shared: [ContentBytes] = {
        var random = SplitMix(seed: 7)
        return [3_000, 70_000, 150_000].map { ContentBytes($0, &random) }
    }()

    private let prefix: String
    private var random: SplitMix
    private var count = 0

    /// - Parameter prefix: the beginning of message ids and new names. Every maker needs a prefix of its own.
    init(prefix: String, seed: UInt64) {
        self.prefix = prefix
        random = SplitMix(seed: seed)
    }

    mutating func next(after state: ContentState) -> ContentStep {
        count += 1
        let files = state.files.keys.sorted()
        if state.fileBytes > Self.fileBytesMax, let path = files.randomElement(using: &random) {
            return Int.random(in: 0..<6, using: &random) == 0 ? .removeDirectory(top(of: path)) : .delete(path)
        }
        return Bool.random(using: &random) ? messageStep(state) : fileStep(state, files)
    }

    // MARK: Files

    private mutating func fileStep(_ state: ContentState, _ files: [String]) -> ContentStep {
        guard let path = files.randomElement(using: &random) else { return .put(anyPath(), anyBytes()) }
        let size = state.files[path]?.bytes.count ?? 0
        switch Int.random(in: 0..<14, using: &random) {
        case 0...1: return .append(path, anyBytes())
        case 2...4:
            return .overwrite(path, offset: Int.random(in: 0...size, using: &random), anyBytes())
        case 5: return .move(path, to: anyName(in: top(of: path)))
        case 6: return .copy(path, to: anyName(in: top(of: path)))
        case 7: return .move(top(of: path), to: "\(prefix)\(count)")
        case 8: return .copy(top(of: path), to: "\(prefix)\(count)")
        case 9: return .delete(path)
        case 10: return .abandon(path, anyBytes())
        case 11...12: return .putPieces(anyPath(), anyBytes(), pieceBytes: 50_000)
        default: return .put(anyPath(), anyBytes())
        }
    }

    private func top(of path: String) -> String {
        String(path.prefix { $0 != "/" })
    }

    private mutating func anyPath() -> String {
        let directory = "d\(Int.random(in: 0..<3, using: &random))"
        return anyName(in: Int.random(in: 0..<3, using: &random) == 0 ? directory + "/e" : directory)
    }

    private mutating func anyName(in directory: String) -> String {
        "\(directory)/f\(Int.random(in: 0..<4, using: &random))"
    }

    private mutating func anyBytes() -> ContentBytes {
        ContentBytes(Self.sizes.randomElement(using: &random) ?? 0, &random)
    }

    // MARK: Messages

    private mutating func messageStep(_ state: ContentState) -> ContentStep {
        let ids = state.messages.keys.sorted()
        switch Int.random(in: 0..<10, using: &random) {
        case 0...1 where ids.count > 3, _ where ids.count > Self.messagesMax:
            return .deleteMessages(Array(ids.shuffled(using: &random).prefix(1 + ids.count / 6)))
        case 2...3 where !ids.isEmpty: return .edit(ids[Int.random(in: 0..<ids.count, using: &random)], text: text())
        case 4:
            return .saveByDigest(id(0), ContentState.SavedMessage(text: text(), attachments: [anyAttachment()]))
        case 5...6:
            let attachments = (0..<Int.random(in: 1...2, using: &random)).map { _ in anyAttachment() }
            return .save([id(0): ContentState.SavedMessage(text: text(), attachments: attachments)])
        default:
            let messages = (0..<Int.random(in: 1...8, using: &random)).map { number in
                (id(number), ContentState.SavedMessage(text: text(), attachments: []))
            }
            return .save(Dictionary(uniqueKeysWithValues: messages))
        }
    }

    private mutating func anyAttachment() -> ContentBytes {
        let shared = Self.shared.randomElement(using: &random)
        guard Bool.random(using: &random), let shared else {
            return ContentBytes([2_000, 70_000, 140_000].randomElement(using: &random) ?? 0, &random)
        }
        return shared
    }

    private func id(_ number: Int) -> String { "\(prefix)m\(count)-\(number)" }

    private mutating func text() -> String {
        let words = (0..<Int.random(in: 2...9, using: &random)).map { _ in Self.words.randomElement(using: &random) }
        return words.compactMap(\.self).joined(separator: " ")
    }
}
