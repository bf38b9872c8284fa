/// The cases that do not pass yet, each with the reason. A listed case that passes is a failure of the tests.
enum NotYet {
    static let reasons: [String: String] = [:]
}
