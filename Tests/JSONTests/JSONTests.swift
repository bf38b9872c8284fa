// What the tests of this room share: reading as they do, and the seed of the random ones.

@testable import JSON

/// The value of a text, or nil when it is refused.
func read(_ text: [UInt8], limits: JSONLimits = .standard) -> JSONValue? {
    try? JSONReader.value(of: text, limits: limits)
}

/// The error for a text, or nil when it is accepted.
func refusal(_ text: [UInt8], limits: JSONLimits = .standard) -> JSONError? {
    do throws(JSONError) {
        _ = try JSONReader.value(of: text, limits: limits)
        return nil
    } catch {
        return error
    }
}
