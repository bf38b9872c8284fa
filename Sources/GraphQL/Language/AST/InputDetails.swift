/// What few arguments and input fields have. The others are small without it, and a schema has thousands of them.
final class InputDetails: Sendable {
    let description: StringValue?
    let defaultValue: Value?
    let directives: [Directive]

    private init(_ description: StringValue?, _ defaultValue: Value?, _ directives: [Directive]) {
        self.description = description
        self.defaultValue = defaultValue
        self.directives = directives
    }

    /// Nil when there is nothing to keep.
    static func of(description: StringValue?, defaultValue: Value?, directives: [Directive]) -> InputDetails? {
        guard description != nil || defaultValue != nil || !directives.isEmpty else { return nil }
        return InputDetails(description, defaultValue, directives)
    }
}

extension InputDetails: Hashable {
    static func == (left: InputDetails, right: InputDetails) -> Bool {
        left.description == right.description && left.defaultValue == right.defaultValue
            && left.directives == right.directives
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(description)
        hasher.combine(defaultValue)
        hasher.combine(directives)
    }
}
