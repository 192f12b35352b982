import CSimulatedDisk
import Dispatch
import StoreBasics
import StoreEngine
import Synchronization

/// One client of the store during one life (see `Life`). It sends works, which are operations such as a save, in their
/// order, and knows which of them the store must contain.
final class Client {
    let index: Int
    private let storeSeed: UInt64
    private let ledger: Ledger
    /// True if the disk has faults, so that a failed answer is no mistake of the store.
    private let mayBeRefused: Bool
    /// The expected state after all sent works.
    private var subject: any Subject
    private var beforeLast: any Subject
    private var waiting = 0
    private let answered = DispatchSemaphore(value: 0)

    init(index: Int, storeSeed: UInt64, _ ledger: Ledger, mayBeRefused: Bool) {
        self.index = index
        self.storeSeed = storeSeed
        self.ledger = ledger
        self.mayBeRefused = mayBeRefused
        subject = Self.subject(of: index)
        beforeLast = subject
    }

    static let count = 9

    private static func subject(of index: Int) -> any Subject {
        switch index {
        case 0, 1: MessageSubject(client: index)
        case 2, 3: SceneSubject(client: index)
        case 4, 7: LogSubject(client: index, overwritesOldest: index == 7)
        case 5: FileSubject(area: .document, isLarge: false)
        case 6: FileSubject(area: .library, isLarge: true)
        default: AttachmentSubject(client: index)
        }
    }

    /// True if the client's works write to the vault, which takes a thousand times as long as a message.
    var isSlow: Bool { index == 6 || index == 8 }

    /// True if each work of the client is one record and causes no background maintenance, which would write further
    /// records.
    var isAllInItsRecords: Bool { [2, 3, 4, 7].contains(index) }

    /// True if almost none of the client's works removes anything.
    var onlyAdds: Bool { index == 4 }

    var isAtEnd: Bool { ledger.progress(of: index).issued + 8 >= Ledger.worksMax }

    /// The expected contents of the store for this client.
    var contents: [String: String] { subject.contents }

    var removedBytes: [Needle] { subject.removedBytes }

    // MARK: Recovery

    /// Compares the store with the sent works. The store must contain all acknowledged works. It may also contain later
    /// works, but none without all works before it. The client then continues after the last work in the store.
    ///
    /// - Returns: a description of what is wrong; `nil` if nothing is.
    func recover(_ reader: StoreReader) throws(StoreError) -> String? {
        let progress = ledger.progress(of: index)
        let found = try subject.read(reader)
        var state = Self.subject(of: index)
        var matching: (count: Int, subject: any Subject)?
        var isUncertain = false
        for count in 0...progress.issued {
            if count >= progress.answered, state.contents == found {
                isUncertain = matching != nil
                matching = (count, state)
            }
            guard count < progress.issued else { break }
            state = try after(count, state)
        }
        guard let matching else { return try differences(found, progress) }
        ledger.settle(matching.count, of: index, isUncertain: isUncertain)
        subject = matching.subject
        return nil
    }

    /// Compares the store with the sent works while answers are still missing. A reader must see all acknowledged
    /// works. It may also see later works, but none without all works before it. From then on the store must contain
    /// what the reader saw.
    func notice(_ reader: StoreReader) throws(StoreError) -> String? {
        guard subject.isReadAtOnce else { return nil }
        let progress = ledger.progress(of: index)
        let found = try subject.read(reader)
        var state = Self.subject(of: index)
        for count in 0...progress.issued {
            if count >= progress.answered, state.contents == found {
                ledger.answer(count - 1, of: index)
                return nil
            }
            guard count < progress.issued else { break }
            state = try after(count, state)
        }
        return try differences(found, progress)
    }

    private func after(_ number: Int, _ state: any Subject) throws(StoreError) -> any Subject {
        guard !ledger.isRefused(number, of: index) else { return state }
        var state = state
        var random = random(number)
        _ = try state.next(number, &random)
        return state
    }

    private func random(_ number: Int) -> SplitMix {
        SplitMix(seed: SplitMix.mix(storeSeed ^ UInt64(index) << 56 ^ UInt64(number)))
    }

    private func differences(_ found: [String: String], _ progress: Ledger.Progress) throws(StoreError) -> String {
        var state = Self.subject(of: index)
        for number in 0..<progress.answered {
            state = try after(number, state)
        }
        let expected = state.contents
        let keys = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
        let lines = keys.prefix(4).map { "\($0): \(found[$0] ?? "nothing"), not \(expected[$0] ?? "nothing")" }
        return "client \(index), \(progress.answered) of \(progress.issued) works answered: "
            + lines.joined(separator: "; ")
    }

    // MARK: Sending

