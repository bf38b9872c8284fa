import JSON

/// The backend that answers for the service's models. Default: a stand-in, which says so.
package struct LanguageSettings: Sendable, Equatable {
    /// The service itself, or something that speaks as it does.
    package var url: String?
    package var region = "us-east-1"
    package var credentials: Credentials?
    package var compatible: Compatible?
    /// A file of rules.
    package var rules: String?

    package init() {}

    /// True if nobody answers but a stand-in.
    package var isStandIn: Bool { url == nil && compatible == nil && rules == nil }

    /// The credentials that sign calls of the service.
    package struct Credentials: Sendable, Equatable {
        package var accessKeyID: String
        package var secretAccessKey: String
        package var sessionToken: String?

        package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
        }
    }

    /// An endpoint with OpenAI's chat completions.
    package struct Compatible: Sendable, Equatable {
        package var url: String
        package var key: String?
        /// The model for all that stand under no name.
        package var model: String?
        /// Models by the names that the app has for them.
        package var models: [String: String]

        package init(url: String, key: String? = nil, model: String? = nil, models: [String: String] = [:]) {
            self.url = url
            self.key = key
            self.model = model
            self.models = models
        }

        /// The endpoint's name for a model.
        func model(for name: String) -> String {
            models.first { ByteText($0.key) == ByteText(name) }?.value ?? model ?? name
        }
    }
}
