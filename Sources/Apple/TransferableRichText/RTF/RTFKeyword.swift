/// Meaning of the words of RTF for the reader. Unknown words change nothing; behind `\*` an unknown word begins a
/// destination that is skipped.
enum RTFKeyword {
    case character(Unicode.Scalar)
    /// Character that does not count among the replacements behind `\u` for readers without Unicode.
    case space(Unicode.Scalar)
    case destination(RTFReader.Destination)
    case style(TextFormat.Style)
    case hidden
    case plain
    case language
    case unicode
    case fallbackLength
    /// Code page; nil if the word's parameter is its number.
    case codePage(Int?)

    case paragraphEnd
    case paragraphDefaults
    case paragraphStyle
    case outlineLevel
    case list
    case listLevel
    case oldList(isOrdered: Bool)
    case direction(rightToLeft: Bool)
    case inTable
    case cellEnd
    case rowEnd
    /// Private word of this writer for a block that ends without a character.
    case blockEnd

    case font
    case defaultFont
    case fixedPitch
    case pitch
    case charset
    case fontCodePage

    case newList
    case newListLevel
    case listNumbering
    case listStart
    case listIdentity

    case fieldResult
    /// `\upr`: the same text twice, the second time with Unicode.
    case twice
    case withUnicode
    /// An attachment of RTFD, and the character that stands for it.
    case attachment

    static let all: [String: RTFKeyword] = [
        "emdash": .character("—"), "endash": .character("–"), "lquote": .character("‘"), "rquote": .character("’"),
        "ldblquote": .character("“"), "rdblquote": .character("”"), "bullet": .character("•"),
        "emspace": .character("\u{2003}"), "enspace": .character("\u{2002}"), "qmspace": .character("\u{2005}"),
        "zwj": .character("\u{200D}"), "zwnj": .character("\u{200C}"), "zwbo": .character("\u{200B}"),
        "zwnbo": .character("\u{2060}"), "ltrmark": .character("\u{200E}"), "rtlmark": .character("\u{200F}"),
        "tab": .space("\t"), "line": .space("\u{2028}"), "page": .space("\u{0C}"), "sect": .paragraphEnd,
        "par": .paragraphEnd, "pard": .paragraphDefaults, "s": .paragraphStyle, "outlinelevel": .outlineLevel,
        "ls": .list, "ilvl": .listLevel, "pnlvlblt": .oldList(isOrdered: false),
        "pnlvlbody": .oldList(isOrdered: true), "pnlvl": .oldList(isOrdered: true),
        "ltrpar": .direction(rightToLeft: false), "rtlpar": .direction(rightToLeft: true),
        "intbl": .inTable, "cell": .cellEnd, "nestcell": .cellEnd, "row": .rowEnd, "nestrow": .rowEnd,
        RTFWriter.blockEnd: .blockEnd,

        "plain": .plain, "b": .style(.bold), "i": .style(.italic), "strike": .style(.strikethrough),
        "striked": .style(.strikethrough), "v": .hidden, "deleted": .hidden, "lang": .language,
        "u": .unicode, "uc": .fallbackLength,
        "ansi": .codePage(1252), "mac": .codePage(10_000), "pc": .codePage(437), "pca": .codePage(850),
        "ansicpg": .codePage(nil),

        "f": .font, "deff": .defaultFont, "fmodern": .fixedPitch, "fprq": .pitch, "fcharset": .charset,
        "cpg": .fontCodePage,
        "list": .newList, "listlevel": .newListLevel, "levelnfc": .listNumbering, "levelnfcn": .listNumbering,
        "levelstartat": .listStart, "listid": .listIdentity,

        "fonttbl": .destination(.fonts), "stylesheet": .destination(.styles), "listtable": .destination(.lists),
        "listoverridetable": .destination(.listOverrides), "fldinst": .destination(.instruction),
        "listtext": .destination(.listText), "pntext": .destination(.listText), "pn": .destination(.oldList),
        "fldrslt": .fieldResult, "upr": .twice, "ud": .withUnicode, "NeXTGraphic": .attachment,

        "colortbl": .destination(.skipped), "info": .destination(.skipped), "pict": .destination(.skipped),
        "nonshppict": .destination(.skipped), "objdata": .destination(.skipped), "header": .destination(.skipped),
        "headerl": .destination(.skipped), "headerr": .destination(.skipped), "headerf": .destination(.skipped),
        "footer": .destination(.skipped), "footerl": .destination(.skipped), "footerr": .destination(.skipped),
        "footerf": .destination(.skipped), "footnote": .destination(.skipped), "filetbl": .destination(.skipped),
        "revtbl": .destination(.skipped), "rxe": .destination(.skipped), "tc": .destination(.skipped),
        "tcn": .destination(.skipped), "txe": .destination(.skipped), "xe": .destination(.skipped),
        "pntxta": .destination(.skipped), "pntxtb": .destination(.skipped),
        "template": .destination(.skipped), "annotation": .destination(.skipped), "buptim": .destination(.skipped),
        "creatim": .destination(.skipped), "printim": .destination(.skipped), "revtim": .destination(.skipped),
        "leveltext": .destination(.skipped), "levelnumbers": .destination(.skipped),
        "listname": .destination(.skipped), "falt": .destination(.skipped), "panose": .destination(.skipped),
    ]
}
