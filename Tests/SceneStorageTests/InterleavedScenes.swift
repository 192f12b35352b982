import Testing

@testable import SceneStorage
@testable import StoreClient

/// Objects that share one memory, compared with a model of the original library. The test advances the writer step by
/// step, closes and opens objects, and makes writes fail with and without an effect.
final class InterleavedScenes {
    private var memory: SceneMemory
    private let daemon = FakeScene()
    private var model = OriginalScenes()
    private let scenes: [String]
    /// The open objects. A closed object is `nil`.
    private var members: [SceneMember?]
    /// Indexes of objects that wait for their scene to be read.
    private var opening: [Int] = []
    private var isPendingOpening = false
    private var pending: SceneWork?
    /// The batch whose write failed and is tried again.
    private var failed: SceneBatch?
    private var key = IdempotencyKey()
    private let news: SceneNews
    private var random: SplitMix

    init(_ scenes: [String], seed: UInt64) {
        random = SplitMix(seed: ~seed)
        news = SceneNews(scenes)
        var memory = openMemory(scenes: scenes)
        // This opening never ends, so the memory stays in use even while all objects are closed.
        _ = memory.beginOpening()
        // Opening a scene creates its first object.
        var members: [SceneMember] = []
        for (index, scene) in scenes.enumerated() {
            if let first = scenes.firstIndex(of: scene), first < index {
                guard case .joined(let member) = memory.join(ExactName(scene)) else { preconditionFailure("open") }
                members.append(member)
            } else {
                members.append(SceneMember(number: Set(scenes[...index]).count))
            }
        }
        self.memory = memory
        self.scenes = scenes
        self.members = members
    }

    /// Applies a step to the object that the step names. If the object is closed, opens it instead.
    func perform(_ step: SceneStep) {
        guard let member = members[step.object] else { return open(step.object) }
        _ = memory.change(step.changes, by: member)
        step.apply(to: &model, scenes[step.object])
    }

    /// Applies a step as another process would, directly in the daemon.
    func performElsewhere(_ step: SceneStep) async throws {
        try await write(scenes[step.object], step.changes, key: IdempotencyKey())
    }

    func close(_ object: Int) {
        guard let member = members[object] else { return }
        _ = memory.leave(member)
        memory.forget(member)
        members[object] = nil
    }

    private func open(_ object: Int) {
        switch memory.join(ExactName(scenes[object])) {
        case .joined(let member): members[object] = member
        case .isToBeOpened:
            news.begin(scenes[object])
            opening.append(object)
        case .isBeingOpened: break
        }
    }

    /// The value of every key in every open object.
    var answers: [[Int?]?] {
        scenes.indices.map { object in members[object].map { _ in shown(scenes[object]) } }
    }

    private func shown(_ scene: String) -> [Int?] {
        SceneStep.keys.map { memory.value(ExactName(scene), ExactName($0)).flatMap { Int(sceneValue: $0) } }
    }

    var expected: [[Int?]?] {
        scenes.indices.map { object in
            members[object].map { _ in SceneStep.keys.map { model.value($0, scenes[object]) } }
        }
    }

    var written: [[String: SceneValue]] {
        scenes.map { daemon.ownValues($0) } + [daemon.values]
    }

    var expectedWritten: [[String: SceneValue]] {
        (scenes.map { model.own[$0] ?? [:] } + [model.standard]).map { $0.mapValues { .integer(Int64($0)) } }
    }

    /// The values that the daemon would return for every key of every object.
    var kept: [[Int?]?] {
        scenes.map { scene in
            let (own, shared) = (daemon.ownValues(scene), daemon.values)
            return SceneStep.keys.map { (own[$0] ?? shared[$0]).flatMap { Int(sceneValue: $0) } }
        }
    }

    /// Delivers the next change of a scene to its open object.
    func hear(_ scene: String) {
        guard isOpen(scene), let change = news.next(scene) else { return }
        _ = memory.remoteChange(change, seenBy: ExactName(scene))
    }

