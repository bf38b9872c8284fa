import JSON
import Network

/// A call of Lambda's API, by its path.
enum LambdaCall: Equatable {
    /// `POST /2015-03-31/functions/NAME/invocations`
    case invoke(String)
    /// `POST /2021-11-15/functions/NAME/response-streaming-invocations`
    case stream(String)
    /// `GET /2015-03-31/functions/NAME`
    case function(String)
    /// `GET /2015-03-31/functions/NAME/configuration`
    case configuration(String)
    /// `GET /2015-03-31/functions/`
    case list

    private static let folder = "/2015-03-31/functions"
    private static let streamFolder = "/2021-11-15/functions"

    /// Nil: a path is none of these calls.
    init?(_ head: HTTPRequestHead) {
        let path = head.path
        let isStreaming = path.hasPrefix(Self.streamFolder)
        guard isStreaming || path.hasPrefix(Self.folder) else { return nil }
        let isRead = head.method == .get
        let start = isStreaming ? Self.streamFolder : Self.folder
        // What calls functions says so by its path, whatever its method.
        let parts = path.utf8.dropFirst(start.utf8.count).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard let first = parts.first, first.isEmpty else { return nil }
        let name = parts.count > 1 ? FunctionAddresses.bareName(of: parts[1]) : ""
        if name.isEmpty {
            guard !isStreaming, isRead, parts.count == 1 || (parts.count == 2 && parts[1].isEmpty) else { return nil }
            self = .list
            return
        }
        switch (parts.count > 2 ? parts[2] : "", parts.count) {
        case ("invocations", 3) where !isStreaming: self = .invoke(name)
        case ("response-streaming-invocations", 3) where isStreaming: self = .stream(name)
        case ("configuration", 3) where !isStreaming && isRead: self = .configuration(name)
        case ("", 2) where !isStreaming && isRead: self = .function(name)
        default: return nil
        }
    }

    var method: HTTPMethod {
        switch self {
        case .invoke, .stream: .post
        case .function, .configuration, .list: .get
        }
    }

    /// Its name in signatures.
    var operation: String {
        switch self {
        case .invoke, .stream: "InvokeFunction"
        case .function: "GetFunction"
        case .configuration: "GetFunctionConfiguration"
        case .list: "ListFunctions"
        }
    }

    /// The function that it is for; nil: all.
    var function: String? {
        switch self {
        case .invoke(let name), .stream(let name), .function(let name), .configuration(let name): name
        case .list: nil
        }
    }
}
