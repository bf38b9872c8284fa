import Console
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

    /// The path by which requests for it are counted.
    package var path: String {
        switch self {
        case .graphql: "/graphql"
        case .realtime: "/graphql/realtime"
        case .health: "/health"
        case .live: "/health/live"
        case .ready: "/health/ready"
        case .ping: "/ping"
        case .metrics: "/metrics"
        case .signIn: "/"
        case .issuer: "/{pool}/.well-known"
        case .securityTokens: "/?Action=AssumeRoleWithWebIdentity"
        case .hosted: "/login"
        case .oauth: "/oauth2/token"
        case .files: "/{bucket}/{key}"
        case .outbox: "/v2/email"
        case .gateway: "/rest/{api}"
        case .functions: "/2015-03-31/functions/{name}/invocations"
        case .parameters: "/?X-Amz-Target=AmazonSSM"
        case .testControl: TestPlace.folder
        case .items: "/{table}"
        case .queues: "/{account}/{queue}"
        case .events: "/?X-Amz-Target=AWSEvents"
        case .workflows: "/?X-Amz-Target=AWSStepFunctions"
        case .language: "/model/{model}/converse"
        case .evaluation: EvaluationRoute.codePath
        case .stacks: "/?Action=DescribeStacks"
        case .schema: "/v1/apis/{api}/schema"
        case .console: "\(Console.folder)/v1"
        case .keys: "/?X-Amz-Target=TrentService"
        case .channels: "/event"
        case .channelSocket: "/event/realtime"
        }
    }

    /// What it is for.
    package var purpose: String {
        switch self {
        case .graphql: "the API; subscriptions as a WebSocket or as an event stream"
        case .realtime: "subscriptions as a WebSocket, where AppSync's clients look for it"
        case .health: "whether the server is up, for monitors"
        case .live: "the same, for what restarts a server that hangs"
        case .ready: "whether the server can write, for load balancers: 503 while its disk is full"
        case .ping: "whether the server is up, for clients: the text `healthy`"
        case .metrics: "what the server counts, for Prometheus"
        case .signIn: "sign-in and identities, as Cognito's two services: told apart by `x-amz-target`, on any path"
        case .securityTokens: "access keys for tokens of the identity pool and who it is that signs, as STS tells it"
        case .issuer: "what the issuer of the pool's tokens says of itself: `jwks.json`, `openid-configuration`"
        case .hosted:
            "the pages on which people sign in: `/oauth2/authorize` leads there; `/signup`, `/confirm`, `/forgot`, `/logout`"
        case .oauth: "tokens for the codes of those pages; `/oauth2/userInfo`, `/oauth2/revoke`"
        case .files: "files, as S3: by path, or by a host that names the bucket"
        case .gateway: "functions by HTTP, as API Gateway calls them: `/rest/API/...`, and `/url/NAME/...`"
        case .outbox: "mails and notices of functions, as SES and SNS take them"
        case .functions: "calls of the app's functions, as Lambda's SDKs make them, and what there is to know of these"
        case .parameters:
            "parameters and secrets, as Systems Manager and Secrets Manager: told apart by `x-amz-target`, on any path"
        case .testControl: "what tests may do with the server, where it lets them"
        case .items: "tables of items, as DynamoDB: told apart by `x-amz-target`, on any path"
        case .events: "events that are passed on by rules, as EventBridge: told apart by `x-amz-target`, on any path"
        case .workflows: "state machines, as Step Functions: told apart by `x-amz-target`, on any path"
        case .queues: "queues, as SQS: told apart by `x-amz-target`, or by what forms are signed for, on any path"
        case .language:
            "models of language, as Bedrock's runtime: `converse`, `converse-stream`, `invoke`, `invoke-with-response-stream`"
        case .evaluation:
            "handlers of resolvers evaluated by themselves, as AppSync does for tests; `/v1/dataplane-evaluatetemplate`"
        case .channels: "events to channels, as AppSync Events takes them, where `eventApi` is configured"
        case .channelSocket: "channels as a WebSocket, where `eventApi` is configured"
        case .keys: "encryption with keys that stay here, as KMS: told apart by `x-amz-target`, on any path"
        case .stacks: "the served project as a stack, for Amplify's tools, as CloudFormation tells it"
        case .schema: "the schema of the API, for Amplify's generators, as AppSync's `GetIntrospectionSchema` tells it"
        case .console: "the page for people at `/`, and what it asks; its own pages alone are answered"
        }
    }

    package var methods: [HTTPMethod] {
        switch self {
        case .graphql: [.get, .post]
        case .realtime, .health, .live, .ready, .ping, .metrics, .issuer, .channelSocket, .schema: [.get]
        case .functions: [.get, .post]
        case .outbox: [.get, .put, .post, .delete]
        case .gateway: HTTPMethod.allCases.filter { $0 != .other }
        case .securityTokens, .hosted, .oauth: [.get, .post]
        case .files: [.get, .put, .post, .delete]
        case .testControl: [.get, .post, .delete]
        case .console: [.get, .post, .put, .delete]
        // Services of AWS.
        default: [.post]
        }
    }

    /// Whether pages of other origins may read what it answers. What tells of the server itself is no page's business: any
    /// page that somebody on this machine visits could ask.
    var isOpenToPages: Bool {
        switch self {
        case .graphql, .realtime, .health, .live, .ready, .ping, .signIn, .issuer, .securityTokens, .oauth, .files,
            .gateway, .channels, .channelSocket:
            true
        default: false
        }
    }

    /// The route of a request.
    static func of(_ head: HTTPRequestHead) -> Route? {
        // Hot path: nearly every request is for the API.
        head.isPath("/graphql") ? .graphql : at(head.path)
    }

    /// The route of a path; a slash at its end does not matter.
    static func at(_ path: String) -> Route? {
        if let route = byPath[path] { return route }
        return path.count > 1 && path.hasSuffix("/") ? byPath[String(path.dropLast())] : nil
    }

    /// True if it is there only where channels are.
    var isOfChannels: Bool { self == .channels || self == .channelSocket }

    func allows(_ method: HTTPMethod) -> Bool {
        methods.contains(method) || (method == .head && methods.contains(.get))
    }

    /// Those that are found by their paths alone; the others are told by a field, or by a path with a name in it.
    static let withPaths: [Route] = [
        .graphql, .realtime, .health, .live, .ready, .ping, .metrics, .channels, .channelSocket,
    ]

    private static let byPath = Dictionary(uniqueKeysWithValues: withPaths.map { ($0.path, $0) })
}
