import JSON

/// What of a request proves who is calling: an HTTP request, or the authorization object of a WebSocket.
package struct CredentialRequest: Sendable {
    package let fields: any CredentialFields
    /// The bytes that a signature covers, and that an authorizer is told about.
    package let body: [UInt8]
    /// The SHA-256 of the bytes that were sent, where the body was compressed: a signature is over these.
    package var sentDigest: [UInt8]?
    /// The operation on channels; nil for other requests.
    package var question: ChannelQuestion?
    /// What nobody asks for who comes with a key or with a token that is known.
    private let lineMaker: @Sendable () -> Line

    /// What is asked of whom.
    package struct Line: Sendable {
        package let method: String
        /// The path as it was sent, percent signs included.
        package let path: String
        package let query: String
        /// The host and port that the client has reached; a signature may be over it.
        package let authority: String?
        private let identifierMaker: @Sendable () -> String
        package var identifier: String { identifierMaker() }

        /// `identifier` is made when it is wanted.
        package init(
            method: String = "POST", path: String, query: String = "", authority: String? = nil,
            identifier: @escaping @autoclosure @Sendable () -> String = ""
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.authority = authority
            identifierMaker = identifier
        }
    }

    package var line: Line { lineMaker() }

    /// `line` is called when it is wanted.
    package init(fields: any CredentialFields, body: [UInt8], line: @escaping @Sendable () -> Line) {
        self.fields = fields
        self.body = body
        lineMaker = line
    }

    package init(
        method: String = "POST", path: String, query: String = "", fields: any CredentialFields, body: [UInt8],
        authority: String? = nil, identifier: String = ""
    ) {
        let line = Line(method: method, path: path, query: query, authority: authority, identifier: identifier)
        self.init(fields: fields, body: body) { line }
    }
}

/// The fields of a request's head, or the members of an authorization object.
package protocol CredentialFields: Sendable {
    /// The values of all fields of that name, which is given in lower case; however the request writes it.
    func values(of name: String) -> [String]
    /// Hands each of those values to the closure as bytes of UTF-8.
    func forEachValue(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void)
    /// All fields, in their order.
    var all: [(name: String, value: String)] { get }
    /// Where they came from.
    var source: RequestSource { get }
    /// Whether they came from this machine, under one of its own names, and not through a proxy.
    var areFromThisMachine: Bool { get }
}

extension CredentialFields {
    package var areFromThisMachine: Bool { source != .elsewhere }
}

/// Fields that are at hand as a list.
package struct ListedFields: CredentialFields {
    package let all: [(name: String, value: String)]
    package let source: RequestSource
    private let names: [String]

    package init(_ all: [(name: String, value: String)], source: RequestSource = .elsewhere) {
        self.all = all
        self.source = source
        names = all.map(\.name.inLowerCaseASCII)
    }

    package func values(of name: String) -> [String] {
        names.indices.filter { names[$0].utf8.elementsEqual(name.utf8) }.map { all[$0].value }
    }

    package func forEachValue(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        for place in names.indices where names[place].utf8.elementsEqual(name) {
            var value = all[place].value
            value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }
}

extension String {
    /// The text with A to Z in lower case and everything else as it is: the names of fields are ASCII, and Unicode has
    /// letters whose lower case is an ASCII one.
    package var inLowerCaseASCII: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }
}