    /// Sends the next work. If the work has several parts, waits for its answer.
    func send(to engine: StoreEngine) throws(StoreError) {
        let number = ledger.progress(of: index).issued
        var random = random(number)
        beforeLast = subject
        let work = try subject.next(number, &random)
        ledger.issue(number, of: index)
        waiting += 1
        let (answered, index, ledger) = (answered, index, ledger)
        let isExpected = mayBeRefused
        let done: @Sendable (Result<Commit?, StoreError>) -> Void = { result in
            Self.note(result, number, of: index, ledger, isExpected)
            answered.signal()
        }
        switch work {
        case .mutation(let mutation):
            engine.submit(try request(mutation, number), here: number % 3 == 0) { result in
                done(
                    result.map { if case .commit(let commit) = $0 { commit } else { nil } })
            }
        case .fileWrite(let request, let bytes):
            let written = write(bytes, .begin(request), engine, key: try key(number))
            done(written.map { $0 })
        case .attached(let contents, let message):
            done(attach(contents, to: message, try key(number), engine))
        }
    }

    private static func note(
        _ result: Result<Commit?, StoreError>, _ number: Int, of index: Int, _ ledger: Ledger, _ isExpected: Bool
    ) {
        switch result {
        case .success(let commit):
            ledger.raise(revision: commit?.revision ?? 0)
            ledger.countAnswer()
        case .failure(let error):
            guard isExpected else { disk_fail("work \(number) of client \(index) was refused: \(error)") }
            ledger.refuse(number, of: index)
        }
        ledger.answer(number, of: index)
    }

    /// Waits until all sent works are answered.
    func wait() {
        for _ in 0..<waiting {
            answered.wait()
        }
        waiting = 0
        let last = ledger.progress(of: index).issued - 1
        if mayBeRefused, last >= 0, ledger.isRefused(last, of: index) {
            subject = beforeLast
        }
    }

    /// Sends the last work again with the same idempotency key.
    ///
    /// - Returns: a description of what is wrong; `nil` if nothing is.
    func repeatLast(to engine: StoreEngine) throws(StoreError) -> String? {
        let last = ledger.progress(of: index).issued - 1
        guard last >= 0, ledger.isCertain(last + 1, of: index), !ledger.isRefused(last, of: index) else { return nil }
        var state = Self.subject(of: index)
        for number in 0..<last {
            state = try after(number, state)
        }
        var random = random(last)
        guard case .mutation(let mutation) = try state.next(last, &random) else { return nil }
        let outcome = Outcome<MutationResult>()
        engine.submit(try request(mutation, last)) { outcome.set($0) }
        guard case .failure(let error) = outcome.wait(), !mayBeRefused else { return nil }
        return "the repetition of work \(last) of client \(index) was refused: \(error)"
    }

    private func request(_ mutation: Mutation, _ number: Int) throws(StoreError) -> WriteRequest {
        WriteRequest(mutation, idempotencyKey: try key(number), owner: owner)
    }

    private var owner: WorkOwner { WorkOwner(userID: 1_000 + UInt32(index), connection: UInt64(index)) }

    private func key(_ number: Int) throws(StoreError) -> IdempotencyKey {
        let text = Array("key of work \(number)".utf8)
        let fingerprint = text.withUnsafeBytes { RequestFingerprint(call: 1, message: $0) }
        return try IdempotencyKey(text, userID: owner.userID, of: fingerprint)
    }

    /// Writes the contents, then saves the message that refers to them. No reader can see the contents until the
    /// message is saved.
    private func attach(
        _ contents: [[UInt8]], to message: NewMessage, _ key: IdempotencyKey, _ engine: StoreEngine
    ) -> Result<Commit?, StoreError> {
        for bytes in contents {
            let written = write(bytes, .beginAttachment(AttachmentWriteRequest()), engine, key: nil)
            guard case .success = written else { return written.map { $0 } }
        }
        let outcome = Outcome<MutationResult>()
        engine.submit(WriteRequest(.saveMessage(message), idempotencyKey: key, owner: owner)) { outcome.set($0) }
        return outcome.wait().map { if case .commit(let commit) = $0 { commit } else { nil } }
    }

    private func write(
        _ bytes: [UInt8], _ begin: FileWriteCommand, _ engine: StoreEngine, key: IdempotencyKey?
    ) -> Result<Commit, StoreError> {
        do throws(StoreError) {
            guard case .begun(let id) = try perform(begin, engine) else { throw Self.unexpected }
            for start in stride(from: 0, to: bytes.count, by: 50_000) {
                let piece = Array(bytes[start..<min(start + 50_000, bytes.count)])
                _ = try perform(.write(id, offset: UInt64(start), data: piece), engine)
            }
            guard case .finished(let commit) = try perform(.finish(id), engine, key) else { throw Self.unexpected }
            return .success(commit)
        } catch {
            return .failure(error)
        }
    }

    private static var unexpected: StoreError { StoreError(.internal, "a write in pieces answers something else") }

    private func perform(
        _ command: FileWriteCommand, _ engine: StoreEngine, _ key: IdempotencyKey? = nil
    ) throws(StoreError) -> FileWriteResult {
        let outcome = Outcome<FileWriteResult>()
        engine.performFileWrite(command, for: owner, idempotencyKey: key) { outcome.set($0) }
        return try outcome.wait().get()
    }
}

/// A result that another thread sets and one thread waits for.
final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Result<Value, StoreError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result<Value, StoreError>) {
        value.withLock { $0 = result }
        isThere.signal()
    }

    func wait() -> Result<Value, StoreError> {
        isThere.wait()
        return value.withLock { $0 } ?? .failure(StoreError(.internal, "nothing was answered"))
    }
}
