import CSimulatedDisk
import FoundationEssentials
import Glibc
import StoreBasics

/// Repeats the steps of one walk. In each repetition, a new store takes the steps, and a power cut interrupts it at a
/// later operation on the disk than in the repetition before.
struct WalkedHistory {
    struct Failure: Error {
        let words: String
    }

    /// The size of a segment. It is so small that a new segment begins every few works.
    private static let segmentBytes = 6 << 10
    private static let headBytes = 128
    private static let missesMax = 20

    private let folder: String
    private let seed: UInt64
    /// The distance between the operations at which a life is interrupted.
    private let stride: UInt64
    /// The site whose syncs have no effect; 0 if all syncs work.
    var droppedSite: UInt64 = 0
    /// The name of a call site. The walk ends when a sync of this site is found.
    var sought: String?
    private(set) var found: SyncSite?
    private var lives = 0
    /// A description of the operation at which the life is interrupted, for messages.
    private(set) var place = ""
    private(set) var places = 0
    private(set) var losses: UInt64 = 0
    /// The number of works that remained after an accepted loss; `nil` before the first loss.
    private var worksLeft: Int?
    /// The number of operations in the interrupted life that can fail.
    private var fallible: UInt64 = 0

    init(in folder: String, seed: UInt64, stride: UInt64) {
        self.folder = folder
        self.seed = seed
        self.stride = stride
    }

    /// The number to which the stride is added to get the first operation. It depends on the seed, so that different
    /// seeds interrupt the life at different operations.
    private var beforeFirst: UInt64 { (1 + seed % stride) &- stride }

    mutating func run(_ walk: Walk) throws(Failure) {
        switch walk.how {
        case .none: try walkOnce(walk, disk_plan())
        case .killed:
            var plan = disk_plan()
            plan.end_at_operation = beforeFirst
            repeat {
                plan.end_at_operation &+= stride
                place = "operation \(plan.end_at_operation)"
            } while try walkOnce(walk, plan) == .ended && found == nil
        case .killedAtSyncs:
            var plan = disk_plan()
            plan.end_at_sync = beforeFirst
            repeat {
                plan.end_at_sync &+= stride
                place = "sync \(plan.end_at_sync)"
            } while try walkOnce(walk, plan) == .ended && found == nil
        case .failing:
            var plan = disk_plan()
            plan.error = EIO
            plan.fail_at = beforeFirst
            repeat {
                plan.fail_at &+= stride
                place = "operation \(plan.fail_at), which failed"
                try walkOnce(walk, plan)
            } while fallible >= plan.fail_at && found == nil
        case .killedTwice(let volatile, let next):
            try walkTwice(walk, volatile, next)
        }
        if sought == nil {
            try expectMeaning(walk)
        }
    }

    /// Checks that the walk interrupted its life at two or more operations, unless it interrupts no life, and that a
    /// loss was accepted exactly if the walk says so.
    private func expectMeaning(_ walk: Walk) throws(Failure) {
        if case .none = walk.how {
        } else if places < 2 {
            throw Failure(words: "the life was broken off nowhere")
        }
        guard (losses > 0) == walk.acceptsLoss else {
            throw Failure(words: walk.acceptsLoss ? "nothing was lost" : "something was lost")
        }
    }

    /// Runs the walk once.
    ///
    /// - Returns: the way in which the life with the plan ended.
    @discardableResult
    private mutating func walkOnce(_ walk: Walk, _ plan: disk_plan) throws(Failure) -> LifeEnd {
        try begin(walk)
        let end = try live(walk.broken, plan, isKilled: true)
        fallible = disk_fallible()
        try finish(walk)
        return end
    }

