import JSON
import Store

extension ItemRun {
    func query() throws(ItemFailure) -> PageReading {
        let name = try tableName()
        let (detail, limit, start) = try refusing { () throws(ItemError) in
            (try ConsumedCapacity.detail(fields), try Self.limit(fields), try fields.item("ExclusiveStartKey"))
        }
        let parsed = try refusing { () throws(ItemError) in try RequestExpressions.query(of: fields) }
        let table = try table(named: name)
        return try refusing { () throws(ItemError) in
            let index = try Self.index(fields, of: table.shape)
            let key = index?.key ?? table.shape.key
            let range = try RequestExpressions.range(parsed.condition, of: key)
            try RequestExpressions.check(parsed, keys: key)
            var plan = PagePlan(.partition(range), of: index)
            plan.isForward = try fields.bool("ScanIndexForward") ?? true
            plan.start = try start.map { start throws(ItemError) in
                let place = try Self.checkedStart(start, of: table.shape, index)
                // Behind the one item of such a partition there is nothing.
                guard index != nil || key.sort != nil else {
                    throw .validation(
                        "The provided exclusive start key is invalid: ExclusiveStartKey: \(JSONWriter.text(of: start.json))"
                    )
                }
                guard place.partition == range.place.partition, range.bounds.contains(place.sort) else {
                    throw .validation("The provided starting key does not match the range key predicate")
                }
                return start
            }
            var reading = PageReading(table: table, plan: plan, limit: limit, filter: parsed.filter)
            try select(parsed.projection, isQuery: true, for: &reading)
            reading.detail = detail
            reading.isConsistent = try fields.bool("ConsistentRead") ?? false
            return reading
        }
    }

    func scan() throws(ItemFailure) -> PageReading {
        let name = try tableName()
        let (detail, limit, start) = try refusing { () throws(ItemError) in
            (try ConsumedCapacity.detail(fields), try Self.limit(fields), try fields.item("ExclusiveStartKey"))
        }
        let (places, parsed) = try refusing { () throws(ItemError) in
            (try Self.segment(fields), try RequestExpressions.scan(of: fields))
        }
        let table = try table(named: name)
        return try refusing { () throws(ItemError) in
            let index = try Self.index(fields, of: table.shape)
            var plan = PagePlan(.places(places), of: index)
            plan.start = try start.map { start throws(ItemError) in
                let place = try Self.checkedStart(start, of: table.shape, index)
                guard places.contains(place.spread) else {
                    throw .validation("The provided Exclusive start key is not within the segment")
                }
                return start
            }
            var reading = PageReading(table: table, plan: plan, limit: limit, filter: parsed.filter)
            try select(parsed.projection, isQuery: false, for: &reading)
            reading.detail = detail
            reading.isConsistent = try fields.bool("ConsistentRead") ?? false
            return reading
        }
    }

    // MARK: What a request says

    private static func limit(_ fields: RequestFields) throws(ItemError) -> Int64? {
        guard let limit = try fields.integer("Limit") else { return nil }
        guard limit >= 1 else { throw .validation("Limit must be greater than or equal to 1") }
        return limit
    }

    private static func index(_ fields: RequestFields, of shape: TableShape) throws(ItemError) -> IndexShape? {
        guard let name = try fields.text("IndexName") else { return nil }
        guard let index = shape.index(name) else {
            throw .validation("The table does not have the specified index: \(name)")
        }
        guard index.isFilled else {
            throw .validation("Cannot read from backfilling global secondary index: \(name)")
        }
        return index
    }

    /// The places of a segment.
    private static func segment(_ fields: RequestFields) throws(ItemError) -> Range<Int64> {
        let (segment, total) = (try fields.integer("Segment"), try fields.integer("TotalSegments"))
        switch (segment, total) {
        case (nil, nil): return 0..<ItemPlace.spreadMax
        case (nil, _?):
            throw .validation(
                "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"
            )
        case (_?, nil):
            throw .validation(
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
            )
        case (let segment?, let total?):
            guard (1...TableLimits.segmentsMax).contains(total) else {
                throw .parameter(
                    "Value '\(total)' at 'totalSegments' failed to satisfy constraint: Member must have value "
                        + (total < 1
                            ? "greater than or equal to 1" : "less than or equal to \(TableLimits.segmentsMax)"))
            }
            guard segment >= 0 else {
                throw .parameter(
                    "Value '\(segment)' at 'segment' failed to satisfy constraint: Member must have value greater than or "
                        + "equal to 0")
            }
            guard segment < total else {
                throw .validation(
                    "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: \(segment) "
                        + "is not less than TotalSegments: \(total)")
            }
            return ItemPlace.spreadMax * segment / total..<ItemPlace.spreadMax * (segment + 1) / total
        }
    }

