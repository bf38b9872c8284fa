import Blueprint
import Project
import Script

/// What becomes here of a property of a resource that a program assigns.
indirect enum PropertyUse: Sendable {
    // What is read, by what it has to be.
    case flag
    case text
    case number(ClosedRange<Double>)
    case texts
    case words([String])
    case word([String])
    case object([Member])
    case list(PropertyUse)
    /// It is read elsewhere, whatever it is.
    case read
    /// It means nothing here, for this reason.
    case meaningless(String)
    /// It does not hold here and restricts nobody: that is said.
    case unserved(String)
    /// It restricts somebody and does not hold here: the project is refused.
    case refused(String)

    struct Member: Sendable {
        let name: String
        let use: PropertyUse

        init(_ name: String, _ use: PropertyUse) {
            self.name = name
            self.use = use
        }
    }
}

/// A resource whose properties programs assign.
struct ResourceProperties: Sendable {
    /// What programs call it.
    let name: String
    let members: [PropertyUse.Member]
    /// True if it says who may do what: then a property that it does not have refuses the project.
    var saysRights = true
    /// The words at the end of the name by which programs come to it: `cfnBucket`, `CfnBucket()`.
    var places: [String] = []
    /// The same of what holds several of them by their names.
    var collections: [String] = []

    /// Returns whether an object stands for such a resource.
    func isMeant(by object: OpaqueObject) -> Bool {
        if places.contains(where: { object.origin.hasSuffix(".\($0)") || object.origin.hasSuffix(" \($0)") }) {
            return true
        }
        guard case .member(let owner, _) = object.making else { return false }
        return collections.contains { owner.origin.hasSuffix(".\($0)") }
    }
}
