import JSON

/// The changes of developers in a file for clients that a server has written, and how they stay in the next one.
enum ClientFileEdits {
    /// Returns whether a file says of itself that a server like this has written it.
    static func isMarked(_ file: [UInt8], _ value: JSONObject?) -> Bool {
        if value?["version"]?.string?.hasPrefix(LibraryConfiguration.versionMark) == true { return true }
        let second = file.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
            .dropFirst().first
        return second?.elementsEqual(OutputsFormat.Wrapping.exportsMark.utf8) ?? false
    }

    /// Returns whether a file is what was written, with members that were added and addresses that were changed.
    static func isEdited(_ found: JSONObject, of written: JSONObject) -> Bool {
        holds(.object(found), .object(written))
    }

    private static func holds(_ found: JSONValue, _ written: JSONValue) -> Bool {
        switch written {
        case .object(let members):
            guard case .object(let found) = found else { return false }
            return members.allSatisfy { member in found[member.key].map { holds($0, member.value) } ?? false }
        case .string(let text): return found == written || isAddress(text) && found.string.map(isOwn) ?? false
        default: return found == written
        }
    }

    /// What is written next: the new values, with what a developer has added to the former ones or changed in them.
    static func merged(_ new: JSONObject, _ found: JSONObject, since former: JSONObject) -> JSONObject {
        var merged = new
        for member in found {
            let known = former[member.key]
            if case .object(let inner) = member.value, case .object(let value)? = new[member.key] {
                merged[member.key] = .object(self.merged(value, inner, since: known?.object ?? JSONObject()))
            } else if let known {
                // A member that is no more is no longer written.
                if known != member.value, new[member.key] != nil { merged[member.key] = member.value }
            } else if new[member.key] == nil {
                merged[member.key] = member.value
            }
        }
        return merged
    }

    /// A file reduced to the members that another has.
    static func common(_ found: JSONObject, _ written: JSONObject) -> JSONObject {
        var common = JSONObject()
        for member in found {
            guard let other = written[member.key] else { continue }
            if case .object(let inner) = member.value, case .object(let value) = other {
                common[member.key] = .object(self.common(inner, value))
            } else {
                common[member.key] = member.value
            }
        }
        return common
    }

    private static func isAddress(_ text: String) -> Bool {
        let scheme = text.prefix(8).lowercased()
        return scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
    }

    /// Returns whether an address is none of the cloud's: such a file is a deployment's.
    private static func isOwn(_ text: String) -> Bool {
        guard isAddress(text) else { return false }
        let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return false }
        let host = parts[2].prefix { $0 != ":" }
        return !host.hasSuffix(".amazonaws.com") && !host.hasSuffix(".amazonaws.com.cn")
    }
}
