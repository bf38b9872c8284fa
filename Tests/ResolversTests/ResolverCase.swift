import Foundation
import JSON
import Testing

/// A case of `Cases/resolvers-cases.json`: a code, what it is told, and what comes of one of its handlers.
struct ResolverCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// `js` or `vtl`.
    let runtime: String
    let code: String
    /// `request`, `response`, or `template`.
    let handler: String
    let context: JSONValue
    let json: JSONValue

    var testDescription: String { name }

    static func all(_ runtime: String) -> [ResolverCase] {
        (Self.file("resolvers-cases").array ?? []).map(ResolverCase.init).filter { $0.runtime == runtime }
    }

    static func file(_ name: String) -> JSONValue {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Cases"),
            let data = try? Data(contentsOf: url), let json = try? JSONReader.value(of: [UInt8](data))
        else { return .null }
        return json
    }

    private init(_ json: JSONValue) {
        name = json["name"]?.string ?? ""
        runtime = json["runtime"]?.string ?? ""
        code = json["code"]?.string ?? ""
        handler = json["handler"]?.string ?? "request"
        context = json["context"] ?? .null
        self.json = json
    }
}
