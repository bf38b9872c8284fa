import Access
import GraphQL
import JSON
import Store

/// The fields of a record, from a row into the response.
extension Execution {
    /// Completes the fields of a record. What was written is to be taken back where one is broken.
    ///
    /// Hot path: runs for each row of a page.
    mutating func completeFields(_ selection: SelectionPlan, _ row: borrowing Row) throws(RunError) -> Completion {
        let start = piece.writer.bytes.count
        var completion = Completion.written
        // Fields of a record that is taken down for an event are looked at one by one.
        if isPlain, event == nil {
            let plan = selection.rowPlan
            let steps = plan.steps
            // Values of the row ask for nothing.
            let asksOnly = mayLack && reader.isLacking
            for number in 0..<steps.count {
                if asksOnly, steps[number].action != .other { continue }
                if !writeAtOnce(steps[number], plan, row),
                    try completeField(selection.fields[number], row, in: selection).isBroken
                {
                    completion = .broken
                }
                try look()
            }
        } else {
            // Records inside of the one that is taken down are part of what is written of their relation.
            var event = event.take()
            for field in selection.fields {
                let valueStart = piece.writer.bytes.count + field.key.count
                let value = try completeField(field, row, in: selection)
                if value.isBroken { completion = .broken }
                if event != nil, field.isMet(variables) {
                    event?.note(field, value, row, piece.writer.bytes, from: valueStart)
                }
                try look()
            }
            if event != nil { self.event = event }
        }
        piece.writer.endObject(from: start)
        return completion
    }

    /// Writes a field that is nothing but a value of its row, and one that the schema allows. Answers whether it was: all else
    /// needs a closer look.
    @inline(__always)
    private mutating func writeAtOnce(_ step: RowPlan.Step, _ plan: RowPlan, _ row: borrowing Row) -> Bool {
        plan.keys.withUnsafeBytes { keys in
            let key = UnsafeRawBufferPointer(rebasing: keys[step.key])
            switch step.action {
            case .text:
                return row.withTextIfAny(step.column) { text in
                    JSONWriter.writeString(text, behind: key, to: &piece.writer.bytes)
                    return true
                }
            case .form:
                return row.withTextIfAny(step.column) { text in
                    guard plan.allowsText(text, in: step) else { return false }
                    JSONWriter.writeString(text, behind: key, to: &piece.writer.bytes)
                    return true
                }
            case .list:
                return row.withTextIfAny(step.column) { list in
                    guard plan.allowsList(list, in: step) else { return false }
                    piece.writer.bytes.append(contentsOf: key)
                    piece.writer.bytes.append(contentsOf: list)
                    return true
                }
            case .owner:
                return row.withTextIfAny(step.column) { text in
                    JSONWriter.writeString(OwnerText.shown(text), behind: key, to: &piece.writer.bytes)
                    return true
                }
            case .int, .timestamp:
                let integer = row.integer(step.column)
                // NULL reads as zero: only then is there a second question.
                if integer == 0, row.isNull(step.column) { return false }
                guard (step.action == .int ? IntegerForm.int : .timestamp).allows(integer) else { return false }
                piece.writer.bytes.append(contentsOf: key)
                JSONWriter.writeInteger(integer, to: &piece.writer.bytes)
            case .constant: piece.writer.bytes.append(contentsOf: key)
            case .other: return false
            case .integer, .real, .boolean:
                if row.isNull(step.column) { return false }
                piece.writer.bytes.append(contentsOf: key)
                switch step.action {
                case .integer: JSONWriter.writeInteger(row.integer(step.column), to: &piece.writer.bytes)
                case .real: JSONWriter.writeDouble(row.real(step.column), to: &piece.writer.bytes)
                default: JSONWriter.writeBool(row.boolean(step.column), to: &piece.writer.bytes)
                }
            }
            return true
        }
    }

