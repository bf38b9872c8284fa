import JSON

/// A text with places for values of a call: `/posts/:id/of/${ctx.source.id}`.
///
/// References are Velocity's, as far as they name something of the request: with or without braces, and with `!`, which
/// Amplify's own build takes away. One that leads nowhere stays as it is written, except for the quiet ones, `$!ctx.…`.
struct CallTemplate: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case literal(String)
        /// `:name`, a member of the argument `params`.
        case parameter(String)
        case reference([String], written: String, isQuiet: Bool)
    }

    let pieces: [Piece]

    init(_ text: String, hasParameters: Bool) {
        var scan = Scan(bytes: Array(text.utf8), hasParameters: hasParameters)
        scan.run()
        pieces = scan.pieces
    }

    /// The text, values as they are.
    func text(_ context: CallContext) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .parameter(let name): context.parameter(name)
            case .reference(let path, let written, let isQuiet):
                context.text(at: path) ?? (isQuiet ? "" : written)
            }
        }.joined()
    }

    /// The text as path and query of a URL: a value never adds a segment or a parameter.
    func encodedPath(_ context: CallContext) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): URLEscapes.encodedURLPart(text)
            case .parameter(let name): URLEscapes.encoded(context.parameter(name))
            case .reference(let path, let written, let isQuiet):
                URLEscapes.encoded(context.text(at: path) ?? (isQuiet ? "" : written))
            }
        }.joined()
    }

    /// Finds the places in a text.
    private struct Scan {
        let bytes: [UInt8]
        let hasParameters: Bool
        var pieces: [Piece] = []
        private var literal: [UInt8] = []
        private var index = 0

        init(bytes: [UInt8], hasParameters: Bool) {
            self.bytes = bytes
            self.hasParameters = hasParameters
        }

        mutating func run() {
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "$"), let (piece, end) = reference(from: index) {
                    append(piece, end: end)
                } else if hasParameters, bytes[index] == UInt8(ascii: ":"), index + 1 < wordEnd(from: index + 1) {
                    let end = wordEnd(from: index + 1)
                    append(.parameter(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)), end: end)
                } else {
                    literal.append(bytes[index])
                    index += 1
                }
            }
            flush()
        }

        private mutating func append(_ piece: Piece, end: Int) {
            flush()
            pieces.append(piece)
            index = end
        }

        private mutating func flush() {
            guard !literal.isEmpty else { return }
            pieces.append(.literal(String(decoding: literal, as: UTF8.self)))
            literal = []
        }

        private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

        private func wordEnd(from start: Int) -> Int {
            var end = start
            while let byte = byte(at: end), byte.isWord { end += 1 }
            return end
        }

        /// A reference that starts at a dollar sign, and where it ends; nil when that is just a dollar sign.
        private func reference(from start: Int) -> (Piece, end: Int)? {
            var index = start + 1
            var isQuiet = false
            if byte(at: index) == UInt8(ascii: "!") {
                isQuiet = true
                index += 1
            }
            let isBraced = byte(at: index) == UInt8(ascii: "{")
            if isBraced {
                index += 1
                if byte(at: index) == UInt8(ascii: "!") { index += 1 }
            }
            var path: [String] = []
            while true {
                let end = wordEnd(from: index)
                guard end > index else { break }
                path.append(String(decoding: bytes[index..<end], as: UTF8.self))
                index = end
                guard byte(at: index) == UInt8(ascii: "."), let next = byte(at: index + 1), next.isWord else {
                    break
                }
                index += 1
            }
            if isBraced {
                guard byte(at: index) == UInt8(ascii: "}") else { return nil }
                index += 1
            }
            guard let root = path.first, ["ctx", "context"].contains(root), path.count > 1 else { return nil }
            let written = String(decoding: bytes[start..<index], as: UTF8.self)
            return (.reference(Array(path.dropFirst()), written: written, isQuiet: isQuiet), index)
        }
    }
}
