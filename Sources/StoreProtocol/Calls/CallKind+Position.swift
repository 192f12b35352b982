extension CallKind {
    /// Its place among all calls, below their number: for tables with a row for each.
    package var position: Int { Int(Self.positions[Int(rawValue)]) }

    /// By raw value.
    private static let positions: [UInt16] = {
        var positions = [UInt16](repeating: 0, count: Int(allCases.map(\.rawValue).max() ?? 0) + 1)
        for (position, kind) in allCases.enumerated() {
            positions[Int(kind.rawValue)] = UInt16(position)
        }
        return positions
    }()
}
