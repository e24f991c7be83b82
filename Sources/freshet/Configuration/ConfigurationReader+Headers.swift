import Foundation
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
            let path = member(path, name)
            guard let text = text(value, path) else { continue }
            do throws(InvalidSetting) {
                fields.append(try ConfigurationReader.field(name, text))
            } catch {
                report(key.mark, path, error.reason)
            }
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
            let colon = line.firstIndex(of: ":") ?? line.startIndex
            let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            do throws(InvalidSetting) {
                fields.append(try ConfigurationReader.field(String(line[..<colon]), value))
            } catch {
                // The line may hold a secret, so messages give only its number.
                report(mark, path, "line \(index + 1) of \(name) \(error.reason)")
            }
        }
        return fields
    }

    /// Returns a field of requests to sources.
    private static func field(
        _ name: String,
        _ value: String
    ) throws(InvalidSetting) -> HTTPField {
        guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
            throw InvalidSetting(reason: "is no field as \"Name: value\"")
        }
        // These two follow from the address and the body.
        guard !["host", "content-length"].contains(name.canonicalName) else {
            throw InvalidSetting(reason: "is a field that the server sets itself")
        }
        return HTTPField(name: name, value: value)
    }
}
