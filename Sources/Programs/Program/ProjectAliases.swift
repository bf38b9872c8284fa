import Blueprint
import Project
import Script

/// The aliases for modules in a `tsconfig.json`, whose comments and trailing commas are TypeScript's own: it is read as an
/// expression of the language.
struct ProjectAliases {
    private(set) var base: String?
    /// Nil: it says nothing of paths.
    private(set) var paths: [(name: String, targets: [String])]?
    /// The files that it extends.
    private(set) var bases: [String] = []

    init?(_ bytes: [UInt8]) {
        let names = NameNumbers()
        let text = Array("(\(String(decoding: bytes, as: UTF8.self))\n)".utf16)
        guard
            let program = try? ProgramNode(
                parsing: text, names: names, options: SyntaxOptions(goal: .script, isTypeScript: false)),
            case .expression(let expression)? = program.body.first?.form
        else { return nil }
        if let extended = expression.member("extends", names) {
            bases = extended.literalText.map { [$0] } ?? extended.literalTexts
        }
        guard let options = expression.member("compilerOptions", names) else { return }
        base = options.member("baseUrl", names)?.literalText
        guard case .object(let patterns)? = options.member("paths", names)?.literal.form else { return }
        var paths: [(name: String, targets: [String])] = []
        for case .value(.name(let name), let value) in patterns {
            guard case .array = value.literal.form else { continue }
            paths.append((names.text(of: name), value.literalTexts))
        }
        self.paths = paths
    }
}

extension Expression {
    fileprivate var literal: Expression {
        if case .parenthesized(let inner) = form { inner.literal } else { self }
    }

    fileprivate var literalText: String? {
        if case .text(let units) = literal.form { String(decoding: units, as: UTF16.self) } else { nil }
    }

    /// Those of a list.
    fileprivate var literalTexts: [String] {
        guard case .array(let elements) = literal.form else { return [] }
        return elements.compactMap { if case .value(let element) = $0 { element.literalText } else { nil } }
    }

    fileprivate func member(_ wanted: String, _ names: NameNumbers) -> Expression? {
        guard case .object(let members) = literal.form else { return nil }
        for case .value(.name(let name), let value) in members where names.text(of: name) == wanted { return value }
        return nil
    }
}
