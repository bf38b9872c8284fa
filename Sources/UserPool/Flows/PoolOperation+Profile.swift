import Cloud
import JSON
import Store

extension PoolOperation {
    private static let accessToken = MemberShape.Member("AccessToken", .accessToken, isRequired: true)

    /// What users do with their own records.
    static let profile: [PoolOperation] = [
        PoolOperation("GetUser", .open, [accessToken]) { run throws(PoolError) in
            let caller = try await run.signedInUser()
            let user = caller.user
            return JSONObject([
                ("Username", .string(user.name)), ("UserAttributes", user.attributeList(for: caller.client)),
            ])
            .adding(user.secondFactors)
        },
        PoolOperation("GetUserAuthFactors", .open, [accessToken]) { run throws(PoolError) in
            let user = try await run.signedInUser().user
            let factors = try await run.firstFactors(of: user)
            return JSONObject([
                ("Username", .string(user.name)), ("ConfiguredUserAuthFactors", .array(factors)),
            ]).adding(user.secondFactors)
        },
        PoolOperation(
            "UpdateUserAttributes", .open,
            [accessToken, .init("UserAttributes", .attributes, isRequired: true)] + .clientNotes
        ) { run throws(PoolError) in
            let deliveries = try await run.updateAttributes()
            return JSONObject([("CodeDeliveryDetailsList", .array(deliveries.map(\.details)))])
        },
        PoolOperation(
            "DeleteUserAttributes", .open,
            [
                accessToken,
                .init("UserAttributeNames", .list(.attributeName, max: PoolLimits.attributesMax), isRequired: true),
            ]
        ) { run throws(PoolError) in
            try await run.deleteAttributes()
            return JSONObject()
        },
        PoolOperation(
            "GetUserAttributeVerificationCode", .open,
            [accessToken, .init("AttributeName", .attributeName, isRequired: true)] + .clientNotes
        ) { run throws(PoolError) in
            JSONObject([("CodeDeliveryDetails", try await run.sendVerificationCode().details)])
        },
        PoolOperation(
            "VerifyUserAttribute", .open,
            [
                accessToken, .init("AttributeName", .attributeName, isRequired: true),
                .init("Code", .code, isRequired: true),
            ]
        ) { run throws(PoolError) in
            try await run.verifyAttribute()
            return JSONObject()
        },
        PoolOperation("DeleteUser", .open, [accessToken]) { run throws(PoolError) in
            let user = try await run.signedInUser().user
            try await run.write { change throws(PoolError) in try change.delete(user) }
            return nil
        },
    ]
}

extension User {
    /// As `[{Name, Value}]`, `sub` first.
    var attributeList: JSONValue { attributeList(for: nil) }

    /// The same as far as an app is shown it.
    func attributeList(for client: AppClient?) -> JSONValue {
        let own = JSONValue.object(JSONObject([("Name", "sub"), ("Value", .string(sub))]))
        let shown = attributes.filter { client?.shows($0.key) ?? true }
        return .array(
            [own] + shown.map { .object(JSONObject([("Name", .string($0.key)), ("Value", $0.value)])) })
    }
}

extension JSONObject {
    /// The second factors of a user, where there are any.
    func adding(_ choice: SecondFactorChoice) -> JSONObject {
        guard !choice.enabled.isEmpty else { return self }
        var object = self
        object.set("UserMFASettingList", to: .array(choice.enabled.map { .string($0.rawValue) }))
        if let preferred = choice.preferred { object.set("PreferredMfaSetting", to: .string(preferred.rawValue)) }
        return object
    }
}

extension PoolRun {
    fileprivate func updateAttributes() async throws(PoolError) -> [CodeDelivery] {
        let caller = try await signedInUser()
        let wanted = try input.userAttributes()
        try caller.client.demandWritable(wanted.map(\.key))
        let proved = settings.verifiedAttributes + settings.addressesProvedFirst
        let changesAddress = proved.contains { wanted[$0] != nil }
        // Apps send what has not changed, too.
        let sendsCode = proved.contains { name in
            guard let address = wanted[name], address.string?.isEmpty == false else { return false }
            return address.text != caller.user.attributes[name]?.text
        }
        if sendsCode { try countMessage(by: caller.user) }
        let wording = changesAddress ? try await wording("UpdateUserAttribute", for: caller.user) : nil
        let deliveries = try await write { change throws(PoolError) in
            guard var user = try change.session.user(caller.user.number) else { throw .userNotFound }
            let former = user
            var immediate = wanted
            var deliveries = try change.letWait(&immediate, of: user)
            try change.set(immediate, of: &user, isByAdministrator: false)
            try change.save(user)
            for delivery in deliveries {
                try change.send(.attribute(delivery.attribute), to: user, delivery, worded: wording)
            }
            // An address that is new has to be proved before anything relies on it.
            for name in change.settings.verifiedAttributes where immediate[name] != nil {
                guard let address = user.attribute(name), former.attribute(name) != address else { continue }
                let delivery = CodeDelivery(name, address)
                try change.send(.attribute(name), to: user, delivery, worded: wording)
                deliveries.append(delivery)
            }
            return deliveries
        }
        pool.whenQueued()
        return deliveries
    }

    fileprivate func deleteAttributes() async throws(PoolError) {
        let caller = try await signedInUser()
        let names = input.texts("UserAttributeNames") ?? []
        try caller.client.demandWritable(names)
        // What the pool itself sets is no user's to take away.
        if let name = names.first(where: { AttributeSchema.verifications.contains($0) }) {
            throw .notAuthorized("A client attempted to write unauthorized attribute \(name)")
        }
        try await write { change throws(PoolError) in
            guard var user = try change.session.user(caller.user.number) else { throw .userNotFound }
            try change.removeAttributes(names, of: &user, isByAdministrator: false)
            try change.save(user)
        }
    }

    fileprivate func sendVerificationCode() async throws(PoolError) -> CodeDelivery {
        let caller = try await signedInUser()
        let name = try input.required("AttributeName")
        try countMessage(by: caller.user)
        let wording = try await wording("VerifyUserAttribute", for: caller.user)
        let delivery = try await write { change throws(PoolError) in
            guard let user = try change.session.user(caller.user.number) else { throw .userNotFound }
            guard name == "email" || name == "phone_number" else {
                throw .invalidParameter("Attribute \(name) cannot be verified.")
            }
            let waiting = try change.session.waitingAddress(name, of: user.number)
            guard let address = waiting ?? user.attribute(name), !address.isEmpty else {
                throw .invalidParameter("User does not have attribute \(name).")
            }
            let delivery = CodeDelivery(name, address)
            try change.send(.attribute(name), to: user, delivery, worded: wording)
            return delivery
        }
        pool.whenQueued()
        return delivery
    }

    fileprivate func verifyAttribute() async throws(PoolError) {
        let caller = try await signedInUser()
        let name = try input.required("AttributeName")
        let code = try input.required("Code")
        let refusal = try await write { change throws(PoolError) -> PoolError? in
            guard var user = try change.session.user(caller.user.number) else { return .userNotFound }
            switch try change.takeCode(code, .attribute(name), of: user) {
            case .refused(let error): return error
            case .right(let sent):
                if try !change.takeWaiting(sent.attribute, sent.address, of: &user) {
                    try change.verify(sent.attribute, sent.address, of: &user, movesAlias: false)
                }
                try change.save(user)
                return nil
            }
        }
        if let refusal { throw refusal }
    }
}
