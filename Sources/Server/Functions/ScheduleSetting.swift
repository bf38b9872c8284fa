/// A time at which a function is called, as it is configured.
package struct ScheduleSetting: Sendable, Equatable {
    package let text: String
    package var zone: String?

    package init(text: String, zone: String? = nil) {
        self.text = text
        self.zone = zone
    }
}
