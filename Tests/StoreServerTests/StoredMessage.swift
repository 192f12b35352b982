import StoreEngine

/// The engine's `Message`, for files that import SwiftProtobuf, which has a `Message` of its own.
typealias StoredMessage = Message
