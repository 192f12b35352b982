extension CallKind {
    /// The index of the call in `allCases`. Tables with one row for each call use it, because field numbers have gaps.
    package var position: Int { Int(Self.positions[Int(rawValue)]) }

    /// The position of each call, at the index of its raw value.
    private static let positions: [UInt16] = {
        var positions = [UInt16](repeating: 0, count: Int(allCases.map(\.rawValue).max() ?? 0) + 1)
        for (position, kind) in allCases.enumerated() {
            positions[Int(kind.rawValue)] = UInt16(position)
        }
        return positions
    }()
}
