import Blueprint
import JSON
import Project
import Script

/// Reads what a program adds to the file that clients load. What is known only when the app is deployed is kept apart.
struct OutputValue {
    /// What was kept apart, and the names that lead there.
    private(set) var deployed: [(name: String, value: FunctionVariable.Value)] = []
    /// The number of the next part that is kept apart.
    private var number: Int
    private var valuesLeft = 10_000

    private static let depthMax = 64

    init(firstNumber: Int) { number = firstNumber }

    private mutating func keepApart(_ name: String, _ value: FunctionVariable.Value) -> JSONValue {
        deployed.append((name.isEmpty ? "everything" : name, value))
        defer { number += 1 }
        return .string(DeployedOutput.placeholder(number))
    }

    /// Nil for what JSON has no form for, and beyond the limits.
    mutating func json(_ value: ProgramValue, _ path: String, depth: Int = 0) throws(Thrown) -> JSONValue? {
        valuesLeft -= 1
        guard valuesLeft > 0, depth < Self.depthMax else {
            return keepApart(path, .missing)
        }
        switch value {
        case .text(let text): return .string(text.string)
        case .boolean(let flag): return .bool(flag)
        case .null: return .null
        case .number(let number):
            guard number.isFinite else { return .null }
            return Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .object(let object): return try json(object, path, depth)
        default: return nil
        }
    }

    private mutating func json(_ object: ProgramObject, _ path: String, _ depth: Int) throws(Thrown) -> JSONValue? {
        if object.isOpaque {
            let value = try ProgramRun.of(object.realm).environmentValue(.object(object))
            if case .text(let text) = value { return .string(text) }
            return keepApart(path, value)
        }
        if let list = object as? ScriptArray {
            var elements: [JSONValue] = []
            for (number, element) in try list.values().enumerated() {
                elements.append(try json(element, "\(path)[\(number)]", depth: depth + 1) ?? .null)
            }
            return .array(elements)
        }
        guard !object.isCallable else { return nil }
        // A date, or what says itself what is written of it.
        if case .object(let method) = try object.get("toJSON"), method.isCallable, !method.isOpaque {
            let written = try object.realm.call(method, this: .object(object), [object.realm.value(path)])
            if case .object(let same) = written, same === object { return nil }
            return try json(written, path, depth: depth + 1)
        }
        var members = JSONObject()
        for key in try object.enumerableKeys() {
            let name = object.realm.describe(key)
            let inner = path.isEmpty ? name : "\(path).\(name)"
            if let value = try json(try object.get(key), inner, depth: depth + 1) { members.set(name, to: value) }
        }
        return .object(members)
    }
}
