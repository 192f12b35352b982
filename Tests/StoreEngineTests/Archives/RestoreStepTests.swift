import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of restores that remove many entries. Such a restore takes several commits, and does not change entries that
/// are right already.
@Suite struct RestoreStepTests {
    private let clocks = FakeClocks()
    private let source: TemporaryStore
    private let target: TemporaryStore

    init() throws {
        source = try TemporaryStore(clocks: clocks.clocks)
        target = try TemporaryStore(clocks: clocks.clocks)
    }

    /// Archives the changes of the source and merges them into the target.
    ///
    /// - Returns: the revision that the archive contains.
    private func bring(since revision: UInt64 = 0) throws -> UInt64 {
        let table = RecordTable()
        let file = try source.engine.archive(table, since: revision)
        clocks.pass(seconds: 1)
        let report = try target.engine.restore(file, table, .merge)
        clocks.pass(seconds: 1)
        return report.header.revision
    }

    /// Returns the number of changes in each commit after a revision.
    private func commits(_ engine: StoreEngine, after revision: UInt64) throws -> [Int] {
        try engine.makeReader().read { (connection) throws(StoreError) in
            let rows = try connection.rows(Self.commits, revision)
            var counts: [Int] = []
            while try rows.next() {
                counts.append(rows.int(0))
            }
            return counts
        }
    }

    private static let commits = StatementText(
        "SELECT last_revision - first_revision + 1 FROM changes WHERE first_revision > ?1 ORDER BY first_revision")

    private let message = EntityID(trusted: "m")

    private func reaction(_ number: Int) throws -> ReactionReference {
        ReactionReference(
            messageID: message, authorSessionID: try SessionID("a\(number)"), emoji: try Emoji(["👍", "🎉"][number % 2]))
    }

    private func reactions(_ engine: StoreEngine) throws -> [ArchivedReaction] {
        try engine.archived().compactMap { if case .reaction(let reaction) = $0 { reaction } else { nil } }
    }

    @Test func `a merge removes only the reactions that the source removed, and writes nothing else`() throws {
        try source.engine.write(
            .saveMessage(NewMessage(id: message, conversation: .session(try SessionID("s")), text: "text")))
        for number in 0..<40 {
            try source.engine.write(.addReaction(reaction(number)))
        }
        let revision = try bring()
        for number in [7, 20, 39] {
            try source.engine.write(.removeReaction(reaction(number)))
        }
        // The reaction is removed and added again, so it counts as a new reaction.
        try source.engine.write(.removeReaction(reaction(3)))
        clocks.pass(seconds: 1)
        try source.engine.write(.addReaction(reaction(3)))
        try source.engine.write(.addReaction(reaction(1_000)))
        let before = try target.engine.statistics().revision
        let later = try bring(since: revision)
        #expect(try reactions(target.engine) == reactions(source.engine))
        #expect(try reactions(target.engine).count == 38)
        // The merge removes four reactions and adds two.
        #expect(try commits(target.engine, after: before).reduce(0, +) == 6)
        _ = try bring(since: revision)
        #expect(try commits(target.engine, after: before).reduce(0, +) == 6)
        #expect(try bring(since: later) == later)
        #expect(try expectClean(target.engine) == [])
    }

    @Test func `reactions are removed in commits of a limited size, and reactions that were added here later stay`()
        throws
    {
        try source.engine.write(
            .saveMessage(NewMessage(id: message, conversation: .session(try SessionID("s")), text: "text")))
        for number in 0..<300 {
            try source.engine.write(.addReaction(reaction(number)))
        }
        let revision = try bring()
        for number in 10..<300 {
            try source.engine.write(.removeReaction(reaction(number)))
        }
        clocks.pass(seconds: 1)
        try target.engine.write(.removeReaction(reaction(200)))
        for number in [200, 2_000] {
            try target.engine.write(.addReaction(reaction(number)))
        }
        let before = try target.engine.statistics().revision
        _ = try bring(since: revision)
        let commits = try commits(target.engine, after: before)
        #expect(commits.reduce(0, +) == 289 && commits.allSatisfy { $0 <= EngineLimits.stepRowsMax })
        let here = try reactions(target.engine)
        #expect(here.map(\.authorSessionID.text) == (0..<10).map { "a\($0)" } + ["a200", "a2000"])
        #expect(try expectClean(target.engine) == [])
    }

