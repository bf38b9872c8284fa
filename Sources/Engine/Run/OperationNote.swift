import Access
import Blueprint
import GraphQL
import JSON

/// What is noted of one request for the log and the counters: which operation it was, for whom, and which errors it had.
/// Numbers of bounded tables throughout; no text of a request is kept, and none is made.
///
/// Safe to share: whoever has the request at hand writes, one after the other: its loop, and for a mutation the writer.
package final class OperationNote: @unchecked Sendable {
    /// The operation's number among `RootFields.entries`.
    package fileprivate(set) var number = RootFields.noOperation
    /// How many root fields it has.
    package fileprivate(set) var fieldCount = 0
    package var caller = CallerKind.none
    /// What happens to it, where somebody looks; nil: nobody does.
    package var story: OperationStory?
    /// Who asked, where a connection carries it: its operations have no request of their own.
    package var identity: Identity?
    package private(set) var errorCount = 0
    /// A bit for each of `ErrorName.all`.
    package private(set) var errorNames: UInt64 = 0
    /// The fields that handlers of the app's own have set for the answer's head: of each name the last one.
    package private(set) var responseFields: [(name: String, value: String)] = []
    /// What they may have together. What comes beyond is left out.
    static let responseFieldBytesMax = 4 << 10

    package init() {}

    func take(_ plan: PlanMemory) {
        (number, fieldCount) = (plan.number, plan.plan.fields.count)
    }

    /// Notes an operation that the engine does not run: a subscription.
    package func take(number: Int, fieldCount: Int) {
        (self.number, self.fieldCount) = (number, fieldCount)
    }

    func add(_ errors: [GraphQLError]) {
        for error in errors { add(ErrorName.number(of: error.resolver?.errorType)) }
        story?.failed(errors)
    }

    /// The names of the errors that were noted.
    package var errorTypes: [String] {
        ErrorName.all.indices.filter { errorNames >> UInt64($0) & 1 == 1 }.map { ErrorName.all[$0] }
    }

    /// Notes an error that is not one of a field: the request was refused as a whole.
    package func refuse(_ errorType: String?) { add(ErrorName.number(of: errorType)) }

    private func add(_ error: Int) {
        errorCount += 1
        errorNames |= 1 << UInt64(error)
    }

    /// Takes a field for the head of the answer.
    func set(_ name: String, to value: String) {
        var fields = responseFields.filter { $0.name.lowercased() != name.lowercased() }
        fields.append((name, value))
        guard fields.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.responseFieldBytesMax else {
            return
        }
        responseFields = fields
    }

    /// Forgets everything: the note is used for another request.
    package func clear() {
        responseFields = []
        (story, identity) = (nil, nil)
        (number, fieldCount, caller, errorCount, errorNames) = (RootFields.noOperation, 0, .none, 0, 0)
    }
}

/// How a caller has shown who they are, for logs and counters.
package enum CallerKind: Int, CaseIterable, Sendable {
    case none
    case apiKey
    case userPool
    case openID
    case iam
    case lambda

    package init(_ mode: AuthMode) {
        self =
            switch mode {
            case .apiKey: .apiKey
            case .userPools: .userPool
            case .oidc: .openID
            case .iam: .iam
            case .lambda: .lambda
            }
    }

    package var name: String {
        switch self {
        case .none: "nobody"
        case .apiKey: "api-key"
        case .userPool: "user-pool"
        case .openID: "oidc"
        case .iam: "iam"
        case .lambda: "lambda"
        }
    }
}

/// AppSync's names for errors, numbered. Functions and templates may give names of their own: those are `other`.
package enum ErrorName {
    package static let all = [
        "untyped", "other", "ValidationError", "Unauthorized", "UnauthorizedException", "InvalidArgumentsError",
        "DynamoDB:DynamoDbException", "DynamoDB:ConditionalCheckFailedException",
        "DynamoDB:UserIllegalArgumentException",
        "ConditionalCheckFailedException", "ConflictUnhandled", "ConflictError", "MaxConflicts", "ExecutionTimeout",
        "Http:BadGatewayException", "Http:BadRequestException", "Http:ServiceUnavailableException", "InternalFailure",
        "Lambda:AWSLambdaException", "Lambda:RequestTooLargeException", "Lambda:ResourceNotFoundException",
        "Lambda:TooManyRequestsException", "Lambda:Unhandled", "LimitExceeded", "MappingTemplate", "NotImplemented",
        "RequestTooLarge", "ResolverCountLimitReached", "ResponseTooLarge", "ServiceUnavailable", "ThrottlingException",
        "Unrecognized Filter", "MalformedHttpRequestException", "BadRequestException", "IncompleteSignatureException",
        "InvalidSignatureException", "UnrecognizedClientException", "AccessDeniedException",
        "MissingAuthenticationTokenException",
    ]

    /// What an operation is refused with that its schema does not know.
    package static let validation = "ValidationError"

    private static let untyped = 0
    private static let other = 1

    static func number(of type: String?) -> Int {
        guard let type else { return untyped }
        return all.firstIndex { $0.utf8.elementsEqual(type.utf8) } ?? other
    }
}