    private mutating func walkTwice(_ walk: Walk, _ volatile: Walk.Volatile, _ next: Life.Amount) throws(Failure) {
        var plan = disk_plan()
        var end = LifeEnd.ended
        while end == .ended, found == nil {
            // The stride does not apply here. Every sync is tried, because few syncs leave the state that this walk
            // needs.
            plan.end_at_sync += 1
            var (nextPlan, nextEnd) = (disk_plan(), LifeEnd.ended)
            var misses = 0
            while nextEnd == .ended, misses < Self.missesMax {
                place = "sync \(plan.end_at_sync), then sync \(nextPlan.end_at_sync + 1)"
                try begin(walk)
                end = try live(walk.broken, plan, isKilled: true)
                guard hasSegment(volatile) else {
                    // Background maintenance of the store shifts the syncs, so the state may be absent in one try.
                    misses += nextPlan.end_at_sync == 0 ? Self.missesMax : 1
                    continue
                }
                nextPlan.end_at_sync += 1
                nextEnd = try live(next, nextPlan, isKilled: false)
                try finish(walk)
            }
        }
    }

    private mutating func begin(_ walk: Walk) throws(Failure) {
        disk_format()
        lives = 0
        for step in walk.before {
            try perform(step)
        }
    }

    private mutating func finish(_ walk: Walk) throws(Failure) {
        places += 1
        for step in walk.after {
            try perform(step)
        }
        try expectSameLoss()
        try live(.records(rounds: 1), disk_plan(), isKilled: false, isChecked: true)
    }

    /// Checks that an accepted loss always leaves the same works, wherever it was interrupted: all that could be
    /// replayed.
    private mutating func expectSameLoss() throws(Failure) {
        let ledger = Ledger()
        guard ledger.losses > 0 else { return }
        losses += ledger.losses
        let works = (0..<Client.count).reduce(0) { $0 + ledger.progress(of: $1).answered }
        guard works == worksLeft ?? works else {
            throw Failure(words: "the loss left \(works) works, and elsewhere \(worksLeft ?? 0)")
        }
        worksLeft = works
    }

    private mutating func perform(_ step: Walk.Step) throws(Failure) {
        switch step {
        case .life(let amount): try live(amount, disk_plan(), isKilled: false)
        case .killed(let amount): try live(amount, disk_plan(), isKilled: true)
        case .powerCut(let luck): disk_cut_power(seed, luck)
        }
    }

    @discardableResult
    private mutating func live(
        _ amount: Life.Amount, _ plan: disk_plan, isKilled: Bool, isChecked: Bool = false
    ) throws(Failure) -> LifeEnd {
        lives += 1
        var plan = plan
        plan.dropped_site = droppedSite
        plan.finds_sites = sought == nil ? 0 : 1
        let isFaulty = plan.error != 0
        if !isFaulty {
            plan.guardErasures()
        }
        let life = Life(
            in: folder, storeSeed: seed, number: lives, work: amount, isFaulty: isFaulty, isChecked: isChecked,
            isKilled: isKilled, segmentBytes: Self.segmentBytes)
        let end = life.run(plan)
        if let sought, found == nil {
            found = SyncSite.all().first { $0.name == sought }
        }
        switch end {
        case .done, .ended: return end
        case .stopped where isFaulty: return end
        case .stopped: throw Failure(words: "life \(lives): the store stopped")
        case .failed(let words): throw Failure(words: words)
        }
    }

    /// Returns true if the part of the journal that `volatile` selects (the size of a file, or the header of a segment)
    /// is visible but not durable, so that a power cut may change it.
    private func hasSegment(_ volatile: Walk.Volatile) -> Bool {
        let journal = folder + "/disk/state/journal"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []
        return names.contains { name in
            let path = "\(journal)/\(name)"
            let seen = FileManager.default.contents(atPath: path).map { Array($0) } ?? []
            switch volatile {
            case .fileSize: return seen.count > max(0, disk_read_durable(path, nil, 0, 0))
            case .header:
                var durable = [UInt8](repeating: 0, count: Self.headBytes)
                disk_read_durable(path, &durable, durable.count, 0)
                return !durable.starts(with: seen.prefix(durable.count))
            }
        }
    }
}
