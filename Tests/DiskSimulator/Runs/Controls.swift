import Glibc

/// Checks the tests themselves: for each call site in turn, drops the syncs of the site and runs power cuts, which must
/// then find an error. `SpareSyncs` lists the exceptions: without a superfluous sync the power cuts must find no error,
/// and without a rare sync they may or may not find an error.
struct Controls {
    private static let cutsToFind = 250

    private let folder: String
    private let seed: UInt64

    private struct Site {
        let hash: UInt64
        var name: String
        /// The numbers of syncs at this site, one for each focus, in the order of `Focus.allCases`.
        var counts: [UInt64]

        var count: UInt64 { counts.reduce(0, +) }

        /// The focuses whose stores reach the site, the most frequent first.
        var focuses: [Focus] {
            Focus.allCases.filter { counts[$0.rawValue] > 0 }.sorted { counts[$0.rawValue] > counts[$1.rawValue] }
        }
    }

    init(in folder: String, seed: UInt64) {
        self.folder = folder
        self.seed = seed
    }

    /// Runs the controls and prints the result for each site. Returns true if each result is as expected.
    ///
    /// - Parameters:
    ///   - cutsMax: the number of power cuts without an error after which the loss of a site's syncs counts as not
    ///     noticed.
    ///   - part: the part of all sites that this process checks.
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

    /// Runs stores of each focus with all syncs working. Returns the sites of their syncs, sorted by name; `nil` if a
    /// run failed.
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
