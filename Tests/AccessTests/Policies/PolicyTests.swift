import TestSupport
import Testing

@testable import Access

/// What patterns of policies stand for, and what statements come to together.
@Suite("Policies")
struct PolicyTests {
    @Test(
        "a pattern matches as IAM's do",
        arguments: [
            ("*", "", true), ("*", "anything", true), ("**", "x", true), ("", "", true), ("", "x", false),
            ("table/Todo", "table/Todo", true), ("table/Todo", "table/Todos", false),
            ("table/Todo", "table/todo", false), ("table/*", "table/", true), ("table/*", "table/a/index/b", true),
            ("table/Todo-*", "table/Todo-1", true), ("table/Todo-*", "table/Todo", false),
            ("*/index/*", "table/a/index/b", true), ("*/index/*", "table/a", false), ("T?do", "Todo", true),
            ("T?do", "Tdo", false), ("*a*b*c", "xxaxxbxxc", true), ("*a*b*c", "xxaxxcxxb", false),
            ("a*b", "ab", true), ("a*b", "abc", false), ("*\u{0}*", "a\u{0}b", true), ("Ä*", "Ä1", true),
        ])
    func patterns(pattern: String, text: String, matches: Bool) {
        #expect(PolicyPattern(pattern).matches(Array(text.utf8)) == matches)
    }

    @Test(
        "a pattern with the caller's id stands for what is the caller's",
        arguments: [
            ("private/ME/*", "private/us-east-1:1/a", "us-east-1:1", true),
            ("private/ME/*", "private/us-east-1:2/a", "us-east-1:1", false),
            ("private/ME/*", "private/us-east-1:1/a", nil, false), ("private/ME/*", "private/x/a", "*", false),
            ("private/ME/*", "private/ME/a", "us-east-1:1", false), ("ME/ME", "a/a", "a", true),
            ("ME/ME", "a/b", "a", false), ("ME", "", "", true), ("public/$", "public/$", nil, true),
        ])
    func identities(pattern: String, text: String, identity: String?, matches: Bool) {
        let pattern = PolicyPattern(pattern.replacing("ME", with: "${cognito-identity.amazonaws.com:sub}"))
        #expect(pattern.matches(Array(text.utf8), for: identity) == matches)
    }

