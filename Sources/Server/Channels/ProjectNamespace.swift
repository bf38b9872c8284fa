import Blueprint
import JSON
import Project

/// A namespace of channels of a project, as the configuration would say it.
enum ProjectNamespace {
    /// - Parameter functions: the functions that data sources stand for, by the names of these.
    static func configured(_ namespace: EventAPIResource.Namespace, functions: [ByteText: String]) -> JSONValue {
        var setting = JSONObject()
        for (name, modes) in [("publish", namespace.publish), ("subscribe", namespace.subscribe)] {
            setting[name] = modes.map { .array($0.map(JSONValue.string)) }
        }
        setting["text"] = namespace.text.map(JSONValue.string)
        setting["code"] = namespace.file.map(JSONValue.string)
        setting["onPublish"] = namespace.onPublish.map { handler($0, functions) }
        setting["onSubscribe"] = namespace.onSubscribe.map { handler($0, functions) }
        return .object(setting)
    }

    private static func handler(_ handler: EventAPIResource.Handler, _ functions: [ByteText: String]) -> JSONValue {
        var setting = JSONObject()
        let function = handler.function ?? handler.dataSource.flatMap { functions[$0] }
        if let function {
            setting["function"] = .string(function)
        } else {
            // A data source that is nowhere fails: a handler is there, and must not be passed over.
            setting["dataSource"] = .string(handler.dataSource ?? "")
        }
        if handler.isDirect { setting["mode"] = handler.isEvent ? "EVENT" : "REQUEST_RESPONSE" }
        return .object(setting)
    }
}
