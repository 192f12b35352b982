import CSimulatedDisk
import StoreBasics

/// Stores that survive power cuts and kills, one life after the other.
struct Cuts {
    struct Tally {
        var cuts = 0
        var kills = 0
        var lives = 0
        var stores = 0
        var answers: UInt64 = 0
        var losses: UInt64 = 0
    }

    /// A description of what is wrong, and the life that found it.
    struct Failure: Error {
        let storeSeed: UInt64
        let life: Int
        let words: String
    }

    private static let livesMax = 24
    static let allSites = UInt64.max
    /// The factor by which time runs faster for the store.
    private static let hurry: Int32 = 500

    let folder: String
    /// The site whose syncs have no effect; 0 if all syncs work.
    var droppedSite: UInt64 = 0
    var findsSites = false
    /// The focus of the stores to run; `nil` for all.
    var focus: Focus?
    private(set) var tally = Tally()

    init(in folder: String) {
        self.folder = folder
    }

    /// Runs stores until there were `count` more power cuts. The seeds of the stores follow from `seed`.
    mutating func run(_ count: Int, seed: UInt64) throws(Failure) {
        var storeSeed = seed
        let end = tally.cuts + count
        while tally.cuts < end {
            if focus.map({ $0 == Focus(ofStore: storeSeed) }) ?? true {
                try runStore(seed: storeSeed, cutsMax: end - tally.cuts)
            }
            storeSeed &+= 1
        }
    }

    /// Runs the lives of one store, from its creation on.
    mutating func runStore(seed: UInt64, cutsMax: Int = .max) throws(Failure) {
        disk_format()
        tally.stores += 1
        var random = SplitMix(seed: SplitMix.mix(seed))
        // The estimated numbers of operations and syncs of a life. Each life updates them.
        var (operations, syncs) = (UInt64(120), UInt64(20))
        let cutsBefore = tally.cuts
        // Some syncs happen only once in a store, such as the syncs of its creation. To notice that such a sync is
        // dropped, many stores must be tried. So some of the stores get few lives, which leaves more power cuts for
        // others.
        let lives = isSiteDropped ? random.element(of: [3, 6, Self.livesMax]) ?? Self.livesMax : Self.livesMax
        let focus = Focus(ofStore: seed)
        for number in 0..<lives where tally.cuts - cutsBefore < cutsMax {
            // Only one change is allowed before a loss is accepted, because a second change of the same byte would undo
            // the first.
            if focus == .losses, !Ledger().isRestoring, !Ledger().isTamperedWith, random.isOne(of: 6) {
                let damage = Life.Amount.tampering(.damagedSegment)
                try run(Life(in: folder, storeSeed: seed, number: number, work: damage), disk_plan())
            }
            let life = Life(
                in: folder, storeSeed: seed, number: number, work: .random, isChecked: random.isOne(of: 4))
            try run(life, plan(&random, operations, syncs))
            operations = max(operations / 2, disk_operations(), 60)
            syncs = max(syncs / 2, disk_syncs(), 10)
            if random.isOne(of: isSiteDropped ? 3 : 5) {
                tally.kills += 1
            } else {
                disk_cut_power(random.next(), Self.luck(&random))
                tally.cuts += 1
            }
        }
        try run(
            Life(in: folder, storeSeed: seed, number: lives, work: .none, isChecked: true), disk_plan())
        tally.answers += Ledger().answers
        tally.losses += Ledger().losses
    }

    private mutating func run(_ life: Life, _ plan: disk_plan) throws(Failure) {
        var plan = plan
        plan.dropped_site = droppedSite
        plan.finds_sites = findsSites ? 1 : 0
        plan.hurry = Self.hurry
        if droppedSite != Self.allSites {
            plan.guardErasures()
        }
        tally.lives += 1
        switch life.run(plan) {
        case .done, .ended: return
        case .stopped: throw Failure(storeSeed: life.storeSeed, life: life.number, words: "the store stopped")
        case .failed(let words): throw Failure(storeSeed: life.storeSeed, life: life.number, words: words)
        }
    }

    private var isSiteDropped: Bool { droppedSite != 0 && droppedSite != Self.allSites }

    /// Draws the end of a life at random: at any operation, or right before or after a sync.
    private func plan(_ random: inout SplitMix, _ operations: UInt64, _ syncs: UInt64) -> disk_plan {
        var plan = disk_plan()
        if isSiteDropped, random.isOne(of: 2) {
            plan.end_behind_drop = random.element(of: [1, 2, 3, 5, 10, 30, 100]) ?? 1
            plan.drops_before_end = UInt64(random.number(below: 4))
            return plan
        }
        switch random.number(below: 10) {
        case 0...3: plan.end_at_operation = 1 + random.next() % operations
        case 4...8:
            plan.end_at_sync = 1 + random.next() % syncs
            plan.ends_behind_sync = random.isOne(of: 2) ? 1 : 0
        default: break
        }
        return plan
    }

    private static func luck(_ random: inout SplitMix) -> disk_luck {
        random.element(of: [DISK_NOTHING, DISK_SOME, DISK_SOME, DISK_SOME, DISK_SOME, DISK_EVERYTHING]) ?? DISK_SOME
    }
}
