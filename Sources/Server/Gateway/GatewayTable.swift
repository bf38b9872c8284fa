import Files
import JSON
import Network
import Project

/// At which paths which functions are called over HTTP.
///
///     /rest/API/...    the paths of a REST API (`functions.NAME.rest`)
///     /url/NAME/...    a function's own URL (`functions.NAME.httpURL`)
struct GatewayTable: Sendable {
    private let apis: [ByteText: [(path: RestPath, function: String)]]
    private let urls: [ByteText: (function: String, isOpen: Bool)]

    private let unsandboxed: Set<ByteText>

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
        unsandboxed = Set(functions.filter(\.value.hasOwnOrigin).keys.map { ByteText($0) })
        self.apis = apis
        self.urls = urls
    }

    /// Returns whether browsers keep what a function answers apart from the server's own pages.
    func isSandboxed(_ function: String) -> Bool { !unsandboxed.contains(ByteText(function)) }

    /// Where a function with a URL of its own is called.
    static func url(of function: String, at base: String) -> String { base + urlStart + function + "/" }

    /// Where an API is: paths, which begin with a slash, are written behind it.
    static func address(ofAPI name: String, at base: String) -> String {
        base + restStart + MarkupCharacters.percentEncoded(name)
    }

    /// A path of an API that a request is for.
    struct Target: Sendable {
        let path: RestPath
        let function: String
        let match: RestPath.Match
    }

    /// The target of a path.
    enum Place: Sendable {
        case api(path: String, to: Target)
        /// There is nothing at that path of an API, or not by that method.
        case nowhere(RestPath.EventForm)
        case url(name: String, path: String, function: String, isOpen: Bool)
    }

    /// Returns whether a path, which is given as it was sent, is the gateway's.
    func isPlace(_ path: String) -> Bool {
        if !apis.isEmpty, path.utf8.starts(with: Self.restStart.utf8) {
            return apis[ByteText(Self.parts(path, behind: Self.restStart).name)] != nil
        }
        guard !urls.isEmpty, path.utf8.starts(with: Self.urlStart.utf8) else { return false }
        return urls[ByteText(Self.parts(path, behind: Self.urlStart).name)] != nil
    }

    /// Nil: the path, which is given as it was sent, is none of the gateway's.
    func place(of path: String, by method: String) -> Place? {
        if !apis.isEmpty, path.utf8.starts(with: Self.restStart.utf8) {
            let (api, rest) = Self.parts(path, behind: Self.restStart)
            guard let paths = apis[ByteText(api)] else { return nil }
            let all = paths.compactMap { entry in
                entry.path.match(rest).map { Target(path: entry.path, function: entry.function, match: $0) }
            }
            let isHTTP = paths.allSatisfy { $0.path.event == .version2 }
            let target = isHTTP ? Self.route(all, method) : Self.resource(all, method)
            return target.map { .api(path: rest, to: $0) } ?? .nowhere(isHTTP ? .version2 : .version1)
        }
        if !urls.isEmpty, path.utf8.starts(with: Self.urlStart.utf8) {
            let (name, rest) = Self.parts(path, behind: Self.urlStart)
            guard let url = urls[ByteText(name)] else { return nil }
            return .url(name: name, path: rest, function: url.function, isOpen: url.isOpen)
        }
        return nil
    }

    /// A REST API looks for the resource first: one that is closer keeps calls from the others, also from those by methods that it has not.
    private static func resource(_ all: [Target], _ method: String) -> Target? {
        guard let closest = all.max(by: { $0.match.isFurther(than: $1.match) }) else { return nil }
        return route(all.filter { !$0.match.isFurther(than: closest.match) }, method)
    }

    /// An HTTP API looks for the closest of those that take the method.
    private static func route(_ all: [Target], _ method: String) -> Target? {
        all.filter { $0.path.takes(method) }.max { one, other in
            one.match.isFurther(than: other.match)
                || !other.match.isFurther(than: one.match) && one.path.methods.isEmpty && !other.path.methods.isEmpty
        }
    }

    private static func parts(_ path: String, behind start: String) -> (name: String, rest: String) {
        let inner = path.utf8.dropFirst(start.utf8.count)
        let end = inner.firstIndex(of: UInt8(ascii: "/")) ?? inner.endIndex
        let rest = String(decoding: inner[end...], as: UTF8.self)
        return (HTTPPercentCoding.decoded(Array(inner[..<end])), rest.isEmpty ? "/" : rest)
    }
}
