import Blueprint
import Script

/// Whether something that is known only when the app is deployed is true where a program asks. Constructs, their attributes and
/// what stands for those in the CDK are; an answer of theirs is not, nor a value of the context that nobody gives.
enum DeployedTruth {
    static func isThere(_ object: OpaqueObject) -> Bool {
        guard case .member(_, let name) = object.function?.making else { return true }
        return alwaysTrue.contains(name) || !(alwaysFalse.contains(name) || asks(name))
    }

    /// Whether that is certain: a table of a model, which the project has.
    static func isKnown(_ object: OpaqueObject) -> Bool {
        guard case .member(let parent, let name) = object.making, parent.isListed,
            case .object(let member)? = try? parent.get(name)
        else { return false }
        // What is not put is another object each time.
        return member === object
    }

    /// `Token.isUnresolved(bucket.bucketName)`
    private static let alwaysTrue: Set<String> = ["isUnresolved", "isConstruct"]
    private static let alwaysFalse: Set<String> = [
        "tryGetContext", "tryFindChild", "tryRemoveChild", "includes", "startsWith", "endsWith", "test", "match",
        "some", "every", "has", "hasOwnProperty", "equals", "find",
    ]

    /// `isX` with a capital letter behind it, as methods are called that answer with a truth value.
    private static func asks(_ name: String) -> Bool {
        guard name.hasPrefix("is"), let letter = name.utf8.dropFirst(2).first else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    }
}
