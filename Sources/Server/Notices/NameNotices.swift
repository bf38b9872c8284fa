import Blueprint
import JSON

/// Settings by names of the schema's that the schema does not have.
struct NameNotices {
    private let blueprint: Blueprint
    private let resolution: ConfigurationResolver.Resolution
    private let functions: [String]

    init(_ blueprint: Blueprint, _ resolution: ConfigurationResolver.Resolution, functions: [String]) {
        self.blueprint = blueprint
        self.resolution = resolution
        self.functions = functions
    }

    /// - Parameter unused: the functions of the configuration that no field calls.
    func diagnostics(unused: Set<String>) -> [Diagnostic] {
        notices("functions", "function", among: functions) { unused.contains($0) && !isCalledOtherwise($0) }
            + notices("features.conflictDetectionModels", "model", among: blueprint.models.map(\.name)) {
                !blueprint.hasModel(named: $0)
            }
    }

    /// Returns whether something else calls a function: a trigger, the clock, or whoever the project defines it for.
    private func isCalledOtherwise(_ name: String) -> Bool {
        let configuration = resolution.configuration
        guard let setting = configuration.functions[name] else { return false }
        return setting.isOfProject || !setting.schedules.isEmpty || !setting.tables.isEmpty
            || configuration.signIn.triggers.values.contains(name)
            || configuration.auth.authorizerURL == setting.address(of: name)
            || configuration.files.buckets.contains { $0.onUpload == name || $0.onDelete == name }
    }

    private func notices(
        _ path: String, _ noun: String, among names: [String], isUnknown: (String) -> Bool
    ) -> [Diagnostic] {
        guard let setting = resolution.settings.first(where: { $0.key.path == path }), setting.origin != .standard
        else {
            return []
        }
        return (setting.value.object?.members ?? []).map(\.key).filter(isUnknown).map { name in
            let nearest = NearestName.of(name, in: names)
            let all = names.isEmpty ? "It names none." : "It names \(names.joined(separator: ", "))."
            return Diagnostic(
                severity: .warning, message: "\(path).\(name): the schema has no \(noun) of that name",
                hint: nearest.map { "Did you mean \($0)?" } ?? all, file: setting.origin.description)
        }
    }
}