    @Test func `reactions that both stores have are present after every commit, even if their order differs`() throws {
        try source.engine.write(
            .saveMessage(NewMessage(id: message, conversation: .session(try SessionID("s")), text: "text")))
        for number in 0..<300 {
            try source.engine.write(.addReaction(reaction(number)))
        }
        let revision = try bring()
        try source.engine.write(.removeReaction(reaction(299)))
        try source.engine.write(.editMessage(message, text: "edited", editedAt: nil))
        try target.engine.write(.removeReaction(reaction(0)))
        clocks.pass(seconds: 1)
        let before = try target.engine.statistics().revision
        _ = try bring(since: revision)
        #expect(try reactions(target.engine) == reactions(source.engine))
        let lost = try target.engine.makeReader().read { (connection) throws(StoreError) in
            let rows = try connection.rows(ArchiveChangeScan.commitsAfter, before + 1)
            var lost: [Int] = []
            while try rows.next() {
                let entries = try ChangeCodec.decode(rows.borrowedBytes(2)).filter { $0.kind == .reaction }
                lost.append(entries.count { $0.operation == .deleted } - entries.count { $0.operation == .created })
            }
            return lost
        }
        #expect(lost.count > 1 && lost.allSatisfy { $0 <= 1 }, "\(lost)")
    }

    @Test func `values of a scene are removed in commits of a limited size, except values that were set here later`()
        throws
    {
        let scene = try SceneName("scene")
        func set(_ keys: [String], _ engine: StoreEngine) throws {
            let changes = try keys.map { SceneChange(key: try SceneKey($0), value: [1]) }
            try engine.write(.setSceneValues(.sceneOnly(scene), changes, conditions: []))
        }
        for first in stride(from: 0, to: 700, by: 100) {
            try set((first..<(first + 100)).map { "key\($0)" }, source.engine)
        }
        let revision = try bring()
        try source.engine.write(.removeScene(scene))
        clocks.pass(seconds: 1)
        try set(["here"], target.engine)
        let before = try target.engine.statistics().revision
        let table = RecordTable()
        let file = try source.engine.archive(table, since: revision)
        let foretold = try target.engine.restore(file, table, .merge, isDryRun: true)
        let report = try target.engine.restore(file, table, .merge)
        // The source has also removed the values in several steps, so the archive has more removals than one step
        // makes.
        #expect(report.tally.updated[.removal] > 256 && foretold.tally == report.tally)
        let commits = try commits(target.engine, after: before)
        #expect(commits.reduce(0, +) == 700 && commits.allSatisfy { $0 <= EngineLimits.stepRowsMax })
        let left = try target.engine.archived().compactMap {
            if case .sceneValue(let value) = $0 { value.key.text } else { nil }
        }
        #expect(left == ["here"])
        #expect(try target.engine.restore(file, table, .merge).tally.kept[.removal] == 1)
    }

    @Test func `a removed directory is removed with all files, unless a file was written here later`() throws {
        for number in 0..<120 {
            try source.engine.write(
                .saveFile(
                    try FilePath(.document, "\(["goes", "stays"][number % 2])/d\(number % 7)/f\(number)"), [1],
                    createsParents: true))
        }
        let revision = try bring()
        for name in ["goes", "stays"] {
            try source.engine.write(.removeDirectory(try FilePath(.document, name), withChildren: true))
        }
        clocks.pass(seconds: 1)
        try target.engine.write(.saveFile(try FilePath(.document, "stays/d4/f11"), [2], createsParents: false))
        _ = try bring(since: revision)
        try target.engine.writer.waitForRemovals()
        let files = try target.engine.archived().compactMap {
            if case .file(let file) = $0 { file.path.text } else { nil }
        }
        #expect(files.count == 60 && files.allSatisfy { $0.hasPrefix("document/stays/") })
        #expect(try expectClean(target.engine) == [])
    }

