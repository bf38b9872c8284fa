import Blueprint
import JSON

/// Which model a root field of the API is about.
struct ModelNames: Sendable {
    private let models: [ByteText: String]

    init(_ blueprint: Blueprint) {
        var models: [ByteText: String] = [:]
        for model in blueprint.models {
            let operations = model.operations
            let names =
                [
                    operations.get, operations.list, operations.sync, operations.create, operations.update,
                    operations.delete, model.search?.name,
                ].compactMap(\.self) + operations.subscriptions.map(\.name) + model.indexes.compactMap(\.query)
            for name in names { models[ByteText(name)] = model.name }
        }
        self.models = models
    }

    func model(ofField field: String) -> String? { models[ByteText(field)] }
}
