import JSON
import Language

extension LanguageSettings.Credentials: ConfigurationValue {
    package init?(configured value: JSONValue) {
        guard let id = value["accessKeyId"]?.string, let secret = value["secretAccessKey"]?.string else { return nil }
        self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: value["sessionToken"]?.string)
    }
}

extension LanguageSettings.Compatible: ConfigurationValue {
    package init?(configured value: JSONValue) {
        // A URL alone says it all.
        guard let url = value.string ?? value["url"]?.string else { return nil }
        var models: [String: String] = [:]
        for member in value["models"]?.object ?? JSONObject() { models[member.key] = member.value.string }
        self.init(url: url, key: value["key"]?.string, model: value["model"]?.string, models: models)
    }
}
