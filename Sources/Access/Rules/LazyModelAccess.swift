import Blueprint
import Threads

/// The checks of a model, made when somebody asks for them first: a start has no time for those of all models.
package final class LazyModelAccess: Sendable {
    private let model: Model
    private let blueprint: Blueprint
    private let version: RuleVersion
    private let claims: ClaimTable
    private let gates: GateTable
    private let made = MadeOnce<ModelAccess>()

    /// All claims that rules of the schema compare must be in the table.
    init(_ model: Model, in blueprint: Blueprint, _ version: RuleVersion, _ claims: ClaimTable, _ gates: GateTable) {
        self.model = model
        self.blueprint = blueprint
        self.version = version
        self.claims = claims
        self.gates = gates
    }

    /// Of two threads that ask at once both may make them; all get the same.
    package var access: ModelAccess {
        made.object(orMake: make)
    }

    private func make() -> ModelAccess {
        var numbers = claims
        let access = version.access(to: model, in: blueprint, &numbers, gates)
        assert(numbers.count == claims.count, "a claim without a number would be nobody's")
        return access
    }
}
