/// Fields with the same response name can be merged into one. Specification: section 5.3.2, FieldsInSetCanMerge().
///
/// Comparing each field with each other one takes the square of their number, and doing so through fragments more than
/// that. Here fields are gathered by response name, and each is compared with one that stands for those before it:
/// what must be equal is equal to the same. Where all are selected from at once, a set of selection sets that was
/// merged before is not merged again. What still takes too long is refused (`ValidationLimits.workMax`).
///
///     { a { b } ...F }  fragment F on T { a { c } }
///       └──────── merged ──────────────────┘   then { b } with { c }
enum OverlappingFieldsCanBeMerged {
    static func check(_ selectionSet: SelectionSet, _ context: inout ValidationContext) {
        guard selectionSet.count > 1, !context.isStopped else { return }
        var merge = FieldMerge()
        guard merge.gather(selectionSet, context.parentType, origin: nil, &context) else { return }
        for conflict in conflicts(in: merge, isShapeOnly: false, &context) {
            context.report(.fieldsConflict, conflict.reason, at: conflict.fields.map(\.position))
        }
    }

    private struct Conflict {
        let reason: String
        let fields: [Field]
    }

    private static func conflicts(
        in merge: FieldMerge, isShapeOnly: Bool, _ context: inout ValidationContext
    ) -> [Conflict] {
        var found: [Conflict] = []
        for group in merge.groups where group.members.count > 1 {
            if context.isStopped { break }
            let own = conflicts(in: group, isShapeOnly: isShapeOnly, context)
            found += own
            if own.isEmpty, let conflict = conflictBelow(group, isShapeOnly: isShapeOnly, &context) {
                found.append(conflict)
            }
        }
        return found
    }

    /// Compares the fields of one response name, each with a representative.
    private static func conflicts(
        in group: FieldMerge.Group, isShapeOnly: Bool, _ context: ValidationContext
    ) -> [Conflict] {
        var found: [Conflict] = []
        // Fields of different object types never meet in one object: they must only look alike.
        var ofObjects: [TypeID: FieldMerge.Member] = [:]
        var ofAbstracts: FieldMerge.Member?
        for (index, member) in group.members.enumerated() {
            guard index > 0 else {
                if let object = member.object { ofObjects[object] = member } else { ofAbstracts = member }
                continue
            }
            var partners: [FieldMerge.Member] = []
            if let object = member.object {
                if let partner = ofAbstracts ?? ofObjects[object] { partners = [partner] }
                if ofObjects[object] == nil { ofObjects[object] = member }
            } else if let partner = ofAbstracts {
                partners = [partner]
            } else {
                partners = Array(ofObjects.values)
                ofAbstracts = member
            }
            let reason =
                (isShapeOnly ? nil : partners.lazy.compactMap { differenceOfFields($0, member) }.first)
                ?? differenceOfShapes(group.members[0], member, context)
                ?? (isShapeOnly ? nil : partners.lazy.compactMap { differenceOfArguments($0, member) }.first)
            if let reason {
                found.append(
                    Conflict(
                        reason: "\(group.responseName): \(reason.text)", fields: [reason.partner.field, member.field]))
            }
        }
        return found
    }

    private typealias Difference = (text: String, partner: FieldMerge.Member)

    private static func differenceOfFields(_ left: FieldMerge.Member, _ right: FieldMerge.Member) -> Difference? {
        guard !left.isSameOrigin(as: right), left.field.name.text != right.field.name.text else { return nil }
        return ("\(left.field.name) and \(right.field.name) are different fields", left)
    }

    private static func differenceOfArguments(_ left: FieldMerge.Member, _ right: FieldMerge.Member) -> Difference? {
        guard !left.isSameOrigin(as: right), !areSame(left.field.arguments, right.field.arguments) else { return nil }
        return ("they have differing arguments", left)
    }

    private static func areSame(_ left: [Argument], _ right: [Argument]) -> Bool {
        if left == right { return true }
        guard left.count == right.count else { return false }
        let values = Dictionary(left.map { ($0.name.text, $0.value) }, uniquingKeysWith: { _, last in last })
        return right.allSatisfy { values[$0.name.text] == $0.value }
    }

    /// SameResponseShape(), for the two fields alone.
    private static func differenceOfShapes(
        _ left: FieldMerge.Member, _ right: FieldMerge.Member, _ context: ValidationContext
    ) -> Difference? {
        guard !left.isSameOrigin(as: right), let leftType = left.type, let rightType = right.type else { return nil }
        let schema = context.schema
        let isAlike =
            leftType.wrapping == rightType.wrapping
            && (leftType.named == rightType.named
                || schema[leftType.named].isComposite && schema[rightType.named].isComposite)
        guard !isAlike else { return nil }
        return ("they return differing types \(schema.text(of: leftType)) and \(schema.text(of: rightType))", left)
    }

    /// Merges what the fields of a group select, and compares that.
    private static func conflictBelow(
        _ group: FieldMerge.Group, isShapeOnly: Bool, _ context: inout ValidationContext
    ) -> Conflict? {
        let members = group.members.filter { !$0.field.selectionSet.isEmpty }
        guard members.count > 1 else { return nil }
        let objects = Set(members.compactMap(\.object))
        if isShapeOnly || objects.count <= 1 {
            return conflictBelow(members, group.responseName, isShapeOnly: isShapeOnly, &context)
        }
        for object in objects {
            let together = members.filter { $0.object == nil || $0.object == object }
            if let conflict = conflictBelow(together, group.responseName, isShapeOnly: false, &context) {
                return conflict
            }
        }
        return conflictBelow(members, group.responseName, isShapeOnly: true, &context)
    }

    private static func conflictBelow(
        _ members: [FieldMerge.Member], _ responseName: String, isShapeOnly: Bool, _ context: inout ValidationContext
    ) -> Conflict? {
        guard members.count > 1, context.overlaps.isNew(members.map(\.field.position), isShapeOnly: isShapeOnly),
            context.enter()
        else { return nil }
        defer { context.leave() }
        var merge = FieldMerge()
        for (index, member) in members.enumerated() {
            let type = member.type.map(\.named)
            guard merge.gather(member.field.selectionSet, type, origin: index, &context) else { return nil }
        }
        let below = conflicts(in: merge, isShapeOnly: isShapeOnly, &context)
        guard !below.isEmpty else { return nil }
        return Conflict(
            reason: "\(responseName): (\(below.map(\.reason).joined(separator: ", ")))",
            fields: members.map(\.field) + below.flatMap(\.fields))
    }
}
