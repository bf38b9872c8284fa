import Glibc
import JSON
import Network

/// A configuration file that has been read: its text, its value, and what stands where.
struct ConfigurationFile {
    /// A configuration is written by hand.
    static let bytesMax = 1 << 20

    let name: String
    let root: JSONObject
    private let locator: JSONLocator

    init(_ name: String) throws(ConfigurationError) {
        let text = try Self.contents(of: name)
        self.name = name
        let limits = JSONLimits(bytesMax: Self.bytesMax, nestingMax: 32)
        locator = JSONLocator(text, limits: limits)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: text, limits: limits)
        } catch {
            throw ConfigurationError(name, error.position, "expected \(error.expected), found \(error.found)")
        }
        guard case .object(let object) = value else {
            throw ConfigurationError(
                name, locator.position(of: JSONPath()), "expected an object, found \(value.kind)")
        }
        root = object
    }

    /// The keys that it has twice: only one of them could count.
    var repetitions: [ConfigurationProblem] {
        locator.repeatedKeys.map { path, position in
            ConfigurationProblem(
                place: "\(name):\(position.line):\(position.column)", key: path.description,
                message: "this key stands here a second time; keep one of them")
        }
    }

    /// Where the value at that path, or its key, stands: `config.json:3:11`.
    func place(of path: JSONPath, key: Bool) -> String {
        let position = key ? locator.positionOfKey(path) : locator.position(of: path)
        guard let position else { return name }
        return "\(name):\(position.line):\(position.column)"
    }

    /// The place of the value at that path.
    func located(_ path: JSONPath) -> ConfigurationPlace { ConfigurationPlace(name, path, locator) }

    /// A path in the file is relative to the file.
    func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = name.lastIndex(of: "/") else { return path }
        return name[...slash] + path
    }

    private static func contents(of name: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.read(name, bytesMax: bytesMax, acceptsPipes: true)
        } catch {
            let message =
                error.code == EFBIG
                ? "expected a file of at most \(bytesMax) bytes, found a longer one"
                : "expected a readable file: \(String(cString: strerror(error.code)))"
            throw ConfigurationError(name, nil, message)
        }
    }
}

extension ConfigurationError {
    /// One problem with a file.
    fileprivate init(_ name: String, _ position: JSONPosition?, _ message: String) {
        let place = position.map { "\(name):\($0.line):\($0.column)" } ?? name
        self.init(problems: [ConfigurationProblem(place: place, key: "", message: message)])
    }
}
