import JSON

/// The world that a test asks for: `{"name": "a", "from": {"snapshot": "with-posts"}, "idleSeconds": 60}`.
struct WorldWish: Sendable {
    /// The data that a world begins with.
    enum Origin: Sendable {
        /// The data that is there now.
        case present
        case snapshot(String)
        /// The data that a reset goes back to.
        case start
    }

    /// Nil: the server gives it one.
    var name: String?
    var origin = Origin.present
    var idleSeconds = TestControlLimits.worldIdleSeconds

    /// - Parameter body: JSON; empty, as `{}`, is a copy of what is there now.
    init(_ body: [UInt8]) throws(ErrorAnswer) {
        guard !body.isEmpty else { return }
        guard let members = (try? JSONReader.value(of: body))?.object?.members else { throw Self.unclear }
        for member in members {
            switch (member.key, member.value) {
            case ("name", .string(let name)):
                guard TestData.isName(name) else {
                    throw .test(
                        "The name of a world has 1 to \(TestControlLimits.nameBytesMax) letters and digits of ASCII, - and _."
                    )
                }
                self.name = name
            case ("from", .string("present")): origin = .present
            case ("from", .string("start")): origin = .start
            case ("from", .object(let from)):
                guard from.count == 1, let name = from["snapshot"]?.string else { throw Self.unclear }
                origin = .snapshot(name)
            case ("idleSeconds", .integer(let seconds)):
                let range = TestControlLimits.worldIdleSecondsRange
                guard range.contains(seconds) else {
                    throw .test("idleSeconds is a number from \(range.lowerBound) to \(range.upperBound).")
                }
                idleSeconds = seconds
            default: throw Self.unclear
            }
        }
    }

    private static let unclear = ErrorAnswer.test(
        "Send {}, or some of {\"name\": \"a\", \"from\": \"present\", \"idleSeconds\": 600}; from is \"present\", \"start\" or "
            + "{\"snapshot\": \"NAME\"}.")
}
