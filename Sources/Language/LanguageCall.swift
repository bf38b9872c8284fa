/// The operations on a model, by the end of the path.
package enum LanguageCall: String, Sendable, CaseIterable {
    case converse = "converse"
    case converseStream = "converse-stream"
    case invoke = "invoke"
    case invokeStream = "invoke-with-response-stream"

    /// The action that a signature has to be good for.
    package var action: String {
        switch self {
        case .converse, .invoke: "InvokeModel"
        case .converseStream, .invokeStream: "InvokeModelWithResponseStream"
        }
    }

    package var isStream: Bool { self == .converseStream || self == .invokeStream }
}
