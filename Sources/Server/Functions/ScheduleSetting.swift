import Functions

/// A time at which a function is called, as it is configured.
package struct ScheduleSetting: Sendable, Equatable {
    package let text: String
    package var zone: String?
    /// Nil: by how it is written.
    package var sender: Schedule.Sender?

    package init(text: String, zone: String? = nil, sender: Schedule.Sender? = nil) {
        self.text = text
        self.zone = zone
        self.sender = sender
    }
}
