import Cloud
import JSON

/// A parameter and one of its versions, as a call selects it: `NAME`, `NAME:3` or `NAME:LABEL`.
struct ParameterSelection {
    let name: String
    /// The name with the slash before it or without one, as the call has it.
    let said: String
    /// The parameter as it is at present, with the labels of all versions.
    let present: JSONObject
    private(set) var version: Int64
    /// The text behind the colon.
    private(set) var selector: String?

    init(_ name: String, _ present: JSONObject, selector: String?, said: String? = nil) throws(CloudError) {
        (self.name, self.present, self.selector, self.said) = (name, present, selector, said ?? name)
        version = Self.version(of: present)
        guard let selector else { return }
        if let number = Int64(selector) {
            version = number
            guard (1...Self.version(of: present)).contains(number) else { throw notFound }
        } else {
            guard let number = present["Labels"]?[selector]?.integer else {
                throw CloudError(
                    "ParameterVersionNotFound",
                    "Systems Manager could not find label \(selector) of \(name). Verify the label and try again.")
            }
            version = number
        }
    }

    /// The number of the present version.
    static func version(of present: JSONObject) -> Int64 { present["Version"]?.integer ?? 1 }

    var isPresent: Bool { version == Self.version(of: present) }

    var versionName: String { ParameterStore.versionName(version, of: name) }

    var notFound: CloudError { Self.notFound(version, of: name) }

    static func notFound(_ version: Int64, of name: String) -> CloudError {
        CloudError(
            "ParameterVersionNotFound",
            "Systems Manager could not find version \(version) of \(name). Verify the version and try again.")
    }

    /// The version with the label that a filter asks for, where one does.
    func labelled(by filters: [ParameterFilter]) -> ParameterSelection {
        var selection = self
        for filter in filters {
            guard let (label, version) = filter.version(in: present["Labels"]) else { continue }
            (selection.version, selection.selector) = (version, label)
        }
        return selection
    }
}
