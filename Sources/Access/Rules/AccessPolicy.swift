import Blueprint
import GraphQL
import JSON
import Threads

/// The rules of one schema, compiled once: who may do what with each of its fields.
///
/// Plans look up what they need by name when they are made, and keep it. Requests make a `Caller` and ask that.
package final class AccessPolicy: Sendable {
    private let claims: ClaimTable
    private let gates: GateTable
    private let blueprint: Blueprint
    private let version: RuleVersion
    /// Made with the first plan: a start has no time for the demands of all fields.
    private let demands = MadeOnce<IAMDemands>()
    private let models: [ByteText: LazyModelAccess]
    /// Fields of types that are no models, `Type.field`, with rules of their own: operations among them.
    private let fields: [ByteText: FieldAccess]

    package init(_ blueprint: Blueprint, _ api: APISchema) {
        let version = RuleVersion(blueprint.settings)
        var claims = ClaimTable(version)
        // Every claim gets its number now, so that the checks of a model can be made at any time.
        for model in blueprint.models { version.number(claimsOf: model, in: &claims) }
        var fields: [ByteText: FieldAccess] = [:]
        for type in blueprint.types {
            for field in type.fields {
                guard let rules = field.rules else { continue }
                let name = "\(type.name).\(field.name)"
                let tests = version.tests(ofFieldWithoutRecord: rules, &claims)
                fields[name] = FieldAccess("ask for \(name)", tests, among: tests)
            }
        }
        self.claims = claims
        let gates = GateTable(api, defaultMode: blueprint.settings.defaultMode)
        self.gates = gates
        models = Dictionary(
            texts: blueprint.models.map { ($0.name, LazyModelAccess($0, in: blueprint, version, claims, gates)) },
            uniquingKeysWith: { _, last in last })
        self.fields = fields
        self.blueprint = blueprint
        self.version = version
    }

    /// The identity as these rules see it: made once for a request.
    package func caller(_ identity: Identity, trace: DecisionTrace? = nil) -> Caller {
        Caller(identity, claims, trace: trace)
    }

    // When a plan is made.

    /// Who is given a field of an object type, or may compare it.
    package func right(to field: String, of type: String) -> FieldRight {
        FieldRight(to: field, of: type, gates.gate(type: type, field: field), self.field(type: type, field: field))
    }

    /// Whom AppSync admits to a field of an object type.
    package func gate(type: String, field: String) -> FieldGate { gates.gate(type: type, field: field) }

    /// What a principal needs a policy for when an operation selects the field.
    package func demand(type: String, field: String) -> IAMDemand {
        demands.object { IAMDemands(blueprint, version) }.demand(type: type, field: field)
    }

    /// The checks of a model.
    package func model(_ name: String) -> ModelAccess? { models[name]?.access }

    /// The same, to be made later.
    package func lazyModel(_ name: String) -> LazyModelAccess? { models[name] }

    /// The check of a field with rules of its own: of a model, of a custom type, or of a root type, where it is a
    /// custom operation. Nil: whoever gets to see the parent may read it.
    package func field(type: String, field: String) -> FieldAccess? {
        if let model = model(type) { return model.field(field) }
        return fields["\(type).\(field)"]
    }
}
