import Console
import JSON
import Network

/// Everything that is served, in one table: routing, the answer to OPTIONS, metrics and the documents follow it.
package enum Route: Int, CaseIterable, Sendable {
    case graphql
    case realtime
    case health
    case live
    case ready
    case ping
    case metrics
    case signIn
    case issuer
    case securityTokens
    case hosted
    case oauth
    case files
    case functions
    case outbox
    case gateway
    case parameters
    case testControl
    case items
    case queues
    case events
    case workflows
    case language
    case evaluation
    case stacks
    case schema
    case console
    case channels
    case channelSocket
    case keys

    /// A row of the table.
    private struct Row: Sendable {
        let path: String
        let purpose: String
        let methods: [HTTPMethod]
        let isOpenToPages: Bool
        let isByPath: Bool

        /// - Parameter methods: those of services of AWS, if nothing else is said.
        init(
            _ path: String, _ purpose: String, _ methods: [HTTPMethod] = [.post], isOpenToPages: Bool = false,
            isByPath: Bool = false
        ) {
            (self.path, self.purpose, self.methods) = (path, purpose, methods)
            (self.isOpenToPages, self.isByPath) = (isOpenToPages, isByPath)
        }
    }

    private var row: Row {
        switch self {
        case .graphql:
            Row(
                "/graphql", "the API; subscriptions as a WebSocket or as an event stream", [.get, .post],
                isOpenToPages: true, isByPath: true)
        case .realtime:
            Row(
                "/graphql/realtime", "subscriptions as a WebSocket, where AppSync's clients look for it", [.get],
                isOpenToPages: true, isByPath: true)
        case .health:
            Row("/health", "whether the server is up, for monitors", [.get], isOpenToPages: true, isByPath: true)
        case .live:
            Row(
                "/health/live", "the same, for what restarts a server that hangs", [.get], isOpenToPages: true,
                isByPath: true)
        case .ready:
            Row(
                "/health/ready",
                "whether the server can write, for load balancers: 503 while its disk is full or its database away",
                [.get],
                isOpenToPages: true, isByPath: true)
        case .ping:
            Row(
                "/ping", "whether the server is up, for clients: the text `healthy`", [.get], isOpenToPages: true,
                isByPath: true)
        case .metrics: Row("/metrics", "what the server counts, for Prometheus", [.get], isByPath: true)
        case .signIn:
            Row(
                "/", "sign-in and identities, as Cognito's two services: told apart by `x-amz-target`, on any path",
                isOpenToPages: true)
        case .issuer:
            Row(
                "/{pool}/.well-known",
                "what the issuer of the pool's tokens says of itself: `jwks.json`, `openid-configuration`", [.get],
                isOpenToPages: true)
        case .securityTokens:
            Row(
                "/?Action=AssumeRoleWithWebIdentity",
                "access keys for tokens of the identity pool and who it is that signs, as STS tells it", [.get, .post],
                isOpenToPages: true)
        case .hosted:
            Row(
                "/login",
                "the pages on which people sign in: `/oauth2/authorize` leads there; `/signup`, `/confirm`, `/forgot`, `/logout`",
                [.get, .post])
        case .oauth:
            Row(
                "/oauth2/token", "tokens for the codes of those pages; `/oauth2/userInfo`, `/oauth2/revoke`",
                [.get, .post], isOpenToPages: true)
        case .files:
            Row(
                "/{bucket}/{key}", "files, as S3: by path, or by a host that names the bucket",
                [.get, .put, .post, .delete], isOpenToPages: true)
        case .functions:
            Row(
                "/2015-03-31/functions/{name}/invocations",
                "calls of the app's functions, as Lambda's SDKs make them, and what there is to know of these",
                [.get, .post])
        case .outbox:
            Row("/v2/email", "mails and notices of functions, as SES and SNS take them", [.get, .put, .post, .delete])
        case .gateway:
            Row(
                "/rest/{api}", "functions by HTTP, as API Gateway calls them: `/rest/API/...`, and `/url/NAME/...`",
                HTTPMethod.allCases.filter { $0 != .other }, isOpenToPages: true)
        case .parameters:
            Row(
                "/?X-Amz-Target=AmazonSSM",
                "parameters and secrets, as Systems Manager and Secrets Manager: told apart by `x-amz-target`, on any path"
            )
        case .testControl:
            Row(TestPlace.folder, "what tests may do with the server, where it lets them", [.get, .post, .delete])
        case .items: Row("/{table}", "tables of items, as DynamoDB: told apart by `x-amz-target`, on any path")
        case .queues:
            Row(
                "/{account}/{queue}",
                "queues, as SQS: told apart by `x-amz-target`, or by what forms are signed for, on any path")
        case .events:
            Row(
                "/?X-Amz-Target=AWSEvents",
                "events that are passed on by rules, as EventBridge: told apart by `x-amz-target`, on any path")
        case .workflows:
            Row(
                "/?X-Amz-Target=AWSStepFunctions",
                "state machines, as Step Functions: told apart by `x-amz-target`, on any path")
        case .language:
            Row(
                "/model/{model}/converse",
                "models of language, as Bedrock's runtime: `converse`, `converse-stream`, `invoke`, `invoke-with-response-stream`"
            )
        case .evaluation:
            Row(
                EvaluationRoute.codePath,
                "handlers of resolvers evaluated by themselves, as AppSync does for tests; `/v1/dataplane-evaluatetemplate`"
            )
        case .stacks:
            Row(
                "/?Action=DescribeStacks",
                "the served project as a stack, for Amplify's tools, as CloudFormation tells it")
        case .schema:
            Row(
                "/v1/apis/{api}/schema",
                "the schema of the API, for Amplify's generators, as AppSync's `GetIntrospectionSchema` tells it",
                [.get])
        case .console:
            Row(
                "\(Console.folder)/v1",
                "the page for people at `/`, and what it asks; its own pages alone are answered",
                [.get, .post, .put, .delete])
        case .channels:
            Row(
                "/event", "events to channels, as AppSync Events takes them, where `eventApi` is configured",
                isOpenToPages: true, isByPath: true)
        case .channelSocket:
            Row(
                "/event/realtime", "channels as a WebSocket, where `eventApi` is configured", [.get],
                isOpenToPages: true, isByPath: true)
        case .keys:
            Row(
                "/?X-Amz-Target=TrentService",
                "encryption with keys that stay here, as KMS: told apart by `x-amz-target`, on any path")
        }
    }

    private static let rows = allCases.map(\.row)

    /// The path by which requests for it are counted.
    package var path: String { Self.rows[rawValue].path }

    /// What it is for.
    package var purpose: String { Self.rows[rawValue].purpose }

    package var methods: [HTTPMethod] { Self.rows[rawValue].methods }

    /// Whether pages of other origins may read what it answers. What tells of the server itself is no page's business: any
    /// page that somebody on this machine visits could ask.
    var isOpenToPages: Bool { Self.rows[rawValue].isOpenToPages }

    /// The route of a request.
    static func of(_ head: HTTPRequestHead) -> Route? {
        // Hot path: nearly every request is for the API.
        head.isPath("/graphql") ? .graphql : at(head.path)
    }

    /// The route of a path; a slash at its end does not matter.
    static func at(_ path: String) -> Route? {
        if let route = byPath[ByteText(path)] { return route }
        let bytes = path.utf8
        return bytes.count > 1 && bytes.last == UInt8(ascii: "/") ? byPath[ByteText(Substring(bytes.dropLast()))] : nil
    }

    /// True if it is there only where channels are.
    var isOfChannels: Bool { self == .channels || self == .channelSocket }

    func allows(_ method: HTTPMethod) -> Bool {
        methods.contains(method) || (method == .head && methods.contains(.get))
    }

    /// Those that are found by their paths alone; the others are told by a field, or by a path with a name in it.
    static let withPaths: [Route] = allCases.filter { rows[$0.rawValue].isByPath }

    private static let byPath = Dictionary(uniqueKeysWithValues: withPaths.map { (ByteText($0.path), $0) })
}
