import JSON

/// A value in a configuration file. Its line is looked for when somebody asks: a start that finds nothing wrong needs none.
package final class ConfigurationPlace: Sendable, Equatable, CustomStringConvertible {
    private let file: String
    private let path: JSONPath
    private let locator: JSONLocator

    init(_ file: String, _ path: JSONPath, _ locator: JSONLocator) {
        (self.file, self.path, self.locator) = (file, path, locator)
    }

    /// `config.json:3`.
    package var description: String { "\(file):\(locator.position(of: path)?.line ?? 1)" }

    package static func == (left: ConfigurationPlace, right: ConfigurationPlace) -> Bool {
        ByteText(left.file) == ByteText(right.file) && left.path == right.path
    }
}
