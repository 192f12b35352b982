import StoreProtocol

extension WireArchiveAim {
    init(_ aim: ArchiveAim) {
        switch aim {
        case .verify: self = .verify
        case .fillEmpty: self = .fillEmpty
        case .merge: self = .merge
        }
    }
}
