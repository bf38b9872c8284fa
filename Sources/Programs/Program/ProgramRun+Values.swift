import Blueprint
import Project
import Script

extension ProgramRun {
    private static let piecesMax = 1_000
    private static let piecesDepthMax = 200

    /// What a value is in the environment of a function.
    func environmentValue(_ value: ProgramValue) -> FunctionVariable.Value {
        piecesLeft = Self.piecesMax
        return environmentValue(value, depth: 0)
    }

    func environmentValue(_ value: ProgramValue, depth: Int) -> FunctionVariable.Value {
        switch value {
        case .text(let text):
            if let model = signIn?.dataSources.model(ofDeployedTable: text.string) {
                return .deployed("backend.data.resources.tables.\(model).tableName")
            }
            return .text(text.string)
        case .boolean(let flag): return .text(flag ? "true" : "false")
        case .number(let number): return .text(number.programText)
        case .object(let object):
            guard let opaque = object as? OpaqueObject else { return .missing }
            if let name = secret(opaque) { return .secret(name) }
            if let address = signIn?.gateways.address(opaque) { return .gateway(address.api, path: address.path) }
            if let known = knownValue(opaque, depth: depth) { return known }
            if let arn = signIn?.arnValue(of: opaque) { return arn }
            guard case .template(let texts, let values) = opaque.making else { return .deployed(opaque.origin) }
            piecesLeft -= texts.count
            guard depth < Self.piecesDepthMax, piecesLeft > 0 else { return .deployed("a text of too many parts") }
            var pieces: [FunctionVariable.Value] = []
            for (number, text) in texts.enumerated() {
                if !text.isEmpty { pieces.append(.text(text)) }
                if number < values.count { pieces.append(environmentValue(values[number], depth: depth + 1)) }
            }
            return .joined(pieces)
        default: return .missing
        }
    }
}
