import Functions

/// A time at which a function is called, as it is configured.
package struct ScheduleSetting: Sendable, Equatable {
    package let text: String
    package var zone: String?
    /// Nil: by how it is written.
    package var sender: Schedule.Sender?
    /// What the function is told, as JSON; nil: the sender's event.
    package var input: String?

    package init(text: String, zone: String? = nil, sender: Schedule.Sender? = nil, input: String? = nil) {
        self.text = text
        self.zone = zone
        self.sender = sender
        self.input = input
    }
}
