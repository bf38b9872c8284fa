import Access
import GraphQL
import JSON
import Store

/// The fields of a record, from a row into the response.
extension Execution {
    /// Writes the fields of a record; false when one is null and must not be. The caller takes back what was written.
    ///
    /// Hot path: runs for each row of a page.
    mutating func write(_ selection: SelectionPlan, _ row: borrowing Row) throws(StoreError) -> Bool {
        let start = piece.bytes.count
        var isWhole = true
        if isPlain {
            let plan = selection.rowPlan
            let steps = plan.steps
            for number in 0..<steps.count {
                if !write(steps[number], plan, row), try !write(selection.fields[number], row, in: selection) {
                    isWhole = false
                }
                try look()
            }
        } else {
            for field in selection.fields {
                if try !write(field, row, in: selection) { isWhole = false }
                try look()
            }
        }
        finishObject(from: start)
        return isWhole
    }

    /// Writes a field that is nothing but a value of its row, and one that the schema allows. False when nothing was
    /// written: it needs a closer look.
    @inline(__always)
    private mutating func write(_ step: RowPlan.Step, _ plan: RowPlan, _ row: borrowing Row) -> Bool {
        plan.keys.withUnsafeBytes { keys in
            let key = UnsafeRawBufferPointer(rebasing: keys[step.key])
            switch step.action {
            case .text:
                return row.withTextIfAny(step.column) { text in
                    JSONWriter.writeString(text, behind: key, to: &piece.bytes)
                    return true
                }
            case .form:
                return row.withTextIfAny(step.column) { text in
                    guard plan.allowsText(text, in: step) else { return false }
                    JSONWriter.writeString(text, behind: key, to: &piece.bytes)
                    return true
                }
            case .list:
                return row.withTextIfAny(step.column) { list in
                    guard plan.allowsList(list, in: step) else { return false }
                    piece.bytes.append(contentsOf: key)
                    piece.bytes.append(contentsOf: list)
                    return true
                }
            case .owner:
                return row.withTextIfAny(step.column) { text in
                    JSONWriter.writeString(OwnerText.shown(text), behind: key, to: &piece.bytes)
                    return true
                }
            case .int, .timestamp:
                let integer = row.integer(step.column)
                // NULL reads as zero: only then is there a second question.
                if integer == 0, row.isNull(step.column) { return false }
                guard (step.action == .int ? IntegerForm.int : .timestamp).allows(integer) else { return false }
                piece.bytes.append(contentsOf: key)
                JSONWriter.writeInteger(integer, to: &piece.bytes)
            case .constant: piece.bytes.append(contentsOf: key)
            case .other: return false
            case .integer, .real, .boolean:
                if row.isNull(step.column) { return false }
                piece.bytes.append(contentsOf: key)
                switch step.action {
                case .integer: JSONWriter.writeInteger(row.integer(step.column), to: &piece.bytes)
                case .real: JSONWriter.writeDouble(row.real(step.column), to: &piece.bytes)
                default: JSONWriter.writeBool(row.boolean(step.column), to: &piece.bytes)
                }
            }
            return true
        }
    }

    /// Writes any field; false when it is null and must not be.
    private mutating func write(
        _ field: FieldPlan, _ row: borrowing Row, in selection: SelectionPlan
    ) throws(StoreError) -> Bool {
        guard field.isMet(variables) else { return true }
        piece.bytes.append(contentsOf: field.key)
        if let check = field.check, !isPlain {
            if !verdicts.allowsEverything, !isAllowed(check, row, selection) {
                return refuse(field, in: selection.type.name)
            }
            if field.isNull { return writeNull(field, in: selection.type.name) }
        }
        switch field.source {
        case .leaf(let column, let kind):
            if row.isNull(column) { return writeNull(field, in: selection.type.name) }
            if !kind.write(row, column, to: &piece.bytes) { return try writeMisfit(field, row, column, in: selection) }
        case .constant(let bytes): piece.bytes.append(contentsOf: bytes)
        case .toOne(let relation): return try write(relation, field, row, in: selection)
        case .toMany(let relation): try write(relation, field, row, in: selection)
        case .value(let column, let value):
            return try write(value, field, json(row, column), in: selection.type.name)
        case .outside(let outside):
            path.append(.name(field.responseName))
            let source = source(outside, selection, row)
            piece.leaveHole(for: .field(outside.field, source: source), at: ResponsePath(path))
            path.removeLast()
        case .null: return writeNull(field, in: selection.type.name)
        }
        return true
    }

    /// Writes what the schema does not allow in a column: null with an error, or what of a list is allowed. False when
    /// null must not be.
    private mutating func writeMisfit(
        _ field: FieldPlan, _ row: borrowing Row, _ column: Int, in selection: SelectionPlan
    ) throws(StoreError) -> Bool {
        let kind = selection.type.table.column(of: selection.columns[column])?.kind ?? .text
        let plan = ValuePlan(leaf: field.type, in: schema)
        if try write(plan, field, row.value(column).json(as: kind), in: selection.type.name) { return true }
        JSONWriter.writeNull(to: &piece.bytes)
        return false
    }

    /// The members stand there, each with a comma before it: the first comma becomes the brace.
    @inline(__always)
    mutating func finishObject(from start: Int) {
        if piece.bytes.count > start {
            piece.bytes[start] = UInt8(ascii: "{")
        } else {
            piece.bytes.append(UInt8(ascii: "{"))
        }
        piece.bytes.append(UInt8(ascii: "}"))
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

    /// Whether the caller may read a field of a record.
    private func isAllowed(_ check: Int, _ row: borrowing Row, _ selection: SelectionPlan) -> Bool {
        switch verdicts[check] {
        case .allow: true
        case .deny: false
        case .records(let decision):
            // The name is made only where somebody hears it: this is asked for each row.
            admits(
                decision, row, selection,
                asking: caller.access.trace.map { _ in
                    "read \(plan.checks[check].type).\(plan.checks[check].field)"
                })
        }
    }

    /// Writes null in place of a field that the caller may not read; false when it must not be null.
    mutating func refuse(_ field: FieldPlan, in type: String) -> Bool {
        path.append(.name(field.responseName))
        fail(.unauthorized(field.name, on: type), field.position)
        path.removeLast()
        JSONWriter.writeNull(to: &piece.bytes)
        return !field.type.isNonNull
    }
}