    private static let wrongStart = ItemError.validation(
        "The provided starting key is invalid: \(KeySchema.mismatch.message)")

    /// The place of a key behind which a page goes on, in the table or the index.
    private static func checkedStart(
        _ start: Item, of shape: TableShape, _ index: IndexShape?
    ) throws(ItemError) -> ItemPlace {
        var attributes = index?.key.attributes ?? []
        for attribute in shape.key.attributes where !attributes.contains(where: { $0.name == attribute.name }) {
            attributes.append(attribute)
        }
        guard start.count == attributes.count else {
            throw wrongStart
        }
        for attribute in attributes {
            guard let value = start[attribute.name] else {
                throw wrongStart
            }
            guard value.kind == attribute.kind, let bytes = value.keyBytes else {
                throw wrongStart
            }
            guard !bytes.isEmpty else {
                throw .validation(
                    "The provided starting key is invalid: \(KeySchema.emptyKey(attribute).message)")
            }
        }
        let place = try shape.key.place(of: start)
        guard let index else { return place }
        guard let place = index.key.placeIfAny(of: start) else { throw wrongStart }
        return place
    }

    // MARK: What is shown

    static let consistentIndex = ItemError.validation(
        "Consistent reads are not supported on global secondary indexes")

    private func select(
        _ projection: RequestedParts?, isQuery: Bool, for reading: inout PageReading
    ) throws(ItemError) {
        let index = reading.plan.index
        let told = try fields.text("Select")
        let what = projection?.isLegacy == true ? "AttributesToGet" : "ProjectionExpression"
        // The service words a fault of a query and of a scan differently.
        func fault(_ text: String) -> ItemError {
            .validation(isQuery ? "1 validation error detected: \(text)" : text)
        }
        if let index, !index.isLocal, try fields.bool("ConsistentRead") ?? false {
            throw Self.consistentIndex
        }
        switch told {
        case nil: break
        case "COUNT"?:
            guard projection == nil else {
                throw fault("Cannot specify the \(what) when choosing to get only the Count")
            }
            reading.isCount = true
        case "SPECIFIC_ATTRIBUTES"?:
            guard projection != nil else {
                throw fault(
                    "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
            }
        case "ALL_ATTRIBUTES"?:
            guard projection == nil else {
                throw fault("Cannot specify the \(what) when choosing to get ALL_ATTRIBUTES")
            }
            if let index, !index.isLocal, !index.hasAll {
                throw .invalidValues(
                    "Select type ALL_ATTRIBUTES is not supported for global secondary index \(index.name) because its "
                        + "projection type is not ALL")
            }
            reading.isWhole = true
        case "ALL_PROJECTED_ATTRIBUTES"?:
            guard projection == nil else {
                throw fault("Cannot specify the \(what) when choosing to get ALL_PROJECTED_ATTRIBUTES")
            }
            guard index != nil else {
                throw fault("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
            }
        case let other?:
            throw .validation(
                "1 validation error detected: Value '\(other)' at 'select' failed to satisfy constraint: Member must satisfy enum value "
                    + "set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]")
        }
        reading.projection = projection
        guard let index, let projection, let present = index.attributes(of: reading.table.shape.key) else { return }
        let known = Set(texts: present)
        let absent = projection.names.filter { !known.contains($0) }
        guard !absent.isEmpty else { return }
        guard index.isLocal else {
            throw .invalidValues(
                "Global secondary index \(index.name) does not project [\(absent.joined(separator: ", "))]")
        }
        // What a local index has not is fetched from the table.
        reading.isWhole = true
    }
}