    @Test("a condition on the beginning of keys is for lists that ask for one")
    func prefixes() {
        func statement(_ effect: PolicyStatement.Effect) -> PolicyStatement {
            Self.statement(effect, ["s3:*"], on: ["arn:aws:s3:::files", "arn:aws:s3:::files/*"]) {
                $0.prefixes = [
                    PolicyPattern("public/*"), PolicyPattern("private/${cognito-identity.amazonaws.com:sub}/*"),
                ]
            }
        }
        let bucket = PolicyResource("s3", "files")
        for (prefix, isMeant) in [
            ("public/", true), ("public/a", true), ("public", false), ("", false), ("private/", false),
            ("private/me/", true), ("private/you/", false), (nil, false),
        ] as [(String?, Bool)] {
            let call = PolicyCall(identity: "me", prefix: prefix)
            let allowed = RolePolicy([statement(.allow)]).verdict(on: "s3:ListBucket", bucket, call)
            #expect(allowed == (isMeant ? .allowed : .notAllowed), "\(prefix ?? "none")")
            let rest = [Self.statement(["*"]), statement(.deny)]
            #expect(
                RolePolicy(rest).verdict(on: "s3:ListBucket", bucket, call) == (isMeant ? .denied : .allowed),
                "\(prefix ?? "none")")
        }
        // Where nothing is known of the call, it may be meant.
        #expect(RolePolicy([statement(.allow)]).verdict(on: "s3:ListBucket", bucket) == .unread)
        #expect(RolePolicy([Self.statement(["*"]), statement(.deny)]).verdict(on: "s3:ListBucket", bucket) == .denied)
    }

    @Test("a pattern that is made to take long does not")
    func hostilePattern() {
        let pattern = PolicyPattern(String(repeating: "*a", count: 500) + "b")
        #expect(!pattern.matches([UInt8](repeating: UInt8(ascii: "a"), count: 5_000)))
    }

    @Test("patterns say the same as their plain meaning, whatever they are made of")
    func randomPatterns() {
        var random = SeededRandom(test: "patterns of policies")
        for _ in 0..<3_000 {
            let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                "ab*?".randomElement(using: &random) ?? "a"
            }
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a"
            }
            let found = PolicyPattern(String(pattern)).matches(Array(String(text).utf8))
            #expect(found == Self.means(pattern[...], text[...]), "\(String(pattern)) \(String(text))")
        }
    }

    private static func means(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return means(pattern.dropFirst(), text) || !text.isEmpty && means(pattern, text.dropFirst())
        }
        guard let letter = text.first, first == "?" || first == letter else { return false }
        return means(pattern.dropFirst(), text.dropFirst())
    }

    @Test(
        "a resource is named by the end of its ARN, whatever region and account stand there",
        arguments: [
            ("*", "dynamodb", "table/Todo", true),
            ("arn:aws:dynamodb:eu-west-1:999999999999:table/Todo", "dynamodb", "table/Todo", true),
            ("arn:aws:dynamodb:*:*:table/Todo", "dynamodb", "table/Todo", true),
            ("arn:aws:dynamodb:*:*:table/Todo", "dynamodb", "table/Todo/index/byName", false),
            ("arn:aws:dynamodb:*:*:table/Todo", "sqs", "table/Todo", false),
            ("arn:aws:dynamodb:*:*:*", "dynamodb", "table/Todo", true),
            ("arn:aws:sqs:*", "sqs", "jobs", true), ("arn:aws:sqs:*", "sns", "jobs", false),
            ("arn:aws:s3:::bucket/*", "s3", "bucket/a:b/c", true), ("arn:aws:s3:::bucket/*", "s3", "bucket", false),
            ("arn:aws:s3:::bucket", "s3", "bucket", true),
            ("arn:aws:lambda:us-east-1:1:function:echo", "lambda", "function:echo", true),
            ("arn:aws:lambda:us-east-1:1:function:echo:*", "lambda", "function:echo", false),
            ("arn:aws:secretsmanager:eu-west-1:1:secret:key-AbC123", "secretsmanager", "secret:key-zzzzzz", true),
            ("arn:aws:secretsmanager:eu-west-1:1:secret:key-AbC12", "secretsmanager", "secret:key-zzzzz", false),
            ("arn:aws:secretsmanager:*:*:secret:key-??????", "secretsmanager", "secret:key-AAAAAA", true),
            ("arn:aws:secretsmanager:*:*:secret:key-??????", "secretsmanager", "secret:keys-AAAAAA", false),
        ])
    func resources(pattern: String, service: String, ending: String, matches: Bool) throws {
        let pattern = try #require(ResourcePattern(pattern))
        #expect(pattern.matches(Array(service.utf8), Array(ending.utf8)) == matches)
    }

    @Test(
        "what is no resource stands for nothing",
        arguments: ["", "table/Todo", "arn:aws", "arn:aws:sqs", "arn:aws:sqs:us-east-1:1", "**", "ARN:aws:sqs:a:b:c"])
    func noResources(text: String) {
        #expect(ResourcePattern(text) == nil)
    }

    // MARK: Statements

    private static func statement(
        _ effect: PolicyStatement.Effect, _ actions: [String], on resources: [String] = ["*"],
        _ change: (inout PolicyStatement) -> Void = { _ in }
    ) -> PolicyStatement {
        var statement = PolicyStatement(
            effect, actions: actions.map { ActionPattern($0) }, resources: resources.compactMap { ResourcePattern($0) })
        change(&statement)
        return statement
    }

    private static func statement(
        _ actions: [String], on resources: [String] = ["*"], _ change: (inout PolicyStatement) -> Void = { _ in }
    ) -> PolicyStatement { statement(.allow, actions, on: resources, change) }

    private static let todo = "arn:aws:dynamodb:*:*:table/Todo"

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let policy: RolePolicy
        let verdict: RolePolicy.Verdict
        var testDescription: String { name }

        init(_ name: String, _ statements: [PolicyStatement], unread: [String] = [], _ verdict: RolePolicy.Verdict) {
            (self.name, self.verdict) = (name, verdict)
            policy = RolePolicy(statements, unread: unread)
        }
    }

    /// Each is asked for `dynamodb:GetItem` on the table `Todo`.
    static let rows = [
        Row("nothing", [], .notAllowed),
        Row("nothing that could be read", [], unread: ["x"], .unread),
        Row("the action", [statement(["dynamodb:GetItem"], on: [todo])], .allowed),
        Row("in other letters", [statement(["DynamoDB:getitem"], on: [todo])], .allowed),
        Row("another action", [statement(["dynamodb:PutItem"], on: [todo])], .notAllowed),
        Row("actions that begin so", [statement(["dynamodb:Get*"], on: [todo])], .allowed),
        Row("all actions", [statement(["*"], on: [todo])], .allowed),
        Row("all of another service", [statement(["s3:*"])], .notAllowed),
        Row("another table", [statement(["dynamodb:*"], on: ["arn:aws:dynamodb:*:*:table/Post"])], .notAllowed),
        Row("no resource that is one", [statement(["dynamodb:*"], on: ["Todo"])], .notAllowed),
        Row("allowed and denied", [statement(["*"]), statement(.deny, ["dynamodb:GetItem"])], .denied),
        Row("denied before it is allowed", [statement(.deny, ["dynamodb:*"]), statement(["*"])], .denied),
        Row("another denied", [statement(["*"]), statement(.deny, ["dynamodb:DeleteItem"])], .allowed),
        Row(
            "denied elsewhere",
            [statement(["*"]), statement(.deny, ["*"], on: ["arn:aws:dynamodb:*:*:table/Post"])], .allowed),
        Row("all others", [statement(["dynamodb:PutItem"]) { $0.isForOtherActions = true }], .allowed),
        Row("all others but it", [statement(["dynamodb:Get*"]) { $0.isForOtherActions = true }], .notAllowed),
        Row("on all others", [statement(["*"], on: [todo]) { $0.isForOtherResources = true }], .notAllowed),
        Row(
            "on all others, of which it is one",
            [statement(["*"], on: ["arn:aws:dynamodb:*:*:table/Post"]) { $0.isForOtherResources = true }], .allowed),
        Row(
            "denied on all others",
            [
                statement(["*"]),
                statement(.deny, ["*"], on: ["arn:aws:dynamodb:*:*:table/Post"]) { $0.isForOtherResources = true },
            ], .denied),
        Row("under a condition", [statement(["*"]) { $0.isConditional = true }], .unread),
        Row(
            "denied under a condition", [statement(["*"]), statement(.deny, ["*"]) { $0.isConditional = true }],
            .denied),
        Row("on what cannot be read", [statement(["dynamodb:*"], on: []) { $0.hasUnreadResources = true }], .unread),
        Row(
            "another service on what cannot be read", [statement(["s3:*"], on: []) { $0.hasUnreadResources = true }],
            .notAllowed),
        Row("actions that cannot be read", [statement([]) { $0.hasUnreadActions = true }], .unread),
        Row(
            "all others but some that cannot be read",
            [statement([]) { ($0.isForOtherActions, $0.hasUnreadActions) = (true, true) }], .unread),
        Row(
            "denied on what cannot be read",
            [statement(["*"]), statement(.deny, ["dynamodb:GetItem"], on: []) { $0.hasUnreadResources = true }], .denied
        ),
        Row("allowed, whatever else cannot be read", [statement(["*"])], unread: ["x"], .allowed),
        Row("denied, whatever else cannot be read", [statement(.deny, ["*"])], unread: ["x"], .denied),
    ]

    @Test("statements come to a verdict together", arguments: rows)
    func verdicts(row: Row) {
        let verdict = row.policy.verdict(on: "dynamodb:GetItem", PolicyResource("dynamodb", "table/", "Todo"))
        #expect(verdict == row.verdict)
    }

    @Test(
        "rights on a part count as rights on all where nothing smaller is asked",
        arguments: [
            ("arn:aws:appsync:*:*:apis/1/*", true, true), ("arn:aws:appsync:*:*:apis/1/types/Query/*", true, false),
            ("arn:aws:appsync:*:*:apis/1/types/Query/fields/listTodos", true, false),
            ("arn:aws:appsync:*:*:apis/2/*", false, false), ("*", true, true),
            ("arn:aws:appsync:*:*:apis/1/types/Mutation/*", false, true),
        ])
    func below(resource: String, mayQuery: Bool, mayMutate: Bool) {
        let policy = RolePolicy([Self.statement(["appsync:GraphQL"], on: [resource])])
        for (type, may) in [("Query", mayQuery), ("Mutation", mayMutate)] {
            let place = PolicyResource("appsync", "apis/1/", "types/\(type)/")
            #expect((policy.verdict(on: "appsync:GraphQL", below: place) == .allowed) == may, "\(type)")
        }
    }
}
