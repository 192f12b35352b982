import Testing

// The macros of Testing take expressions apart and then cannot call what mutates. These functions take values.

/// `#require` for the result of a mutating call.
func unwrap<Value>(_ value: Value?) throws -> Value {
    try #require(value)
}

/// `#expect(actual == expected)` for the result of a mutating call.
func check<Value: Equatable>(_ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
