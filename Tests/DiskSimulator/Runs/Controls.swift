import Glibc

/// Leaves out the syncs of one place in the program after the other: what a test does not notice then, it does not
/// test. Of the superfluous ones in `SpareSyncs` nothing is to be noticed, of the rare ones there anything may be,
/// and of all others something is.
struct Controls {
    private static let cutsToFind = 250

    private let folder: String
    private let seed: UInt64

    private struct Site {
        let hash: UInt64
        var name: String
        /// In the stores of each focus.
        var counts: [UInt64]

        var count: UInt64 { counts.reduce(0, +) }

        /// Where it is met, most often first.
        var focuses: [Focus] {
            Focus.allCases.filter { counts[$0.rawValue] > 0 }.sorted { counts[$0.rawValue] > counts[$1.rawValue] }
        }
    }

    init(in folder: String, seed: UInt64) {
        self.folder = folder
        self.seed = seed
    }

    /// - Parameters:
    ///   - cutsMax: after so many cuts a place counts as not noticed.
    ///   - part: which of how many parts of all places is looked at.
    func run(cutsMax: Int, sites wanted: String, part: Part) -> Bool {
        guard let found = find() else { return false }
        var isWell = true
        if wanted.isEmpty {
            let names = Set(found.map(\.name))
            for spare in SpareSync.all where spare.kind == .superfluous && !names.contains(spare.place) {
                isWell = false
                print("NOT FOUND any more: \(spare.place)")
            }
        }
        let chosen = found.filter { wanted.isEmpty || $0.name.contains(wanted) }
        for site in chosen where part.has(Int(site.hash % 1_000)) {
            isWell = leaveOut(site, cutsMax) && isWell
            fflush(nil)
        }
        return isWell
    }

    private func leaveOut(_ site: Site, _ cutsMax: Int) -> Bool {
        let spare = SpareSync.all.first { $0.place == site.name }
        var cuts = Cuts(in: folder)
        cuts.droppedSite = site.hash
        let place = "\(site.name) (\(site.counts.map(String.init).joined(separator: ", ")) syncs)"
        do throws(Cuts.Failure) {
            for focus in site.focuses {
                cuts.focus = focus
                try cuts.run(cutsMax / site.focuses.count, seed: seed)
            }
            guard let spare else {
                print("NOT NOTICED in \(cuts.tally.cuts) cuts: \(place)")
                return false
            }
            print("not noticed in \(cuts.tally.cuts) cuts, as expected (\(spare.reason)): \(place)")
            return true
        } catch {
            let isSuperfluous = spare?.kind == .superfluous
            print(
                "\(isSuperfluous ? "NOTICED, which nothing explains," : "noticed") after \(cuts.tally.cuts) cuts: "
                    + "\(place): \(error.words)")
            return !isSuperfluous
        }
    }

    /// All that whole runs come to, by their names; `nil` where one of them failed.
    private func find() -> [Site]? {
        var found: [Site] = []
        for focus in Focus.allCases {
            var cuts = Cuts(in: folder)
            cuts.findsSites = true
            cuts.focus = focus
            do throws(Cuts.Failure) {
                try cuts.run(Self.cutsToFind, seed: seed)
            } catch {
                print("FAILED without a sync left out: store \(error.storeSeed), life \(error.life): \(error.words)")
                return nil
            }
            for (index, site) in SyncSite.all().enumerated() {
                if index == found.count {
                    found.append(Site(hash: site.hash, name: site.name, counts: Focus.allCases.map { _ in 0 }))
                }
                found[index].counts[focus.rawValue] = site.count - found[index].count
            }
        }
        return found.sorted { $0.name < $1.name }
    }
}
