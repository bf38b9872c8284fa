import Blueprint
import GraphQL
import Project

extension SchemaSyntax {
    /// A number as the programs of the project write it.
    static func number(_ number: Double, _ place: Position) -> Value {
        let text = number.programText
        let isWhole = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) }
        return isWhole ? .int(NumberValue(text, position: place)) : .float(NumberValue(text, position: place))
    }
}
