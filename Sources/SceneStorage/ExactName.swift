/// The name of a scene or a key, compared by its bytes, as the store does. Texts that Swift considers equal may differ
/// in their bytes.
struct ExactName: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The position of a value: a key in a scene, or in the values that all scenes share.
struct ScenePlace: Hashable, Sendable {
    /// The scene; `nil` for the shared values.
    let scene: ExactName?
    let key: ExactName
}
