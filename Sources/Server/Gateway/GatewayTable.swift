import JSON
import Network

/// At which paths which functions are called over HTTP.
///
///     /rest/API/...    the paths of a REST API (`functions.NAME.rest`)
///     /url/NAME/...    a function's own URL (`functions.NAME.httpURL`)
struct GatewayTable: Sendable {
    private let apis: [ByteText: [(path: RestPath, function: String)]]
    private let urls: [ByteText: (function: String, isOpen: Bool)]

    private static let restStart = "/rest/"
    private static let urlStart = "/url/"

    init(_ functions: [String: FunctionSetting]) {
        var apis: [ByteText: [(path: RestPath, function: String)]] = [:]
        var urls: [ByteText: (function: String, isOpen: Bool)] = [:]
        for (name, setting) in functions.sorted(by: { $0.key < $1.key }) {
            for path in setting.rest { apis[ByteText(path.api), default: []].append((path, name)) }
            guard let way = setting.httpURL else { continue }
            for known in [name] + setting.otherNames { urls[ByteText(known)] = (name, way == .open) }
        }
        self.apis = apis
        self.urls = urls
    }

    /// Where a function with a URL of its own is called.
    static func url(of function: String, at base: String) -> String { base + urlStart + function + "/" }

    /// What a path leads to.
    enum Place: Sendable {
        case rest(api: String, path: String, to: (path: RestPath, function: String, match: RestPath.Match)?)
        case url(name: String, path: String, function: String, isOpen: Bool)
    }

    /// Nil: the path, which is given as it was sent, is none of the gateway's.
    func place(of path: String) -> Place? {
        if !apis.isEmpty, path.utf8.starts(with: Self.restStart.utf8) {
            let (api, rest) = Self.parts(path, behind: Self.restStart)
            guard let paths = apis[ByteText(api)] else { return nil }
            let fitting = paths.compactMap { entry in entry.path.match(rest).map { (entry.path, entry.function, $0) } }
            let closest = fitting.max { ($0.2.length, $0.2.literals) < ($1.2.length, $1.2.literals) }
            return .rest(api: api, path: rest, to: closest)
        }
        if !urls.isEmpty, path.utf8.starts(with: Self.urlStart.utf8) {
            let (name, rest) = Self.parts(path, behind: Self.urlStart)
            guard let url = urls[ByteText(name)] else { return nil }
            return .url(name: name, path: rest, function: url.function, isOpen: url.isOpen)
        }
        return nil
    }

    private static func parts(_ path: String, behind start: String) -> (name: String, rest: String) {
        let inner = path.utf8.dropFirst(start.utf8.count)
        let end = inner.firstIndex(of: UInt8(ascii: "/")) ?? inner.endIndex
        let rest = String(decoding: inner[end...], as: UTF8.self)
        return (HTTPPercentCoding.decoded(Array(inner[..<end])), rest.isEmpty ? "/" : rest)
    }
}
