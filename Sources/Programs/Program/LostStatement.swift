import Blueprint
import GraphQL
import Project
import Script

/// A statement of a program that did not come to its end, behind the one at which it stopped.
struct LostStatement {
    let file: String
    let line: Int
    /// Its beginning, on one line.
    let text: String

    private static let textMax = 60
    private static let shownMax = 8

    /// The statements of a file's top level from an offset on, apart from those that only define functions and classes.
    ///
    /// - Parameter offset: in UTF-16 units. Nil: all of them.
    static func statements(of source: Source, after offset: Int32?) -> [LostStatement] {
        guard let file = source.name else { return [] }
        let units = Array(String(decoding: source.bytes, as: UTF8.self).utf16)
        let options = SyntaxOptions(goal: .module, isTypeScript: true)
        guard let program = try? ProgramNode(parsing: units, names: NameNumbers(), options: options) else { return [] }
        return program.body.compactMap { statement in
            let start = statement.place.offset
            guard offset.map({ start > $0 }) ?? true, Int(start) < units.count else { return nil }
            switch statement.form {
            case .empty, .function, .class, .propertyNames, .debugger: return nil
            default: break
            }
            let line = units[Int(start)...].prefix(textMax).prefix { $0 != 0x0A && $0 != 0x0D }
            return LostStatement(
                file: file, line: Int(statement.place.line), text: String(decoding: line, as: UTF16.self))
        }
    }

    /// What a message says of them.
    static func list(_ lost: [LostStatement]) -> String {
        guard !lost.isEmpty else { return "" }
        let shown = lost.prefix(shownMax).map { "\($0.file):\($0.line) `\($0.text)`" }.joined(separator: ", ")
        let more = lost.count > shownMax ? " and \(lost.count - shownMax) more" : ""
        return "; these lines did not run: \(shown)\(more)"
    }
}

extension ProgramRun {
    /// What a program leaves out that ends with an error: in the file where it stopped, and in its own.
    func lostStatements(_ error: ScriptError) -> [LostStatement] {
        guard error.kind != .syntax else { return [] }
        var lost: [LostStatement] = []
        for name in error.file == main.file ? [main.file] : [error.file, main.file] {
            guard let source = files.sources.last(where: { $0.name == name }) else { continue }
            // The outermost call in the file is at the statement that did not end.
            let place = error.trace.last { $0.file == name }?.place ?? (error.file == name ? error.place : nil)
            lost += LostStatement.statements(of: source, after: place?.offset)
        }
        return lost
    }
}