    /// Runs one step of the comparison. The time limit of its transaction has already passed, so the step does as
    /// little as possible.
    private func step(_ look: DirectoryLook?, _ path: FilePath) throws -> (DirectoryLook, DirectoryLook.Step) {
        let time = clocks.wall
        return try target.engine.writer.perform { (context) throws(StoreError) in
            try context.commit { (connection) throws(StoreError) in
                let slice = WorkSlice.ofCommit()
                while !slice.isOver {}
                let transaction = Transaction(
                    connection: connection, statistics: context.statistics, now: time, slice: slice,
                    clock: context.clock)
                guard let row = try FileRow.find(path, connection) else { throw .fileNotFound }
                var look = look ?? DirectoryLook(row.number, path, time, context.statistics.revision)
                let step = try look.step(transaction)
                return (look, step)
            }
        }
    }

    @Test func `changes in a directory between two steps of the comparison are noticed`() throws {
        let directory = try FilePath(.document, "d")
        func save(_ path: String) throws {
            try target.engine.write(.saveFile(try FilePath(.document, path), [UInt8(7)], createsParents: true))
        }
        for number in 10..<50 {
            try save("d/f\(number)")
        }
        let (begun, first) = try step(nil, directory)
        #expect(first == .unfinished)
        clocks.pass(seconds: 1)
        try save("elsewhere")
        try target.engine.write(.deleteFile(try FilePath(.document, "d/f11")))
        var (look, next) = try step(begun, directory)
        while next == .unfinished {
            (look, next) = try step(look, directory)
        }
        #expect(next == .unchanged)
        // The comparison has already passed the name "f10", so only the file's revision shows the change.
        try target.engine.write(.moveFile(try FilePath(.document, "elsewhere"), to: try FilePath(.document, "d/f10")))
        #expect(try step(begun, directory).1 == .changedLater)
    }

    @Test(arguments: ["d", "p"])
    func `a directory that was moved away and back between two steps counts as changed`(moved: String) throws {
        let directory = try FilePath(.document, "p/d")
        func save(_ path: String) throws {
            try target.engine.write(.saveFile(try FilePath(.document, path), [UInt8(7)], createsParents: true))
        }
        for number in 10..<50 {
            try save("p/d/f\(number)")
        }
        let (begun, first) = try step(nil, directory)
        #expect(first == .unfinished)
        clocks.pass(seconds: 1)
        let (here, away, file) = moved == "d" ? ("p/d", "away", "away/f0") : ("p", "away", "away/d/f0")
        try target.engine.write(.moveFile(try FilePath(.document, here), to: try FilePath(.document, away)))
        try save(file)
        try target.engine.write(.moveFile(try FilePath(.document, away), to: try FilePath(.document, here)))
        var (look, next) = try step(begun, directory)
        while next == .unfinished {
            (look, next) = try step(look, directory)
        }
        #expect(next == .changedLater)
    }

    @Test func `a comparison starts again if the changes since its last step are compacted`() throws {
        let directory = try FilePath(.document, "d")
        for number in 10..<50 {
            try target.engine.write(
                .saveFile(try FilePath(.document, "d/f\(number)"), [1], createsParents: true))
        }
        let (begun, first) = try step(nil, directory)
        clocks.pass(seconds: 1)
        try target.engine.write(.saveFile(try FilePath(.document, "d/f10"), [2], createsParents: false))
        try target.engine.write(.compactChanges(throughRevision: try target.engine.statistics().revision))
        try target.engine.write(.saveFile(try FilePath(.document, "elsewhere"), [2], createsParents: false))
        #expect(first == .unfinished)
        #expect(try step(begun, directory).1 == .changedLater)
    }
}