    /// Completes any field.
    private mutating func completeField(
        _ field: FieldPlan, _ row: borrowing Row, in selection: SelectionPlan
    ) throws(RunError) -> Completion {
        guard field.isMet(variables) else { return .written }
        writer.bytes.append(contentsOf: field.key)
        if !isPlain, let check = field.check, !isAllowed(check, row, selection) {
            return refuse(field, in: selection.type.name)
        }
        if field.isNull { return completeNull(field, in: selection) }
        switch field.source {
        case .leaf(let column, let kind):
            if row.isNull(column) { return completeNull(field, in: selection) }
            if !kind.write(row, column, to: &piece.writer.bytes) {
                return try completeMisfit(field, row, column, in: selection)
            }
        case .constant(let bytes): writer.bytes.append(contentsOf: bytes)
        case .toOne(let relation): return try completeRelation(relation, field, row)
        case .toMany(let relation): try completeRelation(relation, field, row)
        case .value(let column, let value):
            return try completeValue(json(row, column), value, field, in: selection.type.name)
        case .outside(let outside):
            writer.enter(field.responseName)
            piece.await(.field(outside.field, source: source(outside, selection, row)))
            writer.leave()
        case .null: return completeNull(field, in: selection)
        }
        return .written
    }

    private mutating func completeNull(_ field: FieldPlan, in selection: SelectionPlan) -> Completion {
        guard field.type.isNonNull else { return writer.completeFailure(field.type) }
        writer.enter(field.responseName)
        defer { writer.leave() }
        return completeNull(field.type, in: selection.type.name)
    }

    /// Completes what the schema does not allow in a column: null with an error, or what of a list is allowed.
    private mutating func completeMisfit(
        _ field: FieldPlan, _ row: borrowing Row, _ column: Int, in selection: SelectionPlan
    ) throws(RunError) -> Completion {
        let kind = selection.type.table.column(of: selection.columns[column])?.kind ?? .text
        let plan = ValuePlan(leaf: field.type, in: schema)
        return try completeValue(row.value(column).json(as: kind), plan, field, in: selection.type.name)
    }

    /// Completes a value of a custom type.
    mutating func completeValue(
        _ value: JSONValue, _ plan: ValuePlan, _ field: FieldPlan, in parent: String
    ) throws(RunError) -> Completion {
        writer.enter(field.responseName)
        defer { writer.leave() }
        guard !plan.holdsComputed else {
            piece.await(.value(value, plan, parent: parent))
            return .written
        }
        var values = ValueWriter(variables, permits: verdicts.permission(for: self.plan))
        do throws(ResponseTooLong) {
            return try values.complete(value, plan, of: parent, in: &piece.writer)
        } catch {
            throw .end(.responseTooLarge)
        }
    }

    private func json(_ row: borrowing Row, _ column: Int) -> JSONValue {
        // What is stored was JSON when it was; a file that somebody else changed is no reason to stop.
        row.isNull(column) ? .null : row.withText(column) { (try? JSONReader.value(of: Array($0))) ?? .null }
    }

    /// The record that a function gets as the source of its field.
    private func source(_ outside: OutsidePlan, _ selection: SelectionPlan, _ row: borrowing Row) -> JSONObject {
        var source = JSONObject()
        for column in outside.sources {
            let field = selection.columns[column]
            guard let kind = selection.type.table.column(of: field)?.kind, !row.isNull(column) else { continue }
            source.set(field, to: row.value(column).json(as: kind))
        }
        return source
    }

    /// Returns whether the caller may read a field of a record.
    private func isAllowed(_ check: Int, _ row: borrowing Row, _ selection: SelectionPlan) -> Bool {
        switch verdicts[check] {
        case .allow: true
        case .deny: false
        case .records(let decision):
            // The name is made only where somebody hears it: this is asked for each row.
            admits(
                decision, row, selection,
                asking: caller.trace.map { _ in
                    "read \(plan.checks[check].type).\(plan.checks[check].field)"
                })
        }
    }

    /// Completes a field that the caller may not read.
    mutating func refuse(_ field: FieldPlan, in type: String) -> Completion {
        writer.enter(field.responseName)
        fail(.unauthorized(field.name, on: type), field.position)
        writer.leave()
        return writer.completeFailure(field.type)
    }
}
