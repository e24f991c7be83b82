import ArgumentParser

/// The options of `freshet serve` on the command line, from the table of settings
/// (``ServeSetting/all``).
///
/// ArgumentParser finds a type's options in its mirror, so this mirror has a child for each row.
struct ServeOptions: ParsableArguments, CustomReflectable {
    /// The options that were given.
    private(set) var given: ServeSettings.Options = [:]

    init() {}

    /// Takes the options that ArgumentParser read.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in ServeSetting.all {
            guard let usage = setting.usage, let key = Key(stringValue: setting.name) else {
                continue
            }
            switch usage.form {
            case .option:
                let text = try container.decode(Option<String?>.self, forKey: key).wrappedValue
                given[setting.name] = text.map { [$0] }
            case .repeated:
                let texts = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
                given[setting.name] = texts.isEmpty ? nil : texts
            case .flag:
                let isSet = try container.decode(Flag<Bool>.self, forKey: key).wrappedValue
                given[setting.name] = isSet ? ["true"] : nil
            case .flagOrNot:
                let isSet = try container.decode(Flag<Bool?>.self, forKey: key).wrappedValue
                given[setting.name] = isSet.map { ["\($0)"] }
            }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: ServeSetting.all.compactMap { setting -> Mirror.Child? in
                guard let usage = setting.usage else { return nil }
                return (setting.name, ServeOptions.option(setting, usage))
            }
        )
    }

    /// Returns the declaration of a setting's option for ArgumentParser.
    private static func option(_ setting: ServeSetting, _ usage: ServeSetting.Usage) -> Any {
        let name = NameSpecification.customLong(setting.name)
        let help =
            usage.valueName.map { ArgumentHelp(setting.help, valueName: $0) }
            ?? ArgumentHelp(setting.help)
        let completion = usage.completion ?? (setting.words.isEmpty ? nil : .list(setting.words))
        switch usage.form {
        case .option:
            return Option<String?>(
                name: name,
                help: help,
                completion: completion,
                transform: setting.argument
            )
        case .repeated:
            return Option<[String]>(
                wrappedValue: [],
                name: name,
                help: help,
                completion: completion,
                transform: setting.argument
            )
        case .flag: return Flag<Bool>(wrappedValue: false, name: name, help: help)
        case .flagOrNot: return Flag<Bool?>(name: name, inversion: .prefixedNo, help: help)
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
