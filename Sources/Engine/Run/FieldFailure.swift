import Access
import Crypto
import GraphQL
import JSON

/// Why a field has no value, as its resolver says it: null, and an entry in `errors`.
struct FieldFailure: Error, Equatable {
    let message: String
    /// AppSync's name for it; nil where its templates give none.
    let type: String?
    var data: JSONValue = .null
    var info: JSONValue = .null

    init(_ message: String, type: String?, data: JSONValue = .null, info: JSONValue = .null) {
        self.message = message
        self.type = type
        self.data = data
        self.info = info
    }

    static func arguments(_ message: String) -> FieldFailure {
        FieldFailure(message, type: "InvalidArgumentsError")
    }

    /// What the database of the cloud would refuse.
    static func database(_ message: String) -> FieldFailure {
        FieldFailure(database: message, type: "DynamoDB:DynamoDbException")
    }

    static var conditionFailed: FieldFailure {
        FieldFailure(database: "The conditional request failed", type: "DynamoDB:ConditionalCheckFailedException")
    }

    /// The same of a record that has a version.
    static var versionedConditionFailed: FieldFailure {
        FieldFailure(database: "The conditional request failed", type: "ConditionalCheckFailedException")
    }

    /// A change of another version than the stored one, with the record that is stored.
    static func conflict(_ record: JSONValue) -> FieldFailure {
        FieldFailure("Conflict resolver rejects mutation.", type: "ConflictUnhandled", data: record)
    }

    /// The function that should decide about a conflict did not.
    static func conflictUndecided(_ message: String) -> FieldFailure {
        FieldFailure(message, type: "ConflictError")
    }

    static let unrecognizedFilter = FieldFailure(
        "Unable to process the filter expression", type: "Unrecognized Filter")

    /// The server of the database does not answer.
    static let away = FieldFailure("The database is not available. Try again later.", type: "ServiceUnavailable")

    static let invalidToken = FieldFailure(
        "Invalid pagination token given.", type: "DynamoDB:UserIllegalArgumentException")

    /// A value that the database can neither keep nor look for.
    static func invalidValue(_ fault: String) -> FieldFailure {
        .database("One or more parameter values were invalid: \(fault)")
    }

    static func unauthorized(_ field: String, on type: String) -> FieldFailure {
        FieldFailure(Refusals.message(field: field, type: type), type: Refusals.errorType)
    }

    /// The response has more bytes than one may have: what was written of the field is gone.
    static func responseTooLarge(_ bytesMax: Int) -> FieldFailure {
        let size = bytesMax > 0 && bytesMax % (1 << 20) == 0 ? "\(bytesMax >> 20) MB" : "\(bytesMax) bytes"
        return FieldFailure(
            "The response has more than \(size) (limits.responseBytes). Select less, or ask for fewer records at once, with "
                + "limit and nextToken.",
            type: Self.responseTooLargeType)
    }

    static let responseTooLargeType = "ResponseTooLarge"

    /// The same as an error of a root field.
    func error(at field: RootFieldPlan, in plan: OperationPlan) -> GraphQLError {
        GraphQLError(
            message, type: type, info: info, data: data, at: field.path, locations: plan.locations(of: field.position))
    }

    /// About what it takes of a response, without its path.
    var byteCount: Int { 200 + message.utf8.count + data.byteCount + info.byteCount }

    var isResponseTooLarge: Bool { type == Self.responseTooLargeType }

    private init(database message: String, type: String) {
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let id = RandomBytes.make(count: 52).map { digits[Int($0) % digits.count] }
        self.init(
            "\(message) (Service: DynamoDb, Status Code: 400, Request ID: \(String(decoding: id, as: UTF8.self)))",
            type: type)
    }
}