    private func isOpen(_ scene: String) -> Bool {
        scenes.indices.contains { scenes[$0] == scene && members[$0] != nil }
    }

    /// Lets the writer start its next work, or finish the work that it started.
    func advance(maySucceedOnly: Bool = false) async throws {
        guard let work = pending else {
            pending = beginNextWork(maySucceedOnly)
            return
        }
        pending = nil
        switch work {
        case .write(let batch):
            let fate = maySucceedOnly ? 2 : Int.random(in: 0..<6, using: &random)
            // If the fate is 0, the request is lost. If it is 1, the response is lost.
            let revision = fate == 0 ? 0 : try await write(batch.scene.text, batch.changes, key: key)
            failed = fate < 2 ? batch : nil
            if fate < 2 {
                _ = memory.failed(StoreClientError(code: .unavailable, reason: .connectionLost, message: "gone"))
            } else {
                _ = memory.written(batch, revision: revision)
            }
        case .read(let reading):
            _ = memory.wasRead(reading, try await daemon.values(reading.scene.text, reading.refresh.keys))
            if isPendingOpening {
                members[opening.removeFirst()] = memory.opened(reading.scene).member
            }
            isPendingOpening = false
        case .end:
            preconditionFailure("somebody opens one")
        }
    }

    private func beginNextWork(_ mustWrite: Bool) -> SceneWork? {
        if failed == nil || Bool.random(using: &random), let object = opening.first {
            isPendingOpening = true
            return .read(SceneReading(scene: ExactName(scenes[object]), refresh: .everything))
        }
        guard let failed else {
            key = IdempotencyKey()
            return memory.beginNextWork()
        }
        if !mustWrite || Bool.random(using: &random), let reading = memory.beginNextReading() {
            return .read(reading)
        }
        return .write(failed)
    }

    @discardableResult
    private func write(_ scene: String, _ changes: [SceneChange], key: IdempotencyKey) async throws -> UInt64 {
        let before = (daemon.ownValues(scene), daemon.values)
        let revision = try await daemon.set(scene, changes, key: key)
        for key in Set(changes.map(\.key)).sorted() {
            if before.0[key] != daemon.ownValues(scene)[key] {
                news.append(change(key, scene: scene, revision: revision))
            }
            if before.1[key] != daemon.values[key] {
                news.append(change(key, scene: nil, revision: revision))
            }
        }
        return revision
    }

    /// Opens every scene, delivers all changes and lets the writer finish all work.
    func finish() async throws {
        for object in scenes.indices where members[object] == nil {
            open(object)
        }
        repeat {
            try await advance(maySucceedOnly: true)
            for scene in Set(scenes) {
                hear(scene)
            }
        } while pending != nil || failed != nil || !opening.isEmpty || memory.unwrittenCount(ExactName(scenes[0])) > 0
            || news.isLeft(for: Set(scenes)) || hasMore
        for object in scenes.indices where members[object] == nil {
            open(object)
        }
    }

    private var hasMore: Bool {
        pending = beginNextWork(true)
        return pending != nil
    }
}

/// The changes of all scenes. Each open scene receives its own changes and the global ones, in order.
private final class SceneNews {
    private var changes: [Change] = []
    /// The number of changes that each scene has received.
    private var heard: [String: Int]

    init(_ scenes: [String]) {
        heard = Dictionary(scenes.map { ($0, 0) }) { first, _ in first }
    }

    func append(_ change: Change) {
        changes.append(change)
    }

    /// Starts to deliver changes to a scene, beginning with the next change that is appended.
    func begin(_ scene: String) {
        heard[scene] = changes.count
    }

    func next(_ scene: String) -> Change? {
        while let place = heard[scene], place < changes.count {
            heard[scene] = place + 1
            if changes[place].scene == nil || changes[place].scene == scene {
                return changes[place]
            }
        }
        return nil
    }

    func isLeft(for scenes: Set<String>) -> Bool {
        scenes.contains { heard[$0] != changes.count }
    }
}
