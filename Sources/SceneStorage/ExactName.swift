/// A scene's name or a key as the store compares them, by their bytes: texts that Swift takes for equal may differ in
/// these.
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

/// A place for a value: under a key of a scene, or of what all scenes share.
struct ScenePlace: Hashable, Sendable {
    /// `nil`: what all scenes share.
    let scene: ExactName?
    let key: ExactName
}
