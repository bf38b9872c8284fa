extension Settings {
    /// How conflicts of a model are resolved; nil for a model without conflict detection. Where single models are named,
    /// version 1 of the transformer leaves the others alone, and version 2 has conflict detection for all.
    package func conflictStrategy(of model: String) -> ConflictStrategy? {
        if let strategy = conflictStrategies[model] ?? conflictStrategy { return strategy }
        return isSynced && transformerVersion != 1 ? .automerge : nil
    }
}
