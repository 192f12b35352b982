import Testing

@testable import SceneStorage
@testable import StoreClient

/// Objects over one memory whose writer is moved by hand, beside the original.
final class InterleavedScenes {
    private var memory: SceneMemory
    private let daemon = FakeScene()
    private var model = OriginalScenes()
    private let scenes: [String]
    private let members: [SceneMember]
    private var pending: SceneWork?

    init(_ scenes: [String]) {
        var memory = openMemory(scenes: scenes)
        // The first object of each scene is there by its opening.
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

    func perform(_ step: SceneStep) {
        _ = memory.change(step.changes, by: members[step.object])
        step.apply(to: &model, scenes[step.object])
    }

    /// What every object answers for every key.
    var answers: [[Int?]] {
        scenes.map { scene in
            SceneStep.keys.map { key in
                memory.value(ExactName(scene), ExactName(key)).flatMap { Int(sceneValue: $0) }
            }
        }
    }

    var expected: [[Int?]] {
        scenes.map { scene in SceneStep.keys.map { model.value($0, scene) } }
    }

    var written: [[String: SceneValue]] {
        scenes.map { daemon.ownValues($0) } + [daemon.values]
    }

    var expectedWritten: [[String: SceneValue]] {
        (scenes.map { model.own[$0] ?? [:] } + [model.standard]).map { $0.mapValues { .integer(Int64($0)) } }
    }

    /// The writer takes something to do, or ends what it took; its own changes come back as news then.
    func advance() async throws {
        guard let work = pending else {
            pending = memory.takeWork()
            return
        }
        pending = nil
        switch work {
        case .write(let batch):
            let revision = try await daemon.set(batch.scene.text, batch.changes, key: IdempotencyKey())
            _ = memory.written(batch, revision: revision)
            for scene in Set(scenes) {
                // As if others had changed everything: all is read again.
                _ = memory.mayHaveMissedChanges(ExactName(scene))
            }
        case .read(let scene, let refresh):
            _ = memory.wasRead(scene, refresh, try await daemon.values(scene.text, refresh.keys))
        case .end:
            break
        }
    }

    func finish() async throws {
        while pending != nil || memory.unwrittenCount(ExactName(scenes[0])) > 0 || hasMore {
            try await advance()
        }
    }

    private var hasMore: Bool {
        pending = memory.takeWork()
        return pending != nil
    }
}
