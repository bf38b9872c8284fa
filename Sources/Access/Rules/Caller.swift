import Blueprint
import JSON

/// An identity as the rules of one schema see it: made once for a request, asked by every decision of it.
package final class Caller: Sendable {
    package let identity: Identity
    /// Where decisions tell their reasons; nil when nobody asked.
    package let trace: DecisionTrace?
    /// Whoever runs the API: no rule holds them back.
    package let isAdministrator: Bool
    /// By the numbers of the policy's claims.
    private let owners: [OwnerValues]
    private let groups: [[ByteText]]

    init(_ identity: Identity, _ claims: ClaimTable, trace: DecisionTrace?) {
        self.identity = identity
        self.trace = trace
        isAdministrator = identity.principal?.role == .administrator
        if let token = identity.token?.claims {
            owners = claims.owners.map { $0.values(in: token) }
            groups = claims.groups.map { Self.groups(token[$0]) }
        } else {
            owners = []
            groups = []
        }
    }

    /// The groups that a claim lists. A claim that is a text is a list written as JSON, or a single group; never a text
    /// to look for names in.
    private static func groups(_ claim: JSONValue?) -> [ByteText] {
        let names: [String]
        switch claim {
        case .array(let values)?: names = values.compactMap(\.string)
        case .string(let text)?:
            let list = text.utf8.first == UInt8(ascii: "[") ? try? JSONReader.value(of: text).array : nil
            names = list?.compactMap(\.string) ?? [text]
        default: names = []
        }
        return names.filter { !$0.isEmpty }.map { ByteText($0) }
    }

    func ownerValues(_ claim: Int) -> OwnerValues { owners.indices.contains(claim) ? owners[claim] : .none }

    func groupNames(_ claim: Int) -> [ByteText] { groups.indices.contains(claim) ? groups[claim] : [] }

    /// Returns whether no rule is asked at all.
    func passesUnasked(_ question: RuleQuestion) -> Bool {
        if let trace { question.begin(trace, for: self) }
        if isAdministrator { trace?.note("administrators", isMet: true, identity.name) }
        return isAdministrator
    }
}
