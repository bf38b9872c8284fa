import Blueprint
import Project
import Script

/// Whether something that is known only when the app is deployed is true where a program asks. Constructs, their attributes and
/// what stands for those in the CDK are; an answer of theirs is not, nor a value of the context that nobody gives.
enum DeployedTruth {
    static func isThere(_ object: OpaqueObject) -> Bool {
        guard case .member(_, let name) = object.function?.making else { return true }
        return alwaysTrue.contains(name) || !(alwaysFalse.contains(name) || asks(name))
    }

    /// Returns whether that is certain: a table of a model, which the project has.
    static func isKnown(_ object: OpaqueObject) -> Bool {
        guard case .member(let parent, let name) = object.making, parent.isListed,
            case .object(let member)? = try? parent.get(name)
        else { return false }
        // What is not put is another object each time.
        return member === object
    }

    /// What `typeof` gives: names, addresses and ids are texts, what a module exports with a capital letter is a class, and all else is
    /// an object.
    static func typeName(of object: OpaqueObject) -> String {
        if case .template = object.making { return "string" }
        guard case .member(_, let name) = object.making else {
            if case .call = object.making { return "object" }
            let isExported = object.module != nil && object.spreadOf == nil
            return isExported && isCapital(object.origin.utf8.first) ? "function" : "object"
        }
        if textEndings.contains(where: name.hasSuffix) || textNames.contains(name) { return "string" }
        return isCapital(name.utf8.first) && object.module != nil ? "function" : "object"
    }

    private static let textEndings = ["Name", "Arn", "Id", "Url", "Uri", "URL", "Endpoint", "Domain"]
    private static let textNames: Set<String> = ["region", "account", "ref", "url", "id", "arn"]

    private static func isCapital(_ letter: UInt8?) -> Bool {
        letter.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    }

    /// `Token.isUnresolved(bucket.bucketName)`
    private static let alwaysTrue: Set<String> = ["isUnresolved", "isConstruct"]
    private static let alwaysFalse: Set<String> = [
        "tryGetContext", "tryFindChild", "tryRemoveChild", "includes", "startsWith", "endsWith", "test", "match",
        "some", "every", "has", "hasOwnProperty", "equals", "find",
    ]

    /// `isX` with a capital letter behind it, as methods are called that answer with a truth value.
    private static func asks(_ name: String) -> Bool {
        name.hasPrefix("is") && isCapital(name.utf8.dropFirst(2).first)
    }
}
