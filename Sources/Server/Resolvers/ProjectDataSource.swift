import Blueprint
import JSON
import Project

/// The data sources of a project's resolvers, in the form of the configuration.
enum ProjectDataSource {
    static func configured(_ source: DataSourceResource) -> JSONValue {
        var setting = JSONObject()
        func set(_ name: String, _ text: String?) { if let text { setting.set(name, to: .string(text)) } }
        switch source.kind {
        case .model(let model): set("model", model)
        // What it is like is said where it is made.
        case .table(let table): set("table", table.name)
        case .http(let endpoint, let signing):
            set("endpoint", endpoint)
            set("signingService", signing?.service)
            set("signingRegion", signing?.region)
        case .function(let name): set("function", name)
        case .events(let bus): set("eventBus", bus)
        case .search(let endpoint): set("openSearch", endpoint)
        case .database: setting.set("database", to: true)
        case .models: setting.set("models", to: true)
        case .none: setting.set("none", to: true)
        }
        return .object(setting)
    }
}
