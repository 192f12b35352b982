package import StoreBasics

/// What was removed, in an archive of changes. Whatever the archive holds of the same name was made after that.
package struct ArchivedRemoval: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case contact(EntityID)
        /// With its messages and its draft.
        case conversation(EntityID)
        case message(EntityID)
        /// Of the conversation with this id.
        case draft(EntityID)
        /// Without a scene: of the global tier.
        case sceneValue(SceneName?, SceneKey)
        /// All values of its own.
        case scene(SceneName)
        case log(LogName)
        /// With all that it holds, where it is a directory.
        case file(FilePath)
        /// Of the message before it: others than those that follow the message.
        case reactions(of: EntityID)
    }

    package var subject: Subject
    package var removedAt: Timestamp

    package init(_ subject: Subject, removedAt: Timestamp) {
        self.subject = subject
        self.removedAt = removedAt
    }
}
