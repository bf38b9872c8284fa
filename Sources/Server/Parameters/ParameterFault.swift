/// A refusal as the two services word it.
struct ParameterFault: Error, Equatable {
    let type: String
    let message: String
    let status: Int

    init(_ type: String, _ message: String, status: Int = 400) {
        (self.type, self.message, self.status) = (type, message, status)
    }

    static func parameterNotFound(_ name: String) -> ParameterFault {
        ParameterFault("ParameterNotFound", "Parameter \(name) not found.")
    }

    static let secretNotFound = ParameterFault(
        "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")

    static func invalid(_ message: String) -> ParameterFault { ParameterFault("ValidationException", message) }

    static func invalidSecret(_ message: String) -> ParameterFault {
        ParameterFault("InvalidParameterException", message)
    }
}
