import JSON

/// The names of one template, each with the place of its value.
struct TemplateNames: Sendable {
    /// Names that mean something before a template sets anything, in the order of their places.
    enum Known: Int, CaseIterable {
        case ctx, context, util, utils, extensions, foreach, velocityCount, velocityHasNext
    }

    private(set) var count = Known.allCases.count
    private var places = Dictionary(
        texts: Known.allCases.map { ("\($0)", $0.rawValue) }, uniquingKeysWith: { first, _ in first })

    mutating func place(of name: String) -> Int {
        if let place = places[name] { return place }
        places[name] = count
        count += 1
        return count - 1
    }

    /// What AppSync's functions begin with when they are called by this name.
    static func library(_ name: String) -> String? {
        switch name {
        case "util", "utils": "util"
        case "extensions": "extensions"
        default: nil
        }
    }
}
