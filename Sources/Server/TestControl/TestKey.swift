import Crypto
import JSON

/// The key with which a test steers the server.
package struct TestKey: Sendable, ConfigurationValue {
    package let text: String

    static let bytesMin = 16
    private static let randomBytes = 24

    /// The field that it is sent in, and the variable that a command finds it in.
    static let field: StaticString = "x-homeport-test-key"
    package static let variable = "HOMEPORT_TEST_KEY"

    /// Nil where it is too short, or could not stand in a field.
    init?(_ text: String) {
        guard text.utf8.count >= Self.bytesMin, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    package init?(configured value: JSONValue) {
        guard let text = value.string else { return nil }
        self.init(text)
    }

    private init(made text: String) { self.text = text }

    /// A new one, which nobody can guess.
    static func make() -> TestKey {
        TestKey(made: Hexadecimal.text(of: RandomBytes.make(count: randomBytes)))
    }

    func matches(_ sent: String) -> Bool { ConstantTime.areEqual(sent, text) }
}
