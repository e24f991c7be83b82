import HTTPTypes
import Yams

/// Reads the header fields that the server sends with its requests to sources.
extension ConfigurationReader {
    /// The setting for a file of header fields, which keeps them out of the configuration.
    private static let fileSetting = Setting<String>.text("headers-file")

    /// Reads `headers`: header fields in the configuration itself.
    mutating func headers(_ node: Node, _ path: String) -> HTTPFields {
        var fields = HTTPFields()
        guard let list = pairs(node, path, of: "fields, each as \"Name: value\"") else {
            return fields
        }
        for (key, name, value) in list {
            guard let field = HTTPField.Name(name) else {
                report(key.mark, member(path, name), "is no name of a field")
                continue
            }
            guard !ConfigurationReader.ownFields.contains(field) else {
                report(key.mark, member(path, name), "is set by the server itself")
                continue
            }
            guard let text = text(value, member(path, name)) else { continue }
            guard HTTPField.isValidValue(text) else {
                report(value.mark, member(path, name), "is no value of a field")
                continue
            }
            fields.append(HTTPField(name: field, value: text))
        }
        return fields
    }

    /// Reads `headers-file`: a file with one header field a line; a line that begins with # is a
    /// comment.
    mutating func fileHeaders(_ entries: Entries, _ path: String) -> HTTPFields {
        var fields = HTTPFields()
        let setting = ConfigurationReader.fileSetting
        guard let name = value(setting, entries, in: path) else { return fields }
        let (mark, path) = (entries[setting.name]?.mark, member(path, setting.name))
        let content: [UInt8]
        do throws(FileContents.Failure) {
            content = try FileContents.read(name, byteLimit: 64 << 10)
        } catch {
            report(mark, path, "cannot be read: \(name): \(error.reason)")
            return fields
        }
        file.headerFiles.append(name)
        let text = String(decoding: content, as: UTF8.self)
        for (index, line) in text.split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        ).enumerated() where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            // The line may hold a secret, so messages give only its number.
            let place = "line \(index + 1) of \(name)"
            guard let field = ConfigurationReader.field(line) else {
                report(mark, path, "\(place) is no field as \"Name: value\"")
                continue
            }
            guard !ConfigurationReader.ownFields.contains(field.name) else {
                let reason = "has \(field.name.canonicalName), which the server sets itself"
                report(mark, path, "\(place) \(reason)")
                continue
            }
            fields.append(field)
        }
        return fields
    }

    private static func field(_ line: Substring) -> HTTPField? {
        guard let colon = line.firstIndex(of: ":"),
            let name = HTTPField.Name(String(line[..<colon]))
        else { return nil }
        let rest = line[line.index(after: colon)...].drop(while: \.isWhitespace)
        let value = String(rest.reversed().drop(while: \.isWhitespace).reversed())
        return HTTPField.isValidValue(value) ? HTTPField(name: name, value: value) : nil
    }

    /// The fields that the server itself sets, from the address and the body.
    private static let ownFields = ["host", "content-length"].compactMap { HTTPField.Name($0) }
}
