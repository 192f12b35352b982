/// Whether commits of the open store may be missing, so that files and slots of the vault that no row names are kept
/// for whoever puts these commits back.
enum PossibleLoss {
    /// As the opening tells.
    case asOpened
    /// An opening could not tell, and until then they are waited for.
    case awaited(until: ContinuousClock.Instant)
    /// Whatever the opening told does not matter any more.
    case settled

    /// When they are not waited for any more; `nil` while none are.
    var end: ContinuousClock.Instant? {
        if case .awaited(let end) = self { end } else { nil }
    }

    /// - Parameter isOpenedWithLoss: what the opening tells.
    func isPossible(_ isOpenedWithLoss: () -> Bool) -> Bool {
        switch self {
        case .asOpened: isOpenedWithLoss()
        case .awaited: true
        case .settled: false
        }
    }

    /// The store was closed. What is waited for is so over the next opening too.
    mutating func storeClosed() {
        if case .settled = self {
            self = .asOpened
        }
    }

    /// Another store is in the place of the one that commits may be missing of.
    mutating func storeExchanged() {
        if case .awaited = self {
            self = .asOpened
        }
    }
}
