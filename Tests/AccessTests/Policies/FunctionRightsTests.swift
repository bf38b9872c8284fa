import Synchronization
import Testing

@testable import Access

/// What a function is told when it may not, and what a person is told.
@Suite("Rights of functions")
struct FunctionRightsTests {
    /// What was told, in order.
    private final class Told: Sendable {
        private let notices = Mutex<[FunctionRights.Notice]>([])
        func add(_ notice: FunctionRights.Notice) { notices.withLock { $0.append(notice) } }
        var all: [FunctionRights.Notice] { notices.withLock { $0 } }
    }

    private static let table = PolicyResource("dynamodb", "table/", "Todo")

    private static func rights(_ policy: RolePolicy, isStrict: Bool = false, _ told: Told = Told()) -> FunctionRights {
        FunctionRights("echo", policy, isStrict: isStrict, region: "us-east-1") { told.add($0) }
    }

    private static let reading = RolePolicy([
        PolicyStatement(
            .allow, actions: [ActionPattern("dynamodb:GetItem")],
            resources: ["arn:aws:dynamodb:*:*:table/Todo"].compactMap(ResourcePattern.init))
    ])

    @Test("what is not allowed is refused in IAM's words, told once, and stays refused")
    func refusal() {
        let told = Told()
        let rights = Self.rights(Self.reading, told)
        #expect(rights.refusal(of: "dynamodb:GetItem", on: Self.table) == nil)
        for _ in 0..<3 {
            let refusal = rights.refusal(of: "dynamodb:PutItem", on: Self.table)
            #expect(refusal?.errorType == "AccessDeniedException")
            #expect(
                refusal?.message
                    == "User: arn:aws:sts::123456789012:assumed-role/echo/echo is not authorized to perform: dynamodb:PutItem on "
                    + "resource: arn:aws:dynamodb:us-east-1:123456789012:table/Todo because no identity-based policy allows the "
                    + "dynamodb:PutItem action")
        }
        #expect(told.all.map(\.action) == ["dynamodb:PutItem"])
        #expect(told.all.first?.unread == nil)
    }

    @Test("what a statement denies is refused in other words")
    func denial() {
        var policy = Self.reading
        policy.statements.append(
            PolicyStatement(
                .deny, actions: [ActionPattern("*")], resources: [ResourcePattern("*")].compactMap { $0 }))
        let refusal = Self.rights(policy).refusal(of: "dynamodb:GetItem", on: Self.table)
        #expect(refusal?.message.hasSuffix("table/Todo with an explicit deny in an identity-based policy") == true)
    }

    @Test("what cannot be read is allowed in development, told once for an action, and refused otherwise")
    func unread() {
        let told = Told()
        let policy = RolePolicy(unread: ["a role made elsewhere"])
        let rights = Self.rights(policy, told)
        for name in ["Todo", "Post", "Todo"] {
            #expect(rights.refusal(of: "dynamodb:PutItem", on: PolicyResource("dynamodb", "table/", name)) == nil)
        }
        #expect(rights.refusal(of: "sqs:SendMessage", on: PolicyResource("sqs", "jobs")) == nil)
        #expect(told.all.map(\.action) == ["dynamodb:PutItem", "sqs:SendMessage"])
        #expect(told.all.allSatisfy { $0.unread == ["a role made elsewhere"] })
        #expect(
            Self.rights(policy, isStrict: true).refusal(of: "sqs:SendMessage", on: PolicyResource("sqs", "jobs")) != nil
        )
    }

    @Test("one of several names is enough, but what is denied under one is denied")
    func names() {
        let others = [PolicyResource("dynamodb", "table/", "Other"), Self.table]
        #expect(Self.rights(Self.reading).refusal(of: "dynamodb:GetItem", onOneOf: others) == nil)
        var policy = Self.reading
        policy.statements.append(
            PolicyStatement(
                .deny, actions: [ActionPattern("*")],
                resources: ["arn:aws:dynamodb:*:*:table/Other"].compactMap(ResourcePattern.init)))
        #expect(Self.rights(policy).refusal(of: "dynamodb:GetItem", onOneOf: others) != nil)
        #expect(Self.rights(Self.reading).refusal(of: "dynamodb:GetItem", onOneOf: []) != nil)
    }

    @Test("a call that says nothing of what it does needs rights on everything")
    func nothing() {
        #expect(Self.rights(Self.reading).refusal(of: [], of: "dynamodb", "GetItem") != nil)
        let all = RolePolicy([
            PolicyStatement(
                .allow, actions: [ActionPattern("dynamodb:*")], resources: [ResourcePattern("*")].compactMap { $0 })
        ])
        #expect(Self.rights(all).refusal(of: [], of: "dynamodb", "ListTables") == nil)
    }

    @Test("names of callers' own fill no memory, and answers stay right")
    func memory() {
        let rights = Self.rights(Self.reading)
        for number in 0..<(3 * AccessLimits.rightsRemembered) {
            #expect(
                rights.refusal(of: "dynamodb:GetItem", on: PolicyResource("dynamodb", "table/", "\(number)")) != nil)
        }
        #expect(rights.refusal(of: "dynamodb:GetItem", on: Self.table) == nil)
    }
}
