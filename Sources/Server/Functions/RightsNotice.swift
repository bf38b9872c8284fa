import Access
import Blueprint
import JSON
import Project

/// A log line on the rights of a function or of a data source: an action that it may not do, with the line that would allow it, or one
/// that it may do though nothing that could be read lets it.
struct RightsNotice {
    private let notice: FunctionRights.Notice
    /// The project's name for the function.
    private let key: String
    private let isVersion2: Bool
    /// True if `backend.ts` makes it of the CDK's parts, so that it is no member of the backend.
    private let isConstruct: Bool
    private let isOfSource: Bool

    /// The same of a data source.
    init(_ notice: FunctionRights.Notice, ofSource name: String, isVersion2: Bool) {
        (self.notice, key, self.isVersion2, isConstruct) = (notice, name, isVersion2, false)
        isOfSource = true
    }

    private var subject: String { isOfSource ? "data source" : "function" }

    init(_ notice: FunctionRights.Notice, _ configuration: Configuration, _ resources: Project?) {
        self.notice = notice
        isOfSource = false
        let others = configuration.functions[notice.function]?.otherNames ?? []
        key = others.first ?? notice.function
        isVersion2 = resources?.isVersion2 ?? false
        isConstruct = (resources?.functions ?? []).contains {
            $0.key == nil && ByteText($0.reference.givenName ?? "") == ByteText(notice.function)
        }
    }

    func write(to log: Log) {
        let fields: KeyValuePairs<String, JSONValue> = [
            (isOfSource ? "dataSource" : "function"): .string(notice.function)
        ]
        guard let unread = notice.unread else { return log.warning(denial, fields) }
        log.warning(allowance(unread), fields)
    }

    private var place: String {
        notice.resource.name == "*" ? "" : " on \(notice.resource.kind)\(notice.resource.name)"
    }

    private var denial: String {
        let what = "the \(subject) may not do \(notice.action)\(place)"
        guard !notice.isDenied else { return "\(what): a policy of its project denies it" }
        return "\(what), since nothing in its project gives it that. \(hint)"
    }

    private func allowance(_ unread: [String]) -> String {
        let why =
            unread.isEmpty ? "a statement that depends on more than is known here" : unread.joined(separator: "; ")
        return
            "the \(subject) does \(notice.action)\(place), which nothing that can be read of its project gives it. It is allowed because "
            + "not all can be read: \(why.prefix(Self.lettersMax)). With functions.strict it would be denied"
    }

    private static let lettersMax = 400

    /// The line that would give it.
    private var hint: String {
        let line = isVersion2 ? self.line : nil
        let arn = ARN.anywhere(notice.resource.service, "\(notice.resource.kind)\(notice.resource.name)")
        let everywhere =
            "{\"actions\": [\"\(notice.action)\"], \"resources\": [\"\(arn)\"]}"
        let place = isOfSource ? "resolvers.dataSources" : "functions"
        let setting = "\(place).\(notice.function).policy in the configuration, \(everywhere)"
        guard let line else {
            return isVersion2 || isOfSource
                ? "It is given by \(setting)" : "It is given by a statement of its template, or by \(setting)"
        }
        return "It is given in amplify/backend.ts by \(line), or by \(setting)"
    }

    private static let readingActions = [
        "GetItem", "BatchGetItem", "Query", "Scan", "DescribeTable", "ConditionCheckItem",
    ]

    private var line: String {
        guard !isOfSource else {
            return
                "dataSource.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions: ['\(notice.action)'], resources: [...] }))"
        }
        let function = isConstruct ? "fn" : "backend.\(key).resources.lambda"
        let action = notice.action.split(separator: ":").last.map(String.init) ?? notice.action
        let name = notice.resource.name.split(separator: "/").first.map(String.init) ?? notice.resource.name
        let ending = "-\(TableName.apiID)-NONE"
        switch notice.resource.service {
        case "dynamodb" where name.hasSuffix(ending):
            let method = Self.readingActions.contains(action) ? "grantReadData" : "grantWriteData"
            return "backend.data.resources.tables['\(name.dropLast(ending.count))'].\(method)(\(function))"
        case "cognito-idp": return "backend.auth.resources.userPool.grant(\(function), '\(notice.action)')"
        case "lambda": return "backend.\(name).resources.lambda.grantInvoke(\(function))"
        case "s3":
            let method = action == "GetObject" || action == "ListBucket" ? "grantRead" : "grantReadWrite"
            return "backend.storage.resources.bucket.\(method)(\(function))"
        default:
            return
                "\(function).addToRolePolicy(new PolicyStatement({ actions: ['\(notice.action)'], resources: [...] }))"
        }
    }
}
