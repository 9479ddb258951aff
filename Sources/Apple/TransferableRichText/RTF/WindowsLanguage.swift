/// The numbers that RTF's `\lang` names languages with (Microsoft, [MS-LCID], "Windows Language Code Identifier").
enum WindowsLanguage {
    /// The language as `languageIdentifier` spells it; nil for none and for numbers not listed here.
    static func identifier(of number: Int) -> String? { identifiers[number] }

    /// Returns the number of a language, in any case of letters; nil if none is listed here.
    static func number(of identifier: String) -> Int? {
        numbers[identifier.lowercased().replacing("_", with: "-")]
    }

    private static let numbers = Dictionary(
        uniqueKeysWithValues: identifiers.map { number, identifier in (identifier.lowercased(), number) })

    static let identifiers: [Int: String] = [
        0x0001: "ar", 0x0002: "bg", 0x0003: "ca", 0x0004: "zh-Hans", 0x0005: "cs", 0x0006: "da", 0x0007: "de",
        0x0008: "el", 0x0009: "en", 0x000A: "es", 0x000B: "fi", 0x000C: "fr", 0x000D: "he", 0x000E: "hu",
        0x000F: "is", 0x0010: "it", 0x0011: "ja", 0x0012: "ko", 0x0013: "nl", 0x0014: "no", 0x0015: "pl",
        0x0016: "pt", 0x0017: "rm", 0x0018: "ro", 0x0019: "ru", 0x001A: "hr", 0x001B: "sk", 0x001C: "sq",
        0x001D: "sv", 0x001E: "th", 0x001F: "tr", 0x0020: "ur", 0x0021: "id", 0x0022: "uk", 0x0023: "be",
        0x0024: "sl", 0x0025: "et", 0x0026: "lv", 0x0027: "lt", 0x0028: "tg", 0x0029: "fa", 0x002A: "vi",
        0x002B: "hy", 0x002C: "az", 0x002D: "eu", 0x002F: "mk", 0x0036: "af", 0x0037: "ka", 0x0038: "fo",
        0x0039: "hi", 0x003A: "mt", 0x003C: "ga", 0x003E: "ms", 0x003F: "kk", 0x0041: "sw", 0x0045: "bn",
        0x0046: "pa", 0x0047: "gu", 0x0049: "ta", 0x004A: "te", 0x004B: "kn", 0x004C: "ml", 0x004E: "mr",
        0x0050: "mn", 0x0052: "cy", 0x0053: "km", 0x0054: "lo", 0x0056: "gl", 0x006E: "lb", 0x7814: "nn",
        0x781A: "bs", 0x7C04: "zh-Hant", 0x7C14: "nb", 0x7C1A: "sr",

        0x0401: "ar-SA", 0x0402: "bg-BG", 0x0403: "ca-ES", 0x0404: "zh-TW", 0x0405: "cs-CZ", 0x0406: "da-DK",
        0x0407: "de-DE", 0x0408: "el-GR", 0x0409: "en-US", 0x0C0A: "es-ES", 0x040B: "fi-FI", 0x040C: "fr-FR",
        0x040D: "he-IL", 0x040E: "hu-HU", 0x040F: "is-IS", 0x0410: "it-IT", 0x0411: "ja-JP", 0x0412: "ko-KR",
        0x0413: "nl-NL", 0x0414: "nb-NO", 0x0415: "pl-PL", 0x0416: "pt-BR", 0x0417: "rm-CH", 0x0418: "ro-RO",
        0x0419: "ru-RU", 0x041A: "hr-HR", 0x041B: "sk-SK", 0x041C: "sq-AL", 0x041D: "sv-SE", 0x041E: "th-TH",
        0x041F: "tr-TR", 0x0420: "ur-PK", 0x0421: "id-ID", 0x0422: "uk-UA", 0x0423: "be-BY", 0x0424: "sl-SI",
        0x0425: "et-EE", 0x0426: "lv-LV", 0x0427: "lt-LT", 0x0428: "tg-Cyrl-TJ", 0x0429: "fa-IR",
        0x042A: "vi-VN", 0x042B: "hy-AM", 0x042C: "az-Latn-AZ", 0x042D: "eu-ES", 0x042F: "mk-MK",
        0x0436: "af-ZA", 0x0437: "ka-GE", 0x0438: "fo-FO", 0x0439: "hi-IN", 0x043A: "mt-MT", 0x083C: "ga-IE",
        0x043E: "ms-MY", 0x043F: "kk-KZ", 0x0441: "sw-KE", 0x0445: "bn-IN", 0x0446: "pa-IN", 0x0447: "gu-IN",
        0x0449: "ta-IN", 0x044A: "te-IN", 0x044B: "kn-IN", 0x044C: "ml-IN", 0x044E: "mr-IN", 0x0450: "mn-MN",
        0x0452: "cy-GB", 0x0453: "km-KH", 0x0454: "lo-LA", 0x0456: "gl-ES", 0x046E: "lb-LU",

        0x0804: "zh-CN", 0x0C04: "zh-HK", 0x1004: "zh-SG", 0x1404: "zh-MO", 0x0807: "de-CH", 0x0C07: "de-AT",
        0x1007: "de-LU", 0x1407: "de-LI", 0x0809: "en-GB", 0x0C09: "en-AU", 0x1009: "en-CA", 0x1409: "en-NZ",
        0x1809: "en-IE", 0x1C09: "en-ZA", 0x4009: "en-IN", 0x4809: "en-SG", 0x080A: "es-MX", 0x240A: "es-CO",
        0x2C0A: "es-AR", 0x340A: "es-CL", 0x540A: "es-US", 0x080C: "fr-BE", 0x0C0C: "fr-CA", 0x100C: "fr-CH",
        0x140C: "fr-LU", 0x0810: "it-CH", 0x0813: "nl-BE", 0x0814: "nn-NO", 0x0816: "pt-PT", 0x081D: "sv-FI",
        0x0C01: "ar-EG", 0x3801: "ar-AE", 0x141A: "bs-Latn-BA", 0x241A: "sr-Latn-RS", 0x281A: "sr-Cyrl-RS",
    ]
}
