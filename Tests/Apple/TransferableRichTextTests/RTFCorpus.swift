/// Small documents in the style of the programs that write RTF, with the expected attributed strings.
enum RTFCorpus {
    static let cocoa = #"""
        {\rtf1\ansi\ansicpg1252\cocoartf2822
        \cocoatextscaling0\cocoaplatform0{\fonttbl\f0\fswiss\fcharset0 Helvetica;\f1\fswiss\fcharset0 Helvetica-Bold;\f2\fnil\fcharset0 Menlo-Regular;
        \f3\fnil\fcharset0 AppleColorEmoji;}
        {\colortbl;\red255\green255\blue255;}
        {\*\expandedcolortbl;;}
        {\*\listtable{\list\listtemplateid1\listhybrid{\listlevel\levelnfc23\levelnfcn23\leveljc0\leveljcn0\levelfollow0\levelstartat1\levelspace360\levelindent0{\*\levelmarker \{disc\}}{\leveltext\leveltemplateid1\'01\uc0\u8226 ;}{\levelnumbers;}\fi-360\li720\lin720 }{\listname ;}\listid1}}
        {\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}
        \paperw11900\paperh16840\margl1440\margr1440\vieww11520\viewh8400\viewkind0
        \pard\tx566\pardirnatural\partightenfactor0

        \f0\fs24 \cf0 Caf\'e9 
        \f1\b bold
        \f0\b0  and 
        \f2 code
        \f0  \{braces\}\
        {\field{\*\fldinst{HYPERLINK "https://a.example/?a=1&b=2"}}{\fldrslt a link}} \f3 \uc0\u55357 \u56832 
        \f0 \
        \pard\tx220\tx720\pardirnatural\partightenfactor0
        \ls1\ilvl0\cf0 {\listtext	\uc0\u8226 	}one\
        {\listtext	\uc0\u8226 	}two\
        }
        """#

    static let word = #"""
        {\rtf1\adeflang1025\ansi\ansicpg1252\uc1\adeff31507\deff0\stshfdbch31506\deflang1031\deflangfe1031{\fonttbl{\f0\fbidi \froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman{\*\falt Times};}{\f2\fbidi \fmodern\fcharset0\fprq1{\*\panose 02070309020205020404}Courier New;}{\f45\fbidi \froman\fcharset204\fprq2 Times New Roman Cyr;}}
        {\colortbl;\red0\green0\blue0;}{\*\defchp \f31506}{\stylesheet{\ql \li0\ri0 \snext0 Normal;}{\s1\ql\keepn\outlinelevel0 \b\fs32 \sbasedon0 heading 1;}{\*\cs10 \additive Default Paragraph Font;}{\s15 \sbasedon0 \snext15 \sqformat Quote;}}
        {\*\listtable{\list\listtemplateid-1{\listlevel\levelnfc0\levelnfcn0\levelstartat3{\leveltext\'02\'00.;}{\levelnumbers\'01;}}{\listlevel\levelnfc23\levelstartat1{\leveltext\'01\u-3913 ?;}{\levelnumbers;}}{\listname ;}\listid77}}{\*\listoverridetable{\listoverride\listid77\listoverridecount0\ls2}}
        {\*\rsidtbl \rsid1}{\mmathPr\mmathFont34}{\info{\title Secret}{\author Somebody}{\creatim\yr2024}}\paperw11906{\*\xmlnstbl {\xmlns1 http://x}}
        {\header \pard Page head\par}
        \pard\plain \ltrpar\s1\ql\outlinelevel0 \rtlch\fcs1 \af0 \ltrch\fcs0 \b\lang1031 {\rtlch\fcs1 \af0 \ltrch\fcs0 \insrsid1 \'dcberschrift\par }
        \pard\plain \ql \lang1031 {Text\u8211\'96mit \i kursiv\i0  {\*\bkmkstart x}und{\*\bkmkend x} {\f45 \'cc\'e8\'f0}{\v hidden}.\line neu\par}
        {\listtext\pard\plain 3.\tab}\pard \ls2\ilvl0 drei\par
        {\listtext\pard\plain \'b7\tab}\pard \ls2\ilvl1 innen\par
        {\pard\plain\s15 Zitat\par}
        {\field{\*\fldinst { HYPERLINK "https://a.example/" \\l "teil" \\o "Tipp"}}{\fldrslt {\ul Verweis}}}{\footnote Fussnote}\par
        \trowd\cellx100\cellx200 \pard\intbl A\cell B1\par B2\cell\row \trowd\cellx100\cellx200\pard\intbl \cell D\cell\row
        \pard{\*\shppict{\pict\pngblip\bin4 }}{\}}{\nonshppict{\pict 0102}}Ende\par{\*\themedata 504b}}
        """#

    static let libreOffice = #"""
        {\rtf1\ansi\deff3\adeflang1025
        {\fonttbl{\f0\froman\fprq2\fcharset0 Times New Roman;}{\f1\froman\fprq2\fcharset2 Symbol;}{\f3\froman\fprq2\fcharset0 Liberation Serif{\*\falt Times New Roman};}{\f5\fnil\fprq1\fcharset128 Liberation Mono;}}
        {\stylesheet{\s0\snext0\ql Normal;}{\s16\sbasedon0\snext16 Text Body;}{\s20\sbasedon0 Preformatted Text;}}
        {\*\generator LibreOffice/7.4}{\info{\creatim\yr2024\mo1\dy1}}
        \pard\plain \s16\ql{\strike gone}{\loch plain}
        \par \pard\plain \s20{\loch\f5 code one}
        \par \pard\plain \s20{\loch\f5 code two}
        \par \pard\plain \s0{\f5\loch \'93\'fa\'83A}
        \par }
        """#

    static let wordPad = #"""
        {\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fnil\fcharset204 Arial;}{\f1\fnil\fcharset2 Symbol;}}
        \viewkind4\uc1\pard\lang1049\f0\fs20\'cf\'f0\'e8\'e2\'e5\'f2\par
        \pard{\pntext\f1\'B7\tab}{\*\pn\pnlvlblt\pnf1\pnindent0{\pntxtb\'B7}}\fi-360\li720 one\par
        {\pntext\f1\'B7\tab}two\par
        \pard end\par
        }
        """#

    static let macintosh = #"{\rtf1\mac{\fonttbl{\f0\fcharset77 Geneva;}}\f0 caf\'8e \'d2quoted\'d3\par}"#

    static let dos = #"{\rtf1\pc na\'8bve \'e1{\upr{?}{\*\ud{\u8364 E}}}\~\-\_\bullet\emdash\page\'zz}"#

    static let utf8 = "\u{FEFF} {\\rtf1\\ansi\\ansicpg65001 naïve 日本 \\'c3\\'a9}"

    static let all: [(name: String, rtf: String)] = [
        ("Cocoa", cocoa), ("Word", word), ("LibreOffice", libreOffice), ("WordPad", wordPad),
        ("Macintosh", macintosh), ("DOS", dos), ("UTF-8", utf8),
    ]
}
