import Testing

// The macros of Swift Testing split expressions, which fails for calls of mutating methods. These functions take values
// instead.

/// Does what `#require` does, for the result of a mutating call.
func unwrap<Value>(_ value: Value?) throws -> Value {
    try #require(value)
}

/// Does what `#expect(actual == expected)` does, for the result of a mutating call.
func check<Value: Equatable>(_ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
