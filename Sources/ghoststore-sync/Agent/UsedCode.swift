import Logging
import ReplicaModel

extension Logger {
    /// Logs that an invitation admits no device any more. This is no attack: usually a person has typed an old code.
    func reportUsedCode(_ channel: ReplicaChannel) {
        warning(
            "a device cannot join with this code: it has expired, another device has used it, or the group is full",
            metadata: ["channel": "\(channel.text)"])
    }
}
