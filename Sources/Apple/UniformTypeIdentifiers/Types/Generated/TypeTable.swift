// Generated; do not edit. Made by: swift run GenerateTypeTable table Tests/Generators/GenerateTypeTable/system-types.tsv Config/linux-types.plist
// swift-format-ignore-file

/// Every type known without being declared at run time: literals only, so that nothing is built before the
/// first question. Rows are sorted by lower-case identifier; `BuiltInTypes` reads them.
enum TypeTable {
    static let identifiers: [String] = [
        "ca.mcgill.mni.bic.mnc",
        "com.adobe.edn",
        "com.adobe.encapsulated-postscript",
        "com.adobe.etd",
        "com.adobe.fdf",
        "com.adobe.flash.video",
        "com.adobe.illustrator.ai-image",
        "com.adobe.pdf",
        "com.adobe.photoshop-image",
        "com.adobe.photoshop-large-image",
        "com.adobe.postscript",
        "com.adobe.postscript-font",
        "com.adobe.postscript-lwfn-font",
        "com.adobe.postscript-pfa-font",
        "com.adobe.postscript-pfb-font",
        "com.adobe.raw-image",
        "com.adobe.xfdf",
        "com.allume.stuffit-archive",
        "com.apple.accounts-icon",
        "com.apple.active-webpage",
        "com.apple.afp-internet-location",
        "com.apple.airdrop",
        "com.apple.alert",
        "com.apple.alert-caution",
        "com.apple.alert-note",
        "com.apple.alert-stop",
        "com.apple.alias-file",
        "com.apple.alias-record",
        "com.apple.applescript.script",
        "com.apple.applescript.script-bundle",
        "com.apple.applescript.text",
        "com.apple.applesingle-archive",
        "com.apple.application",
        "com.apple.application-and-system-extension",
        "com.apple.application-bundle",
        "com.apple.application-file",
        "com.apple.application-placeholder",
        "com.apple.applications-folder",
        "com.apple.archive",
        "com.apple.arobject",
        "com.apple.ascii-property-list",
        "com.apple.audio-unit-preset",
        "com.apple.binary-property-list",
        "com.apple.binhex-archive",
        "com.apple.bom-archive",
        "com.apple.bom-compressed-cpio",
        "com.apple.bonjour",
        "com.apple.bookmark",
        "com.apple.bundle",
        "com.apple.cinema-display",
        "com.apple.cocoa.pasteboard.character-formatting",
        "com.apple.cocoa.pasteboard.color",
        "com.apple.cocoa.pasteboard.find-panel-search-options",
        "com.apple.cocoa.pasteboard.multiple-text-selection",
        "com.apple.cocoa.pasteboard.paragraph-formatting",
        "com.apple.cocoa.pasteboard.sound",
        "com.apple.color-file",
        "com.apple.colorsync-profile",
        "com.apple.configprofile",
        "com.apple.coreaudio-format",
        "com.apple.coreml.mlpackage",
        "com.apple.coreml.model",
        "com.apple.crashreport",
        "com.apple.csstore",
        "com.apple.dashboard-widget",
        "com.apple.data-container",
        "com.apple.deprecated-application-file",
        "com.apple.desktop-folder",
        "com.apple.developer-folder",
        "com.apple.device",
        "com.apple.device-model-code",
        "com.apple.document-type",
        "com.apple.document-type.dictionary",
        "com.apple.document-type.system-folder",
        "com.apple.documents-folder",
        "com.apple.dot-mac",
        "com.apple.downloads-folder",
        "com.apple.drawing",
        "com.apple.driver-extension",
        "com.apple.drop-folder",
        "com.apple.encrypted-archive",
        "com.apple.everyone-icon",
        "com.apple.file-internet-location",
        "com.apple.file-server",
        "com.apple.file-system-plug-in",
        "com.apple.file-vault",
        "com.apple.finder.burn-folder",
        "com.apple.finder.clipping",
        "com.apple.finder.pictclipping",
        "com.apple.finder.recent-items",
        "com.apple.finder.smart-folder",
        "com.apple.finder.sound-clipping",
        "com.apple.finder.textclipping",
        "com.apple.flat-rtfd",
        "com.apple.font-suitcase",
        "com.apple.framework",
        "com.apple.ftp-internet-location",
        "com.apple.garageband.project",
        "com.apple.generic-airdisk",
        "com.apple.generic-bundle",
        "com.apple.generic-internet-location",
        "com.apple.generic-stationery",
        "com.apple.generic-time-machine-disk",
        "com.apple.gpuRestart",
        "com.apple.groupactivities.activity",
        "com.apple.groups-folder",
        "com.apple.guest-user",
        "com.apple.hangreport",
        "com.apple.haptics.ahap",
        "com.apple.help-document",
        "com.apple.home-folder",
        "com.apple.homebuttonless-device",
        "com.apple.homebuttonless-ipad",
        "com.apple.homebuttonless-iphone",
        "com.apple.homepod",
        "com.apple.ical.ics",
        "com.apple.ical.vcs",
        "com.apple.iCloud",
        "com.apple.icloud-file-fault",
        "com.apple.icns",
        "com.apple.icon-decoration",
        "com.apple.icon-decoration-position",
        "com.apple.icon-decoration-position.center",
        "com.apple.icon-decoration-position.leading-bottom",
        "com.apple.icon-decoration-position.overlay",
        "com.apple.icon-decoration-position.trailing-bottom",
        "com.apple.icon-decoration.badge",
        "com.apple.icon-decoration.badge.checkmark",
        "com.apple.icon-decoration.badge.comments",
        "com.apple.icon-decoration.badge.drop-folder",
        "com.apple.icon-decoration.badge.heart",
        "com.apple.icon-decoration.badge.in-review",
        "com.apple.icon-decoration.badge.locked",
        "com.apple.icon-decoration.badge.locked-by-collaborator",
        "com.apple.icon-decoration.badge.locked-by-user",
        "com.apple.icon-decoration.badge.pinned",
        "com.apple.icon-decoration.badge.private-folder",
        "com.apple.icon-decoration.badge.syncing",
        "com.apple.icon-decoration.badge.trending",
        "com.apple.icon-decoration.badge.warning",
        "com.apple.icon-decoration.emboss",
        "com.apple.icon-decoration.system",
        "com.apple.icon-decoration.system.alias",
        "com.apple.icon-decoration.system.caution-alert",
        "com.apple.icon-decoration.system.new-folder",
        "com.apple.icon-decoration.system.unsupported",
        "com.apple.icon-overlay.alert-caution-badge",
        "com.apple.icon-overlay.alias-badge",
        "com.apple.icon-overlay.drop-folder-badge",
        "com.apple.icon-overlay.locked-badge",
        "com.apple.icon-overlay.new-folder-badge",
        "com.apple.icon-overlay.private-folder",
        "com.apple.icon-overlay.private-folder-badge",
        "com.apple.icon-overlay.unsupported-badge",
        "com.apple.iconset",
        "com.apple.idisk",
        "com.apple.iig-source",
        "com.apple.iMovieLibrary",
        "com.apple.iMovieTheater",
        "com.apple.ink.inktext",
        "com.apple.installer-distribution-package",
        "com.apple.installer-meta-package",
        "com.apple.installer-package",
        "com.apple.installer-package-archive",
        "com.apple.intelligentsuggestions.assets",
        "com.apple.internet-location",
        "com.apple.ios-device",
        "com.apple.ios-simulator",
        "com.apple.ipad",
        "com.apple.iphone",
        "com.apple.iphone-8",
        "com.apple.iphone-8-plus",
        "com.apple.iphone-x",
        "com.apple.ipod-classic",
        "com.apple.ipod-mini",
        "com.apple.ipod-nano",
        "com.apple.ipod-shuffle",
        "com.apple.ipod-shuffle-gen1",
        "com.apple.ipod-shuffle-gen2",
        "com.apple.ipod-shuffle-gen3",
        "com.apple.ipod-shuffle-gen4",
        "com.apple.itunes.store-url",
        "com.apple.iWork.Keynote.key",
        "com.apple.iWork.Keynote.key-tef",
        "com.apple.iWork.Keynote.kth",
        "com.apple.iWork.Keynote.sffkey",
        "com.apple.iWork.Keynote.sffkth",
        "com.apple.iWork.Numbers.numbers",
        "com.apple.iWork.Numbers.numbers-tef",
        "com.apple.iWork.Numbers.sffnumbers",
        "com.apple.iWork.Numbers.sfftemplate",
        "com.apple.iWork.Numbers.template",
        "com.apple.iWork.Pages.pages",
        "com.apple.iWork.Pages.pages-tef",
        "com.apple.iWork.Pages.sffpages",
        "com.apple.iWork.Pages.sfftemplate",
        "com.apple.iWork.Pages.template",
        "com.apple.kernel-extension",
        "com.apple.keynote.key",
        "com.apple.keynote.kth",
        "com.apple.ktrace",
        "com.apple.led-cinema-display-24",
        "com.apple.led-cinema-display-27",
        "com.apple.legacy-ipod",
        "com.apple.legacy.actions-icon",
        "com.apple.legacy.backward-arrow",
        "com.apple.legacy.burn",
        "com.apple.legacy.clock-icon",
        "com.apple.legacy.connect-to",
        "com.apple.legacy.customize-toolbar",
        "com.apple.legacy.delete-toolbar",
        "com.apple.legacy.eject-media",
        "com.apple.legacy.erasing",
        "com.apple.legacy.favorite-items",
        "com.apple.legacy.finder-icon",
        "com.apple.legacy.forward-arrow",
        "com.apple.legacy.general-icon",
        "com.apple.legacy.grid",
        "com.apple.legacy.keep-arranged",
        "com.apple.legacy.locked",
        "com.apple.legacy.magnifying-glass",
        "com.apple.legacy.multiple-items",
        "com.apple.legacy.no-write",
        "com.apple.legacy.open-folder",
        "com.apple.legacy.question-mark",
        "com.apple.legacy.right-container-arrow",
        "com.apple.legacy.sidebar-prefs-icon",
        "com.apple.legacy.synchronize",
        "com.apple.legacy.toolbar-advanced-icon",
        "com.apple.legacy.toolbar-info-icon",
        "com.apple.legacy.toolbar-labels-icon",
        "com.apple.legacy.unlocked",
        "com.apple.legacy.window",
        "com.apple.library-folder",
        "com.apple.linkpresentation.metadata",
        "com.apple.live-photo",
        "com.apple.localizable-name-bundle",
        "com.apple.localized-pdf-bundle",
        "com.apple.log",
        "com.apple.m4a-audio",
        "com.apple.m4v-video",
        "com.apple.mac",
        "com.apple.macbinary-archive",
        "com.apple.mach-o-binary",
        "com.apple.mach-o-bundle",
        "com.apple.mach-o-core",
        "com.apple.mach-o-dylib",
        "com.apple.mach-o-executable",
        "com.apple.mach-o-object",
        "com.apple.macmini",
        "com.apple.macpaint-image",
        "com.apple.mail-internet-location",
        "com.apple.mapkit.map-item",
        "com.apple.menu-extra",
        "com.apple.metadata-importer",
        "com.apple.mobileconfig",
        "com.apple.mobileprovision",
        "com.apple.mount-point",
        "com.apple.movie-folder",
        "com.apple.mpeg-4-ringtone",
        "com.apple.music-folder",
        "com.apple.network-neighborhood",
        "com.apple.news-internet-location",
        "com.apple.not-loaded",
        "com.apple.notifications",
        "com.apple.nspboard-type",
        "com.apple.ostype",
        "com.apple.package",
        "com.apple.panicreport",
        "com.apple.pasteboard.promised-file-content-type",
        "com.apple.pasteboard.promised-file-url",
        "com.apple.pef-binary",
        "com.apple.pict",
        "com.apple.pictures-folder",
        "com.apple.pkpass",
        "com.apple.pkpass-data",
        "com.apple.pkpasses-data",
        "com.apple.plugin",
        "com.apple.pluginkit",
        "com.apple.ppp-plug-in",
        "com.apple.private.live-photo-bundle",
        "com.apple.pro-display-xdr",
        "com.apple.profile-background-color",
        "com.apple.profile-font-and-color",
        "com.apple.profile-font-icon",
        "com.apple.property-list",
        "com.apple.protected-mpeg-4-audio",
        "com.apple.protected-mpeg-4-audio-b",
        "com.apple.protected-mpeg-4-video",
        "com.apple.provisionprofile",
        "com.apple.public-folder",
        "com.apple.quartz-composer-composition",
        "com.apple.quicklook-generator",
        "com.apple.quicktime-image",
        "com.apple.quicktime-movie",
        "com.apple.reality",
        "com.apple.resolvable",
        "com.apple.rez-source",
        "com.apple.rtfd",
        "com.apple.scenekit.scene",
        "com.apple.scripting-definition",
        "com.apple.server-applications-folder",
        "com.apple.servers-folder",
        "com.apple.service-application",
        "com.apple.shazamcatalog",
        "com.apple.shazamsignature",
        "com.apple.shutdownStall",
        "com.apple.sites-folder",
        "com.apple.spinreport",
        "com.apple.storage-external",
        "com.apple.storage-internal",
        "com.apple.storage-netboot",
        "com.apple.storage-removable",
        "com.apple.structured-text",
        "com.apple.structured-text.address",
        "com.apple.structured-text.date",
        "com.apple.structured-text.telephone-number",
        "com.apple.structured-text.transit-information",
        "com.apple.symbol-export",
        "com.apple.system-extension",
        "com.apple.systempreference.prefpane",
        "com.apple.systempreference.screen-saver",
        "com.apple.systempreference.screen-slide-saver",
        "com.apple.traditional-mac-plain-text",
        "com.apple.trash-empty",
        "com.apple.trash-full",
        "com.apple.truetype-datafork-suitcase-font",
        "com.apple.txn.text-multimedia-data",
        "com.apple.unknown-object",
        "com.apple.user",
        "com.apple.user-group",
        "com.apple.user-idisk",
        "com.apple.user-unknown",
        "com.apple.users-folder",
        "com.apple.utilities-folder",
        "com.apple.vnc-internet-location",
        "com.apple.watchface",
        "com.apple.web-internet-location",
        "com.apple.webarchive",
        "com.apple.webkit-plugin",
        "com.apple.x11-mach-o-executable",
        "com.apple.xar-archive",
        "com.apple.xcode.dsym",
        "com.apple.xip-archive",
        "com.apple.xml-property-list",
        "com.apple.xpc-service",
        "com.audible.aa-audio",
        "com.audible.aa-audiobook",
        "com.audible.aax-audiobook",
        "com.avid.open-media-framework",
        "com.canon.cr2-raw-image",
        "com.canon.cr3-raw-image",
        "com.canon.crw-raw-image",
        "com.canon.tif-raw-image",
        "com.compuserve.gif",
        "com.digidesign.sd2-audio",
        "com.dxo.raw-image",
        "com.epson.raw-image",
        "com.facebook.zstandard-archive",
        "com.fuji.raw-image",
        "com.google.earth.kml",
        "com.hasselblad.3fr-raw-image",
        "com.hasselblad.fff-raw-image",
        "com.ilm.openexr-image",
        "com.j2.efx-fax",
        "com.j2.jfx-fax",
        "com.kodak.flashpix-image",
        "com.kodak.raw-image",
        "com.konicaminolta.raw-image",
        "com.leafamerica.raw-image",
        "com.leica.pwl-raw-image",
        "com.leica.raw-image",
        "com.leica.rwl-raw-image",
        "com.microsoft.advanced-stream-redirector",
        "com.microsoft.advanced-systems-format",
        "com.microsoft.bmp",
        "com.microsoft.cab",
        "com.microsoft.excel.sheet.binary.macroenabled",
        "com.microsoft.excel.xla",
        "com.microsoft.excel.xls",
        "com.microsoft.excel.xlt",
        "com.microsoft.excel.xlw",
        "com.microsoft.ico",
        "com.microsoft.internet-shortcut",
        "com.microsoft.powerpoint.pot",
        "com.microsoft.powerpoint.pps",
        "com.microsoft.powerpoint.ppt",
        "com.microsoft.typescript",
        "com.microsoft.waveform-audio",
        "com.microsoft.windows-dynamic-link-library",
        "com.microsoft.windows-executable",
        "com.microsoft.windows-media-wax",
        "com.microsoft.windows-media-wm",
        "com.microsoft.windows-media-wma",
        "com.microsoft.windows-media-wmp",
        "com.microsoft.windows-media-wmv",
        "com.microsoft.windows-media-wmx",
        "com.microsoft.windows-media-wvx",
        "com.microsoft.word.doc",
        "com.microsoft.word.dot",
        "com.microsoft.word.wordml",
        "com.netscape.javascript-source",
        "com.nikon.nrw-raw-image",
        "com.nikon.raw-image",
        "com.olympus.or-raw-image",
        "com.olympus.raw-image",
        "com.olympus.sr-raw-image",
        "com.panasonic.raw-image",
        "com.panasonic.rw2-raw-image",
        "com.pentax.raw-image",
        "com.phaseone.raw-image",
        "com.pixar.universal-scene-description",
        "com.pixar.universal-scene-description-mobile",
        "com.pkware.zip-archive",
        "com.rarlab.rar-archive",
        "com.real.realaudio",
        "com.real.realmedia",
        "com.real.realmedia-vbr",
        "com.redhat.rpm-archive",
        "com.rsa.pkcs-12",
        "com.samsung.raw-image",
        "com.scenarist.closed-caption",
        "com.sgi.sgi-image",
        "com.sony.arw-raw-image",
        "com.sony.raw-image",
        "com.sony.sr2-raw-image",
        "com.sony.wave64",
        "com.soundblaster.soundfont",
        "com.stuffit.archive.sidx",
        "com.stuffit.archive.sit",
        "com.stuffit.archive.sitx",
        "com.sun.java-archive",
        "com.sun.java-class",
        "com.sun.java-source",
        "com.sun.java-web-start",
        "com.sun.web-application-archive",
        "com.topografix.gpx",
        "com.truevision.tga-image",
        "gov.nih.nifti-1",
        "net.daringfireball.markdown",
        "org.3gpp.adaptive-multi-rate-audio",
        "org.7-zip.7-zip-archive",
        "org.aafassociation.advanced-authoring-format",
        "org.debian.deb-archive",
        "org.gnu.gnu-tar-archive",
        "org.gnu.gnu-zip-archive",
        "org.gnu.gnu-zip-tar-archive",
        "org.golang.go-script",
        "org.idpf.epub-container",
        "org.iso.sql",
        "org.jupyter.ipynb",
        "org.khronos.collada.digital-asset-exchange",
        "org.khronos.glb",
        "org.khronos.gltf",
        "org.kotlinlang.source",
        "org.matroska.mkv",
        "org.nema.dicom",
        "org.oasis-open.opendocument",
        "org.oasis-open.opendocument.chart",
        "org.oasis-open.opendocument.chart-template",
        "org.oasis-open.opendocument.database",
        "org.oasis-open.opendocument.formula",
        "org.oasis-open.opendocument.formula-template",
        "org.oasis-open.opendocument.graphics",
        "org.oasis-open.opendocument.graphics-template",
        "org.oasis-open.opendocument.image",
        "org.oasis-open.opendocument.image-template",
        "org.oasis-open.opendocument.presentation",
        "org.oasis-open.opendocument.presentation-template",
        "org.oasis-open.opendocument.spreadsheet",
        "org.oasis-open.opendocument.spreadsheet-template",
        "org.oasis-open.opendocument.text",
        "org.oasis-open.opendocument.text-master",
        "org.oasis-open.opendocument.text-template",
        "org.oasis-open.opendocument.text-web",
        "org.openoffice.formula",
        "org.openoffice.graphics",
        "org.openoffice.graphics-template",
        "org.openoffice.presentation",
        "org.openoffice.presentation-template",
        "org.openoffice.spreadsheet",
        "org.openoffice.spreadsheet-template",
        "org.openoffice.text",
        "org.openoffice.text-master",
        "org.openoffice.text-template",
        "org.openxmlformats.openxml",
        "org.openxmlformats.presentationml.presentation",
        "org.openxmlformats.presentationml.presentation.macroenabled",
        "org.openxmlformats.presentationml.slideshow",
        "org.openxmlformats.presentationml.slideshow.macroenabled",
        "org.openxmlformats.presentationml.template",
        "org.openxmlformats.presentationml.template.macroenabled",
        "org.openxmlformats.spreadsheetml.sheet",
        "org.openxmlformats.spreadsheetml.sheet.macroenabled",
        "org.openxmlformats.spreadsheetml.template",
        "org.openxmlformats.spreadsheetml.template.macroenabled",
        "org.openxmlformats.wordprocessingml.document",
        "org.openxmlformats.wordprocessingml.document.macroenabled",
        "org.openxmlformats.wordprocessingml.template",
        "org.openxmlformats.wordprocessingml.template.macroenabled",
        "org.portolan.color",
        "org.rust-lang.rust-script",
        "org.smpte.mxf",
        "org.sqlite.v3",
        "org.tug.tex",
        "org.tukaani.tar-xz-archive",
        "org.tukaani.xz-archive",
        "org.w3.webvtt",
        "org.w3c.woff",
        "org.w3c.woff2",
        "org.webmproject.webm",
        "org.webmproject.webp",
        "org.xiph.flac",
        "org.xiph.ogg-audio",
        "org.xiph.ogv",
        "org.xiph.opus",
        "public.3d-content",
        "public.3gpp",
        "public.3gpp2",
        "public.aac-audio",
        "public.ac3-audio",
        "public.ada-source",
        "public.aifc-audio",
        "public.aiff-audio",
        "public.alembic",
        "public.app-category",
        "public.app-category.action-games",
        "public.app-category.adventure-games",
        "public.app-category.arcade-games",
        "public.app-category.board-games",
        "public.app-category.bookmarks",
        "public.app-category.books",
        "public.app-category.business",
        "public.app-category.card-games",
        "public.app-category.casino-games",
        "public.app-category.developer-tools",
        "public.app-category.dice-games",
        "public.app-category.education",
        "public.app-category.educational-games",
        "public.app-category.entertainment",
        "public.app-category.family-games",
        "public.app-category.finance",
        "public.app-category.food-and-drink",
        "public.app-category.games",
        "public.app-category.graphics-design",
        "public.app-category.healthcare-fitness",
        "public.app-category.kids-games",
        "public.app-category.lifestyle",
        "public.app-category.magazines-and-newspapers",
        "public.app-category.medical",
        "public.app-category.music",
        "public.app-category.music-games",
        "public.app-category.navigation",
        "public.app-category.news",
        "public.app-category.photography",
        "public.app-category.photography-and-video",
        "public.app-category.productivity",
        "public.app-category.puzzle-games",
        "public.app-category.racing-games",
        "public.app-category.reference",
        "public.app-category.role-playing-games",
        "public.app-category.shopping",
        "public.app-category.simulation-games",
        "public.app-category.social-networking",
        "public.app-category.sports",
        "public.app-category.sports-games",
        "public.app-category.strategy-games",
        "public.app-category.travel",
        "public.app-category.trivia-games",
        "public.app-category.utilities",
        "public.app-category.video",
        "public.app-category.weather",
        "public.app-category.word-games",
        "public.archive",
        "public.assembly-source",
        "public.au-audio",
        "public.audio",
        "public.audiovisual-content",
        "public.audiovisual-content-collection",
        "public.avchd-collection",
        "public.avci",
        "public.avcs",
        "public.avi",
        "public.avif",
        "public.avis",
        "public.bash-script",
        "public.block-special",
        "public.bookmark",
        "public.bzip2-archive",
        "public.c-header",
        "public.c-plus-plus-header",
        "public.c-plus-plus-inline-header",
        "public.c-plus-plus-source",
        "public.c-plus-plus-source.preprocessed",
        "public.c-source",
        "public.c-source.preprocessed",
        "public.calendar-event",
        "public.camera-raw-image",
        "public.case-insensitive-text",
        "public.cd-based-media",
        "public.cd-media",
        "public.cd-r-media",
        "public.cd-rw-media",
        "public.cdda-audio",
        "public.character-special",
        "public.comma-separated-values-text",
        "public.composite-content",
        "public.computer",
        "public.contact",
        "public.content",
        "public.cpio-archive",
        "public.csh-script",
        "public.css",
        "public.data",
        "public.database",
        "public.delimited-values-text",
        "public.device",
        "public.directory",
        "public.disk-image",
        "public.display",
        "public.downloadable-sound",
        "public.dv-movie",
        "public.dvd-based-media",
        "public.dvd-media",
        "public.dvd-plus-r-media",
        "public.dvd-plus-rw-media",
        "public.dvd-r-media",
        "public.dvd-ram-media",
        "public.dvd-rw-media",
        "public.dylan-source",
        "public.elf-binary",
        "public.email-message",
        "public.enhanced-ac3-audio",
        "public.executable",
        "public.fax",
        "public.file-sharepoint",
        "public.file-url",
        "public.filename-extension",
        "public.flc-animation",
        "public.folder",
        "public.font",
        "public.fortran-77-source",
        "public.fortran-90-source",
        "public.fortran-95-source",
        "public.fortran-source",
        "public.geojson",
        "public.geometry-definition-format",
        "public.haptics-content",
        "public.hd-dvd-based-media",
        "public.hd-dvd-media",
        "public.hd-dvd-r-media",
        "public.hd-dvd-ram-media",
        "public.hd-dvd-rw-media",
        "public.heic",
        "public.heics",
        "public.heif",
        "public.heif-standard",
        "public.heifs",
        "public.html",
        "public.image",
        "public.item",
        "public.jpeg",
        "public.jpeg-2000",
        "public.jpeg-xl",
        "public.json",
        "public.ksh-script",
        "public.lex-source",
        "public.log",
        "public.m3u-playlist",
        "public.make-source",
        "public.message",
        "public.midi-audio",
        "public.mig-source",
        "public.mime-type",
        "public.movie",
        "public.mp2",
        "public.mp3",
        "public.mp4a-latm",
        "public.mp4a-loas",
        "public.mpeg",
        "public.mpeg-2-transport-stream",
        "public.mpeg-2-video",
        "public.mpeg-4",
        "public.mpeg-4-audio",
        "public.mpo-image",
        "public.named-pipe",
        "public.ndjson",
        "public.object-code",
        "public.objective-c-plus-plus-source",
        "public.objective-c-plus-plus-source.preprocessed",
        "public.objective-c-source",
        "public.objective-c-source.preprocessed",
        "public.ofd",
        "public.opentype-collection-font",
        "public.opentype-font",
        "public.optical-storage-media",
        "public.pascal-source",
        "public.patch-file",
        "public.perl-script",
        "public.php-script",
        "public.plain-text",
        "public.playlist",
        "public.pls-playlist",
        "public.png",
        "public.polygon-file-format",
        "public.precompiled-c-header",
        "public.precompiled-c-plus-plus-header",
        "public.presentation",
        "public.python-script",
        "public.rss",
        "public.rtf",
        "public.ruby-script",
        "public.script",
        "public.shell-script",
        "public.socket",
        "public.source-code",
        "public.source-code.preprocessed",
        "public.speaker",
        "public.spreadsheet",
        "public.standard-tesselated-geometry-format",
        "public.storage",
        "public.stored-url",
        "public.svg-image",
        "public.swift-source",
        "public.symlink",
        "public.tab-separated-values-text",
        "public.tar-archive",
        "public.tar-bzip2-archive",
        "public.tcsh-script",
        "public.text",
        "public.tiff",
        "public.to-do-item",
        "public.toml",
        "public.truetype-collection-font",
        "public.truetype-font",
        "public.truetype-ttf-font",
        "public.ulaw-audio",
        "public.unix-executable",
        "public.url",
        "public.url-name",
        "public.utf16-external-plain-text",
        "public.utf16-plain-text",
        "public.utf8-plain-text",
        "public.utf8-tab-separated-values-text",
        "public.uuencoded-archive",
        "public.vcard",
        "public.video",
        "public.volume",
        "public.webassembly",
        "public.x509-certificate",
        "public.xbitmap-image",
        "public.xfd",
        "public.xhtml",
        "public.xml",
        "public.yacc-source",
        "public.yaml",
        "public.z-archive",
        "public.zip-archive",
        "public.zsh-script",
    ]

    /// A line for each row: identifier, extensions, MIME types, four-character codes, pasteboard types, description.
    static let details: StaticString = """
        ca.mcgill.mni.bic.mnc|mnc,minc||MINC||MINC medical image
        com.adobe.edn|edn||||Adobe eBook activation
        com.adobe.encapsulated-postscript|eps||EPSF|NeXT Encapsulated PostScript v1.2 pasteboard type,NSPostScriptPboardType|Encapsulated PostScript (EPS)
        com.adobe.etd|etd||||Adobe eBook order
        com.adobe.fdf|fdf||||PDF form data (FDF)
        com.adobe.flash.video|flv,f4v,f4p,f4a,f4b|video/x-flv|||Flash film
        com.adobe.illustrator.ai-image|ai||||Illustrator drawing
        com.adobe.pdf|pdf|application/pdf|PDF |Apple PDF pasteboard type|PDF
        com.adobe.photoshop-image|psd|image/vnd.adobe.photoshop,image/photoshop,image/x-photoshop,image/psd,application/photoshop|8BPS||Photoshop image (PSD)
        com.adobe.photoshop-large-image|psb||8BPB||large Photoshop image (PSB)
        com.adobe.postscript|ps|application/postscript|||PostScript file
        com.adobe.postscript-font|||||PostScript font
        com.adobe.postscript-lwfn-font|||LWFN||PostScript font for classic Mac OS
        com.adobe.postscript-pfa-font|pfa||||PostScript font, text (PFA)
        com.adobe.postscript-pfb-font|pfb||||PostScript font, binary (PFB)
        com.adobe.raw-image|dng|image/x-adobe-dng|||DNG raw image
        com.adobe.xfdf|xfdf||||PDF form data in XML (XFDF)
        com.allume.stuffit-archive|||||StuffIt archive of any kind
        com.apple.accounts-icon|||acct||icon for accounts
        com.apple.active-webpage|||||web page being shown
        com.apple.afp-internet-location|afploc||ilaf||link to an AFP file server
        com.apple.airdrop|||sbNC||AirDrop
        com.apple.alert|||||alert sign
        com.apple.alert-caution|||caut||caution sign
        com.apple.alert-note|||note||note sign
        com.apple.alert-stop|||stop||stop sign
        com.apple.alias-file|||||Finder alias
        com.apple.alias-record|||alis||Finder alias as data
        com.apple.applescript.script|scpt||osas||AppleScript, compiled
        com.apple.applescript.script-bundle|scptd||||AppleScript bundle
        com.apple.applescript.text|applescript||||AppleScript source
        com.apple.applesingle-archive|as||||AppleSingle file
        com.apple.application|||||app
        com.apple.application-and-system-extension|appex||||app extension
        com.apple.application-bundle|app||APPL||macOS app
        com.apple.application-file|app||APPL||app in one file
        com.apple.application-placeholder|placeholder||||placeholder for an app being installed
        com.apple.applications-folder|||apps,tAps,sbAp||folder of applications
        com.apple.archive|aar,yaa||||Apple Archive file
        com.apple.arobject|arobject||||AR object scan
        com.apple.ascii-property-list|plist||||property list in the old text form
        com.apple.audio-unit-preset|aupreset||||Audio Unit preset
        com.apple.binary-property-list|plist||||property list in binary form
        com.apple.binhex-archive|hqx|application/mac-binhex40,application/mac-binhex,application/binhex|||BinHex file
        com.apple.bom-archive|||||archive with an Apple bill of materials
        com.apple.bom-compressed-cpio|cpgz||||compressed cpio file
        com.apple.bonjour|||bonj,sbBj||Bonjour
        com.apple.bookmark|||||Apple bookmark
        com.apple.bundle|||||bundle of code and resources
        com.apple.cinema-display|||||Apple Cinema Display
        com.apple.cocoa.pasteboard.character-formatting||||NeXT font pasteboard type|character style on a pasteboard
        com.apple.cocoa.pasteboard.color||||NSColor pasteboard type|colour on a pasteboard
        com.apple.cocoa.pasteboard.find-panel-search-options||||NSFindPanel search options pasteboard type|options of a text search
        com.apple.cocoa.pasteboard.multiple-text-selection||||Apple multiple text selection pasteboard type|several pieces of selected text
        com.apple.cocoa.pasteboard.paragraph-formatting||||NeXT ruler pasteboard type|paragraph style on a pasteboard
        com.apple.cocoa.pasteboard.sound||||NSSoundPboardType|sound on a pasteboard
        com.apple.color-file|clr,ccl||||list of colours
        com.apple.colorsync-profile|icc,icm,pf||clsp,prof||ICC colour profile
        com.apple.configprofile|configprofile||||macOS configuration profile
        com.apple.coreaudio-format|caf||caff||Core Audio file (CAF)
        com.apple.coreml.mlpackage|mlpackage||||Core ML model as a package
        com.apple.coreml.model|mlmodel,mlkitmodel||||Core ML model
        com.apple.crashreport|crash||||macOS crash report
        com.apple.csstore|csstore||||Launch Services database
        com.apple.dashboard-widget|wdgt||||Dashboard widget
        com.apple.data-container|||||folder of an app's data
        com.apple.deprecated-application-file|||APPC,APPD,APPE,appe,CDEV,cdev,dfil||app of a kind no longer run
        com.apple.desktop-folder|||desk,tDsk,sbDt||Desktop folder
        com.apple.developer-folder|||devf||folder of developer tools
        com.apple.device|||||Apple device
        com.apple.device-model-code|||||device model code
        com.apple.document-type|||||kind of document
        com.apple.document-type.dictionary|||dict||dictionary
        com.apple.document-type.system-folder|||macs||System folder
        com.apple.documents-folder|||docs,tDoc,sbDc||Documents folder
        com.apple.dot-mac|||mymc||.Mac service
        com.apple.downloads-folder|||dwnf,tDwn,sbDl||Downloads folder
        com.apple.drawing|drawing||||drawing made with a pencil
        com.apple.driver-extension|dext||||macOS driver extension
        com.apple.drop-folder|||dbox,sbDB||folder that others can only put into
        com.apple.encrypted-archive|aea||||encrypted Apple Archive
        com.apple.everyone-icon|||evry||icon for everyone
        com.apple.file-internet-location|fileloc||ilfi||link to a file
        com.apple.file-server|||srvr||file server
        com.apple.file-system-plug-in|fs||||file system plug-in
        com.apple.file-vault|||fVlt||FileVault
        com.apple.finder.burn-folder|fpbf||bfld,sbBF||folder to burn on a disc
        com.apple.finder.clipping|||clpu||Finder clipping
        com.apple.finder.pictclipping|pictclipping||clpp||Finder clipping of a picture
        com.apple.finder.recent-items|||rcnt,sbRc,sbAF||search for recent items
        com.apple.finder.smart-folder|savedSearch||sfld,sbSF||saved Finder search
        com.apple.finder.sound-clipping|sndClipping||clps||Finder clipping of sound
        com.apple.finder.textclipping|textclipping||clpt||Finder clipping of text
        com.apple.flat-rtfd|||rtfd|NeXT RTFD pasteboard type,NSRTFDPboardType|RTF with attachments, in one file
        com.apple.font-suitcase|suit||FFIL,ffil,sfnt,tfil||classic Mac OS font suitcase
        com.apple.framework|framework||FMWK||macOS framework
        com.apple.ftp-internet-location|ftploc||ilft||link to an FTP server
        com.apple.garageband.project|band,gbProj||||GarageBand project
        com.apple.generic-airdisk|||aird||disk at an AirPort base station
        com.apple.generic-bundle|bundle||BNDL||loadable bundle
        com.apple.generic-internet-location|inetloc||ilge||link of any scheme
        com.apple.generic-stationery|||sdoc||document used as a template
        com.apple.generic-time-machine-disk|||gtmi,sbTM||Time Machine disk
        com.apple.gpuRestart|gpuRestart||||macOS report of a graphics restart
        com.apple.groupactivities.activity|groupactivity||||SharePlay activity
        com.apple.groups-folder|||gfld||folder of groups
        com.apple.guest-user|||gusr||guest user
        com.apple.hangreport|hang||||macOS report of a hung program
        com.apple.haptics.ahap|ahap||||haptic pattern
        com.apple.help-document|||help||macOS help
        com.apple.home-folder|||ufld,thom,sbHm||home folder
        com.apple.homebuttonless-device|||||
        com.apple.homebuttonless-ipad|||||iPad without a home button
        com.apple.homebuttonless-iphone|||||iPhone without a home button
        com.apple.homepod|||||HomePod
        com.apple.ical.ics|ics|text/calendar|||iCalendar file
        com.apple.ical.vcs|vcs,vcal|text/x-vcalendar|||vCalendar file
        com.apple.iCloud|||sbIC||iCloud storage
        com.apple.icloud-file-fault|icloud||||placeholder for a file in iCloud
        com.apple.icns|icns||icns||macOS icon
        com.apple.icon-decoration|||||mark on an icon
        com.apple.icon-decoration-position|||||place of a mark on an icon
        com.apple.icon-decoration-position.center|||||mark at the centre of an icon
        com.apple.icon-decoration-position.leading-bottom|||||mark at the lower leading corner of an icon
        com.apple.icon-decoration-position.overlay|||||mark over a whole icon
        com.apple.icon-decoration-position.trailing-bottom|||||mark at the lower trailing corner of an icon
        com.apple.icon-decoration.badge|||||badge on an icon
        com.apple.icon-decoration.badge.checkmark|||||badge with a tick
        com.apple.icon-decoration.badge.comments|||||badge of an item with comments
        com.apple.icon-decoration.badge.drop-folder|||||badge of a drop folder
        com.apple.icon-decoration.badge.heart|||||badge with a heart
        com.apple.icon-decoration.badge.in-review|||||badge of an item in review
        com.apple.icon-decoration.badge.locked|||||badge of a locked item
        com.apple.icon-decoration.badge.locked-by-collaborator|||||badge of an item that a collaborator locked
        com.apple.icon-decoration.badge.locked-by-user|||||badge of an item that the user locked
        com.apple.icon-decoration.badge.pinned|||||badge of a pinned item
        com.apple.icon-decoration.badge.private-folder|||||badge of a private folder
        com.apple.icon-decoration.badge.syncing|||||badge of an item being synchronised
        com.apple.icon-decoration.badge.trending|||||badge of a popular item
        com.apple.icon-decoration.badge.warning|||||badge of a warning
        com.apple.icon-decoration.emboss|||||embossed mark on an icon
        com.apple.icon-decoration.system|||||mark that the system puts on an icon
        com.apple.icon-decoration.system.alias|||||mark of an alias
        com.apple.icon-decoration.system.caution-alert|||||caution mark on an icon
        com.apple.icon-decoration.system.new-folder|||||mark of a new folder
        com.apple.icon-decoration.system.unsupported|||||mark of an app that does not run here
        com.apple.icon-overlay.alert-caution-badge|||cbdg||overlay of a caution
        com.apple.icon-overlay.alias-badge|||abdg||overlay of an alias
        com.apple.icon-overlay.drop-folder-badge|||drfb||overlay of a drop folder
        com.apple.icon-overlay.locked-badge|||lbdg||overlay of a locked item
        com.apple.icon-overlay.new-folder-badge|||nfbg||overlay of a new folder
        com.apple.icon-overlay.private-folder|||prvf||overlay of a private folder
        com.apple.icon-overlay.private-folder-badge|||prfb||overlay badge of a private folder
        com.apple.icon-overlay.unsupported-badge|||ubdg||overlay of an unsupported item
        com.apple.iconset|iconset||||folder of icon sizes
        com.apple.idisk|||idsk,sbID||iDisk
        com.apple.iig-source|iig||||DriverKit interface source
        com.apple.iMovieLibrary|imovielibrary||||iMovie library
        com.apple.iMovieTheater|theater||||iMovie theatre
        com.apple.ink.inktext|||inkt|Apple InkText pasteboard type|handwritten text
        com.apple.installer-distribution-package|dist,distz||dist||macOS installer distribution
        com.apple.installer-meta-package|mpkg||mpkg||macOS package of installer packages
        com.apple.installer-package|pkg||pkg1||macOS installer package
        com.apple.installer-package-archive|pkg,mpkg||||macOS installer package in one file
        com.apple.intelligentsuggestions.assets|suggestionsassets||||data for suggestions
        com.apple.internet-location|||||Internet location file
        com.apple.ios-device|||||iOS device
        com.apple.ios-simulator|||||iOS simulator
        com.apple.ipad|||||
        com.apple.iphone|||||
        com.apple.iphone-8|||||iPhone 8
        com.apple.iphone-8-plus|||||iPhone 8 Plus
        com.apple.iphone-x|||||iPhone X
        com.apple.ipod-classic|||||iPod classic
        com.apple.ipod-mini|||||iPod mini
        com.apple.ipod-nano|||||iPod nano
        com.apple.ipod-shuffle|||||iPod shuffle
        com.apple.ipod-shuffle-gen1|||||iPod shuffle, first generation
        com.apple.ipod-shuffle-gen2|||||iPod shuffle, second generation
        com.apple.ipod-shuffle-gen3|||||iPod shuffle, third generation
        com.apple.ipod-shuffle-gen4|||||iPod shuffle, fourth generation
        com.apple.itunes.store-url|itms||||iTunes Store URL
        com.apple.iWork.Keynote.key|key||||Keynote slides as a package
        com.apple.iWork.Keynote.key-tef|key-tef||||Keynote slides for iCloud
        com.apple.iWork.Keynote.kth|kth||||Keynote theme as a package
        com.apple.iWork.Keynote.sffkey|key|application/x-iwork-keynote-sffkey|||Keynote slides
        com.apple.iWork.Keynote.sffkth|kth|application/x-iwork-keynote-sffkth|||Keynote theme
        com.apple.iWork.Numbers.numbers|numbers||||Numbers sheet as a package
        com.apple.iWork.Numbers.numbers-tef|numbers-tef||||Numbers sheet for iCloud
        com.apple.iWork.Numbers.sffnumbers|numbers|application/x-iwork-numbers-sffnumbers|||Numbers sheet
        com.apple.iWork.Numbers.sfftemplate|nmbtemplate|application/x-iwork-numbers-sfftemplate|||Numbers template
        com.apple.iWork.Numbers.template|nmbtemplate||||Numbers template as a package
        com.apple.iWork.Pages.pages|pages||||Pages text as a package
        com.apple.iWork.Pages.pages-tef|pages-tef||||Pages text for iCloud
        com.apple.iWork.Pages.sffpages|pages|application/x-iwork-pages-sffpages|||Pages text
        com.apple.iWork.Pages.sfftemplate|template|application/x-iwork-pages-sfftemplate|||Pages template
        com.apple.iWork.Pages.template|template||||Pages template as a package
        com.apple.kernel-extension|kext||||macOS kernel extension
        com.apple.keynote.key|||||Keynote slides of any version
        com.apple.keynote.kth|||||Keynote theme of any version
        com.apple.ktrace|ktrace||||macOS kernel trace
        com.apple.led-cinema-display-24|||||24-inch LED Cinema Display
        com.apple.led-cinema-display-27|||||27-inch LED Cinema Display
        com.apple.legacy-ipod|||||iPod without iOS
        com.apple.legacy.actions-icon|||acts||old icon for actions
        com.apple.legacy.backward-arrow|||baro,sbar||old icon of an arrow back
        com.apple.legacy.burn|||burn||old icon for burning a disc
        com.apple.legacy.clock-icon|||clck||old icon of a clock
        com.apple.legacy.connect-to|||cnct||old icon for connecting to a server
        com.apple.legacy.customize-toolbar|||tcus||old icon for changing a toolbar
        com.apple.legacy.delete-toolbar|||tdel||old toolbar icon for deleting
        com.apple.legacy.eject-media|||ejec||old icon for ejecting a disk
        com.apple.legacy.erasing|||eras||old icon for erasing
        com.apple.legacy.favorite-items|||favs||old icon for favourites
        com.apple.legacy.finder-icon|||scsh,scmp,ramd,dsrv,FNDR,capl,mntd,shfl,ownd,prnt,strt,shdf,amnu,ctrl,prfƒ,font,appr,intƒ,scrƒ,ƒloc,asup,ƒhlp,sapl,asnd,dsnd,mbdg,scrp,shrt,ftps,htps,isrv,atzn,afps,atlk,nfld,writ,shrw,shro,shna,shuk,nfil,susr,edtf,pref,ƒscr,ƒnet,ƒtex,ƒprd,ppdf,ctrD,extD,strD,shdD,macD,astƒ,cmnu,rapp,rdoc,rsrv,psys,papp,capl,ramd,shlb,Shlb,sbdg,dali,rofl||old icon of the Finder
        com.apple.legacy.forward-arrow|||faro,sfar||old icon of an arrow forward
        com.apple.legacy.general-icon|||gnrl||old icon for general settings
        com.apple.legacy.grid|||grid||old icon of a grid
        com.apple.legacy.keep-arranged|||arng||old icon for keeping items arranged
        com.apple.legacy.locked|||lock||old icon of a closed lock
        com.apple.legacy.magnifying-glass|||glas||old icon of a magnifying glass
        com.apple.legacy.multiple-items|||mitm||old icon for several items
        com.apple.legacy.no-write|||nwrt||old icon for read-only
        com.apple.legacy.open-folder|||ofld||old icon of an open folder
        com.apple.legacy.question-mark|||ques||old icon of a question mark
        com.apple.legacy.right-container-arrow|||rcar||old icon of an arrow into a folder
        com.apple.legacy.sidebar-prefs-icon|||sdbp||old icon for sidebar settings
        com.apple.legacy.synchronize|||sync||old icon for synchronising
        com.apple.legacy.toolbar-advanced-icon|||tbav||old toolbar icon for advanced settings
        com.apple.legacy.toolbar-info-icon|||tbin||old toolbar icon for information
        com.apple.legacy.toolbar-labels-icon|||tblb||old toolbar icon for labels
        com.apple.legacy.unlocked|||ulck||old icon of an open lock
        com.apple.legacy.window|||gwin||old icon of a window
        com.apple.library-folder|||ƒlib,extn,tLib||Library folder
        com.apple.linkpresentation.metadata|||||link preview data
        com.apple.live-photo|||||Live Photo
        com.apple.localizable-name-bundle|||||bundle with a translated name
        com.apple.localized-pdf-bundle|lpdf||||PDF in several languages
        com.apple.log|log||||macOS log file
        com.apple.m4a-audio|m4a|audio/x-m4a|M4A ||M4A audio
        com.apple.m4v-video|m4v|video/x-m4v|M4V ||M4V film
        com.apple.mac|||||
        com.apple.macbinary-archive|bin|application/macbinary,application/x-macbinary|||MacBinary file
        com.apple.mach-o-binary|||||Mach-O binary
        com.apple.mach-o-bundle|||||Mach-O loadable module
        com.apple.mach-o-core|||||Mach-O core dump
        com.apple.mach-o-dylib|dylib||||Mach-O shared library
        com.apple.mach-o-executable|||||Mach-O program
        com.apple.mach-o-object|||||Mach-O object file
        com.apple.macmini|||sbMM||Mac mini
        com.apple.macpaint-image|pntg||PNTG||MacPaint image
        com.apple.mail-internet-location|mailloc||ilma||link to a mail address
        com.apple.mapkit.map-item|||||place on a map
        com.apple.menu-extra|menu||||macOS menu bar item
        com.apple.metadata-importer|mdimporter||||Spotlight importer plug-in
        com.apple.mobileconfig|mobileconfig,mobile|application/x-apple-aspen-config|||Apple device profile
        com.apple.mobileprovision|mobileprovision|application/x-apple-aspen-mobileprovision|||iOS provisioning file
        com.apple.mount-point|||||mount point
        com.apple.movie-folder|||fvoc,tMov,sbMv||folder of films
        com.apple.mpeg-4-ringtone|m4r|audio/x-m4r|M4R ||iPhone ringtone
        com.apple.music-folder|||spki,tMus,sbMs||folder of music
        com.apple.network-neighborhood|||gnet,macn,sbNw||part of the local network
        com.apple.news-internet-location|newsloc||ilnw||link to a newsgroup
        com.apple.not-loaded|||nldd||item that is not loaded
        com.apple.notifications|||||notifications
        com.apple.nspboard-type|||||pasteboard type name
        com.apple.ostype|||||four-character type code
        com.apple.package|||||folder shown as one file
        com.apple.panicreport|panic||||macOS kernel panic report
        com.apple.pasteboard.promised-file-content-type|||||type of a promised file
        com.apple.pasteboard.promised-file-url|||||URL for a promised file
        com.apple.pef-binary|||||PEF binary for classic Mac OS
        com.apple.pict|pict,pct,pic|image/pict,image/x-pict,image/x-macpict|PICT|Apple PICT pasteboard type,NSPICTPboardType|PICT image
        com.apple.pictures-folder|||tPic,morƒ,sbPc||folder of pictures
        com.apple.pkpass|pkpass|application/vnd.apple.pkpass|||Wallet pass
        com.apple.pkpass-data|pkpass||||Wallet pass in one file
        com.apple.pkpasses-data|pkpasses|application/vnd.apple.pkpasses|||Wallet passes
        com.apple.plugin|plugin||plug||macOS plug-in
        com.apple.pluginkit|pluginkit||||PluginKit plug-in
        com.apple.ppp-plug-in|ppp||||PPP plug-in
        com.apple.private.live-photo-bundle|pvt||||Live Photo as a bundle
        com.apple.pro-display-xdr|||||Pro Display XDR
        com.apple.profile-background-color|||pbcl||background colour of a profile
        com.apple.profile-font-and-color|||pfcl||font and colours of a profile
        com.apple.profile-font-icon|||pfnt||icon for fonts in a device profile
        com.apple.property-list|plist||||property list of any form
        com.apple.protected-mpeg-4-audio|m4p||M4P ||MPEG-4 audio with copy protection
        com.apple.protected-mpeg-4-audio-b|m4b||M4B ||MPEG-4 audiobook with copy protection
        com.apple.protected-mpeg-4-video|||||MPEG-4 video with copy protection
        com.apple.provisionprofile|provisionprofile||||macOS provisioning file
        com.apple.public-folder|||tPub,pubf||folder shared with other users
        com.apple.quartz-composer-composition|qtz|application/x-quartzcomposer|||Quartz Composer file
        com.apple.quicklook-generator|qlgenerator||||Quick Look plug-in
        com.apple.quicktime-image|qtif,qti|image/x-quicktime|qtif||QuickTime still image
        com.apple.quicktime-movie|mov,qt|video/quicktime|MooV||QuickTime film
        com.apple.reality|reality|model/vnd.reality|||Reality scene
        com.apple.resolvable|||||reference to something else
        com.apple.rez-source|r||||Rez resource source
        com.apple.rtfd|rtfd||||RTF with attachments
        com.apple.scenekit.scene|scn,scnz||||SceneKit scene
        com.apple.scripting-definition|sdef||||AppleScript vocabulary of an app
        com.apple.server-applications-folder|||sapp||folder of server applications
        com.apple.servers-folder|||shpt||folder of servers
        com.apple.service-application|service||||macOS service
        com.apple.shazamcatalog|shazamcatalog||||Shazam catalogue of signatures
        com.apple.shazamsignature|shazamsignature||||Shazam signature of sound
        com.apple.shutdownStall|shutdownStall||||macOS report of a slow shutdown
        com.apple.sites-folder|||issf,tSts||folder of a personal web site
        com.apple.spinreport|spin||||macOS report of a busy program
        com.apple.storage-external|||rmov,edsk,sbAD,sbED,sbSD||external disk
        com.apple.storage-internal|||hdsk,sbIn||built-in disk
        com.apple.storage-netboot|||netB||disk image for network start-up
        com.apple.storage-removable|||flpy,sbRm||removable disk
        com.apple.structured-text|||||text with a recognised meaning
        com.apple.structured-text.address|||||postal address in text
        com.apple.structured-text.date|||||date in text
        com.apple.structured-text.telephone-number|||||telephone number in text
        com.apple.structured-text.transit-information|||||travel details in text
        com.apple.symbol-export|exp||||list of exported symbols
        com.apple.system-extension|systemextension||||macOS system extension
        com.apple.systempreference.prefpane|prefPane||||macOS preference pane
        com.apple.systempreference.screen-saver|saver||||macOS screen saver
        com.apple.systempreference.screen-slide-saver|slideSaver||||macOS screen saver of pictures
        com.apple.traditional-mac-plain-text|||TEXT,ttro||plain text in a classic Mac OS encoding
        com.apple.trash-empty|||trsh,sbTr||empty bin
        com.apple.trash-full|||ftrh||bin with something in it
        com.apple.truetype-datafork-suitcase-font|dfont||dfon||TrueType fonts in a data fork (dfont)
        com.apple.txn.text-multimedia-data|||txtn||classic Mac OS text with media
        com.apple.unknown-object|||unfs||thing of an unknown kind
        com.apple.user|||user||user
        com.apple.user-group|||grup||group of users
        com.apple.user-idisk|||udsk||iDisk of a user
        com.apple.user-unknown|||unus||unknown user
        com.apple.users-folder|||wfld||folder of home folders
        com.apple.utilities-folder|||utiƒ,tUtl,sbUF||folder of utilities
        com.apple.vnc-internet-location|vncloc||ilvn||link to a shared screen
        com.apple.watchface|watchface||||Apple Watch face
        com.apple.web-internet-location|webloc||ilht||link to a web page
        com.apple.webarchive|webarchive|application/x-webarchive|weba|Apple Web Archive pasteboard type|saved web page (Safari)
        com.apple.webkit-plugin|webplugin||||WebKit plug-in
        com.apple.x11-mach-o-executable|||||Mach-O program for X11
        com.apple.xar-archive|xar||||XAR archive
        com.apple.xcode.dsym|dsym||||debug symbols (dSYM)
        com.apple.xip-archive|xip||||signed XAR archive (XIP)
        com.apple.xml-property-list|plist||||property list in XML
        com.apple.xpc-service|xpc||||XPC service bundle
        com.audible.aa-audio|||||Audible audio
        com.audible.aa-audiobook|aa|audio/audible,audio/x-pn-audibleaudio,audio/x-audible|AUDB||Audible audiobook (AA)
        com.audible.aax-audiobook|aax|audio/vnd.audible.aax|AUDX||Audible audiobook (AAX)
        com.avid.open-media-framework|omf||OMF ||OMF editing project
        com.canon.cr2-raw-image|cr2||||Canon raw image (CR2)
        com.canon.cr3-raw-image|cr3||||Canon raw image (CR3)
        com.canon.crw-raw-image|crw|image/x-canon-crw|||Canon raw image (CRW)
        com.canon.tif-raw-image|||||Canon raw image (TIF)
        com.compuserve.gif|gif|image/gif|GIFf||GIF image
        com.digidesign.sd2-audio|sd2||Sd2f||Sound Designer II audio
        com.dxo.raw-image|dxo|image/x-dxo-dxo|||DxO raw image
        com.epson.raw-image|erf|image/x-epson-erf|||Epson raw image (ERF)
        com.facebook.zstandard-archive|zst|application/zstd|||Zstandard archive
        com.fuji.raw-image|raf||||Fujifilm raw image (RAF)
        com.google.earth.kml|kml|application/vnd.google-earth.kml+xml|||KML
        com.hasselblad.3fr-raw-image|3fr||||Hasselblad raw image (3FR)
        com.hasselblad.fff-raw-image|fff||||Hasselblad raw image (FFF)
        com.ilm.openexr-image|exr||||OpenEXR high-range image
        com.j2.efx-fax|efx|image/efax|||eFax fax
        com.j2.jfx-fax|jfx||||JFX fax
        com.kodak.flashpix-image|fpx|image/fpx,application/vnd.fpx|||FlashPix picture
        com.kodak.raw-image|dcr||||Kodak raw image (DCR)
        com.konicaminolta.raw-image|mrw||||Konica Minolta raw image (MRW)
        com.leafamerica.raw-image|mos||||Leaf raw image (MOS)
        com.leica.pwl-raw-image|pwl|image/x-leica-pwl|||Leica raw image (PWL)
        com.leica.raw-image|raw||||Leica raw image (RAW)
        com.leica.rwl-raw-image|rwl||||Leica raw image (RWL)
        com.microsoft.advanced-stream-redirector|asx|video/x-ms-asx|ASX_||list of Windows Media streams (ASX)
        com.microsoft.advanced-systems-format|asf|video/x-ms-asf|ASF_||ASF film
        com.microsoft.bmp|bmp,dib|image/bmp|BMP ,BMPf||BMP image
        com.microsoft.cab|cab||||Windows cabinet file
        com.microsoft.excel.sheet.binary.macroenabled|xlsb|application/vnd.ms-excel.sheet.binary.macroEnabled.12|||Excel binary file (XLSB)
        com.microsoft.excel.xla|xla||XLA5||Excel add-in (XLA)
        com.microsoft.excel.xls|xls|application/vnd.ms-excel,application/msexcel|XLS8||Excel 97 file (XLS)
        com.microsoft.excel.xlt|xlt|application/vnd.ms-excel,application/msexcel|sLS8||Excel 97 template (XLT)
        com.microsoft.excel.xlw|xlw|application/vnd.ms-excel,application/msexcel|XLW8||Excel workspace (XLW)
        com.microsoft.ico|ico|image/vnd.microsoft.icon|||Windows icon
        com.microsoft.internet-shortcut|url||||Windows link to a URL
        com.microsoft.powerpoint.pot|pot|application/vnd.ms-powerpoint,application/mspowerpoint|PPOT||PowerPoint 97 template (POT)
        com.microsoft.powerpoint.pps|pps|application/vnd.ms-powerpoint,application/mspowerpoint|PPSS||PowerPoint 97 show (PPS)
        com.microsoft.powerpoint.ppt|ppt|application/vnd.ms-powerpoint,application/mspowerpoint|SLD8||PowerPoint 97 file (PPT)
        com.microsoft.typescript|ts,tsx,mts,cts|application/typescript,text/typescript|||TypeScript source
        com.microsoft.waveform-audio|wav,wave,bwf|audio/vnd.wave,audio/wav,audio/wave,audio/x-wav|.WAV,WAVE||WAV audio
        com.microsoft.windows-dynamic-link-library|dll|application/x-msdownload|||Windows DLL
        com.microsoft.windows-executable|exe|application/x-msdownload|||Windows program
        com.microsoft.windows-media-wax|wax|video/x-ms-wax|||list of Windows Media sounds (WAX)
        com.microsoft.windows-media-wm|wm|video/x-ms-wm|||Windows Media film or sound
        com.microsoft.windows-media-wma|wma|video/x-ms-wma|||Windows Media audio
        com.microsoft.windows-media-wmp|wmp|video/x-ms-wmp|||Windows Media Player file
        com.microsoft.windows-media-wmv|wmv|video/x-ms-wmv|||Windows Media film
        com.microsoft.windows-media-wmx|wmx|video/x-ms-wmx|||list of Windows Media streams (WMX)
        com.microsoft.windows-media-wvx|wvx|video/x-ms-wvx|||list of Windows Media films (WVX)
        com.microsoft.word.doc|doc|application/msword|W8BN||Word 97 file (DOC)
        com.microsoft.word.dot|dot|application/msword|W8TN||Word 97 template (DOT)
        com.microsoft.word.wordml|xml||||Word 2003 file in XML
        com.netscape.javascript-source|js,jscript,javascript,mjs|text/javascript|||JavaScript
        com.nikon.nrw-raw-image|nrw|image/x-nikon-nrw|||Nikon raw image (NRW)
        com.nikon.raw-image|nef||||Nikon raw image (NEF)
        com.olympus.or-raw-image|orf|image/x-olympus-or|||Olympus raw image (ORF, OR form)
        com.olympus.raw-image|orf||||Olympus raw image (ORF)
        com.olympus.sr-raw-image|orf|image/x-olympus-sr|||Olympus raw image (ORF, SR form)
        com.panasonic.raw-image|raw||||Panasonic raw image (RAW)
        com.panasonic.rw2-raw-image|rw2||||Panasonic raw image (RW2)
        com.pentax.raw-image|pef||||Pentax raw image (PEF)
        com.phaseone.raw-image|iiq||||Phase One raw image (IIQ)
        com.pixar.universal-scene-description|usd,usda,usdc||||USD scene
        com.pixar.universal-scene-description-mobile|usdz|model/vnd.usdz+zip|||USDZ scene
        com.pkware.zip-archive|||||ZIP file by its older identifier
        com.rarlab.rar-archive|rar|application/vnd.rar,application/x-rar-compressed|||RAR archive
        com.real.realaudio|ram,ra|audio/vnd.rn-realaudio,audio/x-pn-realaudio,audio/x-realaudio|PNRA||RealAudio
        com.real.realmedia|rm|application/vnd.rn-realmedia|PNRM||RealMedia film
        com.real.realmedia-vbr|rmvb|application/vnd.rn-realmedia-vbr|||RealMedia film of variable bit rate
        com.redhat.rpm-archive|rpm|application/x-rpm|||RPM package
        com.rsa.pkcs-12|p12,pfx|application/x-pkcs12|||PKCS #12 keys
        com.samsung.raw-image|srw||||Samsung raw image (SRW)
        com.scenarist.closed-caption|scc||||Scenarist closed captions
        com.sgi.sgi-image|sgi|image/sgi|.SGI||SGI image
        com.sony.arw-raw-image|arw||||Sony raw image (ARW)
        com.sony.raw-image|srf||||Sony raw image (SRF)
        com.sony.sr2-raw-image|sr2|image/x-sony-sr2|||Sony raw image (SR2)
        com.sony.wave64|w64||||Wave64 audio
        com.soundblaster.soundfont|sf2||||SoundFont sounds
        com.stuffit.archive.sidx|sidx|application/x-stuffitx-index,application/x-sitx-index|SIDX||StuffIt index
        com.stuffit.archive.sit|sit,sea|application/x-stuffit,application/x-sit|SIT5||StuffIt file
        com.stuffit.archive.sitx|sitx|application/x-stuffitx,application/x-sitx|SITX||StuffIt X file
        com.sun.java-archive|jar|application/java-archive|||Java JAR
        com.sun.java-class|class||||compiled Java class
        com.sun.java-source|java,jav||||Java source
        com.sun.java-web-start|jnlp|application/x-java-jnlp-file,application/jnlp|||Java Web Start file
        com.sun.web-application-archive|war||||Java web application (WAR)
        com.topografix.gpx|gpx|application/gpx+xml|||GPS exchange
        com.truevision.tga-image|tga|image/targa,image/tga,application/tga|TPIC||Targa image
        gov.nih.nifti-1|nii||NII1||NIfTI-1 medical image
        net.daringfireball.markdown|md,markdown|text/markdown|||Markdown text
        org.3gpp.adaptive-multi-rate-audio|amr|audio/amr|amr ||AMR audio
        org.7-zip.7-zip-archive|7z|application/x-7z-compressed|||7z file
        org.aafassociation.advanced-authoring-format|aaf||AAF ||AAF editing project
        org.debian.deb-archive|deb|application/vnd.debian.binary-package|||Debian package
        org.gnu.gnu-tar-archive|gtar|application/x-gtar|||GNU tar file
        org.gnu.gnu-zip-archive|gz,gzip|application/x-gzip,application/gzip|||gzip file
        org.gnu.gnu-zip-tar-archive|tgz||||tar file compressed with gzip
        org.golang.go-script|go|text/x-go|||Go source
        org.idpf.epub-container|epub|application/epub+zip|||EPUB book
        org.iso.sql|sql|application/sql,text/x-sql|||SQL source
        org.jupyter.ipynb|ipynb|application/x-ipynb+json|||Jupyter notebook
        org.khronos.collada.digital-asset-exchange|dae||||COLLADA 3D model
        org.khronos.glb|glb|model/gltf-binary|||glTF binary
        org.khronos.gltf|gltf|model/gltf+json|||glTF
        org.kotlinlang.source|kt,kts|text/x-kotlin|||Kotlin source
        org.matroska.mkv|mkv,mks,mk3d|video/x-matroska,video/matroska|||Matroska video
        org.nema.dicom|dcm,dicom|application/dicom|DICM||DICOM image
        org.oasis-open.opendocument|||||OpenDocument file of any kind
        org.oasis-open.opendocument.chart|odc|application/vnd.oasis.opendocument.chart|||OpenDocument diagram
        org.oasis-open.opendocument.chart-template|otc|application/vnd.oasis.opendocument.chart-template|||OpenDocument diagram template
        org.oasis-open.opendocument.database|odb|application/vnd.oasis.opendocument.database|||OpenDocument data
        org.oasis-open.opendocument.formula|odf|application/vnd.oasis.opendocument.formula|||OpenDocument maths
        org.oasis-open.opendocument.formula-template|otf|application/vnd.oasis.opendocument.formula-template|||OpenDocument maths template
        org.oasis-open.opendocument.graphics|odg|application/vnd.oasis.opendocument.graphics|||OpenDocument drawing
        org.oasis-open.opendocument.graphics-template|otg|application/vnd.oasis.opendocument.graphics-template|||OpenDocument drawing template
        org.oasis-open.opendocument.image|odi|application/vnd.oasis.opendocument.image|||OpenDocument picture
        org.oasis-open.opendocument.image-template|oti|application/vnd.oasis.opendocument.image-template|||OpenDocument picture template
        org.oasis-open.opendocument.presentation|odp|application/vnd.oasis.opendocument.presentation|||OpenDocument slides
        org.oasis-open.opendocument.presentation-template|otp|application/vnd.oasis.opendocument.presentation-template|||OpenDocument slides template
        org.oasis-open.opendocument.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|||OpenDocument sheet
        org.oasis-open.opendocument.spreadsheet-template|ots|application/vnd.oasis.opendocument.spreadsheet-template|||OpenDocument sheet template
        org.oasis-open.opendocument.text|odt|application/vnd.oasis.opendocument.text|||OpenDocument text file
        org.oasis-open.opendocument.text-master|odm|application/vnd.oasis.opendocument.text-master|||OpenDocument master document
        org.oasis-open.opendocument.text-template|ott|application/vnd.oasis.opendocument.text-template|||OpenDocument text template
        org.oasis-open.opendocument.text-web|oth|application/vnd.oasis.opendocument.text-web|||OpenDocument text for the web
        org.openoffice.formula|sxm,smf|application/vnd.sun.xml.math,application/vnd.stardivision.math|||OpenOffice 1 maths
        org.openoffice.graphics|sxd,sda|application/vnd.sun.xml.draw,application/vnd.stardivision.draw|||OpenOffice 1 drawing
        org.openoffice.graphics-template|std|application/vnd.sun.xml.draw.template|||OpenOffice 1 drawing template
        org.openoffice.presentation|sxi,sdd,sdp|application/vnd.sun.xml.impress,application/vnd.stardivision.impress,application/vnd.stardivision.impress-packed|||OpenOffice 1 slides
        org.openoffice.presentation-template|sti|application/vnd.sun.xml.impress.template|||OpenOffice 1 slides template
        org.openoffice.spreadsheet|sxc,sdc|application/vnd.sun.xml.calc,application/vnd.stardivision.calc|||OpenOffice 1 sheet
        org.openoffice.spreadsheet-template|stc|application/vnd.sun.xml.calc.template|||OpenOffice 1 sheet template
        org.openoffice.text|sxw,sdw|application/vnd.sun.xml.writer,application/vnd.stardivision.writer|||OpenOffice 1 text
        org.openoffice.text-master|sxg|application/vnd.sun.xml.writer.global|||OpenOffice 1 master document
        org.openoffice.text-template|stw|application/vnd.sun.xml.writer.template|||OpenOffice 1 text template
        org.openxmlformats.openxml|||||Office Open XML file of any kind
        org.openxmlformats.presentationml.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation|||PowerPoint file (PPTX)
        org.openxmlformats.presentationml.presentation.macroenabled|pptm|application/vnd.ms-powerpoint.presentation.macroEnabled.12|||PowerPoint file with macros (PPTM)
        org.openxmlformats.presentationml.slideshow|ppsx|application/vnd.openxmlformats-officedocument.presentationml.slideshow|||PowerPoint show (PPSX)
        org.openxmlformats.presentationml.slideshow.macroenabled|ppsm|application/vnd.ms-powerpoint.slideshow.macroEnabled.12|||PowerPoint show with macros (PPSM)
        org.openxmlformats.presentationml.template|potx|application/vnd.openxmlformats-officedocument.presentationml.template|||PowerPoint template (POTX)
        org.openxmlformats.presentationml.template.macroenabled|potm|application/vnd.ms-powerpoint.template.macroEnabled.12|||PowerPoint template with macros (POTM)
        org.openxmlformats.spreadsheetml.sheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|||Excel file (XLSX)
        org.openxmlformats.spreadsheetml.sheet.macroenabled|xlsm|application/vnd.ms-excel.sheet.macroEnabled.12|||Excel file with macros (XLSM)
        org.openxmlformats.spreadsheetml.template|xltx|application/vnd.openxmlformats-officedocument.spreadsheetml.template|||Excel template (XLTX)
        org.openxmlformats.spreadsheetml.template.macroenabled|xltm|application/vnd.ms-excel.template.macroEnabled.12|||Excel template with macros (XLTM)
        org.openxmlformats.wordprocessingml.document|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document|||Word file (DOCX)
        org.openxmlformats.wordprocessingml.document.macroenabled|docm|application/vnd.ms-word.document.macroEnabled.12|||Word file with macros (DOCM)
        org.openxmlformats.wordprocessingml.template|dotx|application/vnd.openxmlformats-officedocument.wordprocessingml.template|||Word template (DOTX)
        org.openxmlformats.wordprocessingml.template.macroenabled|dotm|application/vnd.ms-word.template.macroEnabled.12|||Word template with macros (DOTM)
        org.portolan.color|||||Colour
        org.rust-lang.rust-script|rs|text/rust,text/x-rust|||Rust source
        org.smpte.mxf|mxf|application/mxf|||MXF film
        org.sqlite.v3|sqlite,sqlite3,db|application/vnd.sqlite3,application/x-sqlite3|||SQLite database
        org.tug.tex|tex,latex|text/x-tex,application/x-tex|||TeX source
        org.tukaani.tar-xz-archive|txz||||tar file compressed with xz
        org.tukaani.xz-archive|xz|application/x-xz|||xz file
        org.w3.webvtt|vtt|text/vtt|||WebVTT subtitles
        org.w3c.woff|woff|font/woff|||WOFF font
        org.w3c.woff2|woff2|font/woff2|||WOFF2 font
        org.webmproject.webm|webm|video/webm,audio/webm|||WebM film
        org.webmproject.webp|webp|image/webp|||WebP image
        org.xiph.flac|flac|audio/flac|||FLAC sound
        org.xiph.ogg-audio|ogg,oga,spx|audio/ogg,application/ogg|||Ogg audio
        org.xiph.ogv|ogv|video/ogg|||Ogg video
        org.xiph.opus|opus|audio/opus,audio/ogg|||Opus audio
        public.3d-content|||||3D model
        public.3gpp|3gp,3gpp,sdv|video/3gpp,audio/3gpp|3gpp,sdv ||3GPP film
        public.3gpp2|3g2,3gp2|video/3gpp2,audio/3gpp2|3gp2||3GPP2 film
        public.aac-audio|aac,adts|audio/aac,audio/x-aac|aac ||AAC audio
        public.ac3-audio|ac3|audio/ac3|ac-3||AC-3 audio
        public.ada-source|ada,adb,ads||||Ada source
        public.aifc-audio|aifc||AIFC||AIFF-C audio
        public.aiff-audio|aiff,aif|audio/aiff,audio/x-aiff|AIFF||AIFF audio
        public.alembic|abc||||Alembic 3D model
        public.app-category|||||category of apps
        public.app-category.action-games|||||app category: action games
        public.app-category.adventure-games|||||app category: adventure games
        public.app-category.arcade-games|||||app category: arcade games
        public.app-category.board-games|||||app category: board games
        public.app-category.bookmarks|||||app category: bookmarks
        public.app-category.books|||||app category: books
        public.app-category.business|||||app category: business
        public.app-category.card-games|||||app category: card games
        public.app-category.casino-games|||||app category: casino games
        public.app-category.developer-tools|||||app category: developer tools
        public.app-category.dice-games|||||app category: dice games
        public.app-category.education|||||app category: education
        public.app-category.educational-games|||||app category: educational games
        public.app-category.entertainment|||||app category: entertainment
        public.app-category.family-games|||||app category: family games
        public.app-category.finance|||||app category: finance
        public.app-category.food-and-drink|||||app category: food and drink
        public.app-category.games|||||app category: games
        public.app-category.graphics-design|||||app category: graphics and design
        public.app-category.healthcare-fitness|||||app category: health and fitness
        public.app-category.kids-games|||||app category: children's games
        public.app-category.lifestyle|||||app category: lifestyle
        public.app-category.magazines-and-newspapers|||||app category: magazines and newspapers
        public.app-category.medical|||||app category: medicine
        public.app-category.music|||||app category: music
        public.app-category.music-games|||||app category: music games
        public.app-category.navigation|||||app category: navigation
        public.app-category.news|||||app category: news
        public.app-category.photography|||||app category: photography
        public.app-category.photography-and-video|||||app category: photography and video
        public.app-category.productivity|||||app category: productivity
        public.app-category.puzzle-games|||||app category: puzzle games
        public.app-category.racing-games|||||app category: racing games
        public.app-category.reference|||||app category: reference
        public.app-category.role-playing-games|||||app category: role-playing games
        public.app-category.shopping|||||app category: shopping
        public.app-category.simulation-games|||||app category: simulation games
        public.app-category.social-networking|||||app category: social networks
        public.app-category.sports|||||app category: sport
        public.app-category.sports-games|||||app category: sports games
        public.app-category.strategy-games|||||app category: strategy games
        public.app-category.travel|||||app category: travel
        public.app-category.trivia-games|||||app category: trivia games
        public.app-category.utilities|||||app category: utilities
        public.app-category.video|||||app category: video
        public.app-category.weather|||||app category: weather
        public.app-category.word-games|||||app category: word games
        public.archive|||||archive
        public.assembly-source|s||||assembler source
        public.au-audio|au,snd|audio/basic|||AU audio
        public.audio|||||sound
        public.audiovisual-content|||||sound or moving images
        public.audiovisual-content-collection|||||collection of films or sounds
        public.avchd-collection|avchd||||AVCHD recordings
        public.avci|avci|image/avci|||AVC still image
        public.avcs|avcs|image/avcs|||AVC images in sequence
        public.avi|avi,vfw|video/avi,video/msvideo,video/x-msvideo|VfW ,Vfw ||AVI film
        public.avif|avif|image/avif|||AVIF picture
        public.avis|avifs|image/avif-sequence|||AVIF pictures in sequence
        public.bash-script|bash||||Bash script
        public.block-special|||||block device
        public.bookmark|||bmrk||saved place
        public.bzip2-archive|bz2,bz|application/x-bzip2,application/x-bzip,application/bzip2,application/bzip,application/x-bz2|||bzip2 file
        public.c-header|h||||C header
        public.c-plus-plus-header|hh,hp,hpp,hxx,h++,ipp||||C++ header
        public.c-plus-plus-inline-header|inl||||C++ inline definitions
        public.c-plus-plus-source|cp,cpp,c++,cc,cxx||||C++ source
        public.c-plus-plus-source.preprocessed|ii||||preprocessed C++ source
        public.c-source|c||||C source
        public.c-source.preprocessed|i||||preprocessed C source
        public.calendar-event|||||calendar entry
        public.camera-raw-image|||||raw image from a camera
        public.case-insensitive-text|||||text that ignores case
        public.cd-based-media|||||CD of any kind
        public.cd-media|||cddr||CD
        public.cd-r-media|||cshm||CD-R
        public.cd-rw-media|||||CD-RW
        public.cdda-audio|cdda||cdda||audio CD track
        public.character-special|||||character device
        public.comma-separated-values-text|csv|text/csv,text/comma-separated-values|||CSV table
        public.composite-content|||||content of several kinds
        public.computer|||||computer
        public.contact|||||contact
        public.content|||||content of any kind
        public.cpio-archive|cpio,pax||||cpio file
        public.csh-script|csh||||C shell script
        public.css|css|text/css|||CSS style sheet
        public.data||application/octet-stream|sbFl||bytes of any kind
        public.database|||||database
        public.delimited-values-text|||||table as delimited text
        public.device|||||device
        public.directory|||||directory of any kind
        public.disk-image|||||disk image
        public.display|||sbDp||display
        public.downloadable-sound|dls|audio/dls|||DLS sounds
        public.dv-movie|dv,dif|video/x-dv|dvc!||DV film
        public.dvd-based-media|||||DVD of any kind
        public.dvd-media|||dvd ||DVD
        public.dvd-plus-r-media|||||DVD+R
        public.dvd-plus-rw-media|||||DVD+RW
        public.dvd-r-media|||dvdr||DVD-R
        public.dvd-ram-media|||nyrc||DVD-RAM
        public.dvd-rw-media|||dvdw||DVD-RW
        public.dylan-source|dlyan,lid||||Dylan source
        public.elf-binary|||||ELF program or library
        public.email-message|||||e-mail
        public.enhanced-ac3-audio|eac3,ec3|audio/eac3|ec-3||E-AC-3 audio
        public.executable|||||something that can be run
        public.fax|||||fax
        public.file-sharepoint|||||shared folder of a server
        public.file-url|||furl||URL of a file
        public.filename-extension|||||file name extension
        public.flc-animation|flc,fli,cel|video/flc|FLI ||FLC animation
        public.folder|||fold,fldr,adcL,sbFd||folder
        public.font|||||font
        public.fortran-77-source|f77||||Fortran 77 source
        public.fortran-90-source|f90||||Fortran 90 source
        public.fortran-95-source|f95||||Fortran 95 source
        public.fortran-source|f,for||||Fortran source
        public.geojson|geojson|application/geo+json|||GeoJSON map data
        public.geometry-definition-format|obj||||OBJ 3D model
        public.haptics-content|||||haptic content
        public.hd-dvd-based-media|||||HD DVD of any kind
        public.hd-dvd-media|||||HD DVD
        public.hd-dvd-r-media|||||HD DVD-R
        public.hd-dvd-ram-media|||||HD DVD-RAM
        public.hd-dvd-rw-media|||||HD DVD-RW
        public.heic|heic|image/heic|||HEIC image
        public.heics|heics|image/heic-sequence|||HEIC images in sequence
        public.heif|heif,hif|image/heif|||HEIF image
        public.heif-standard|||||HEIF image of any coding
        public.heifs|heifs|image/heif-sequence|||HEIF images in sequence
        public.html|html,htm,shtml,shtm|text/html|HTML|Apple HTML pasteboard type|HTML page
        public.image|||||image of any kind
        public.item|||||anything stored or sent
        public.jpeg|jpeg,jpg,jpe|image/jpeg,image/jpg|JPEG||JPEG image
        public.jpeg-2000|jp2,jpf,jpx,j2k,j2c|image/jp2|jp2 ||JPEG 2000 image
        public.jpeg-xl|jxl|image/jxl|||JPEG XL picture
        public.json|json|application/json|||JSON
        public.ksh-script|ksh||||Korn shell script
        public.lex-source|l,lm,lmm,lpp,lxx,ll||||Lex scanner source
        public.log|||||log
        public.m3u-playlist|m3u,m3u8|audio/mpegurl,application/vnd.apple.mpegurl,audio/x-mpegurl|||M3U playlist
        public.make-source|make,mak,gmk,mk||||makefile
        public.message|||||message
        public.midi-audio|midi,mid,smf,kar|audio/midi,audio/x-midi|Midi||MIDI file
        public.mig-source|defs,mig||||Mach interface definition
        public.mime-type|||||MIME type
        public.movie|||||film with or without sound
        public.mp2|mp2||||MP2 audio
        public.mp3|mp3,mpga|audio/mpeg,audio/mpeg3,audio/mpg,audio/mp3,audio/x-mpeg,audio/x-mpeg3,audio/x-mpg,audio/x-mp3|MPG3,mpg3,Mp3 ,MP3 ,mp3!,MP3!||MP3 audio
        public.mp4a-latm||audio/mp4a-latm|||MPEG-4 audio stream (LATM)
        public.mp4a-loas|loas,latm||||MPEG-4 audio stream (LOAS)
        public.mpeg|mpg,mpeg,mpe,m75,m15|video/mpeg,video/mpg,video/x-mpeg,video/x-mpg|MPG ,MPEG||MPEG-1 or MPEG-2 film
        public.mpeg-2-transport-stream|ts||||MPEG-2 transport stream
        public.mpeg-2-video|m2v|video/mpeg2,video/mpeg2-video|||MPEG-2 video
        public.mpeg-4|mp4,mpg4|video/mp4,video/mp4v-es|mpg4,MP4 ||MPEG-4 film
        public.mpeg-4-audio|mp4,mpg4|audio/mp4,audio/mp4a-latm|mpg4,MP4 ||MPEG-4 audio
        public.mpo-image|mpo||||MPO image (several JPEGs)
        public.named-pipe|||||named pipe
        public.ndjson|ndjson|application/x-ndjson|||JSON lines
        public.object-code|o||||compiled object code
        public.objective-c-plus-plus-source|mm||||Objective-C++ source
        public.objective-c-plus-plus-source.preprocessed|mii||||preprocessed Objective-C++ source
        public.objective-c-source|m||||Objective-C source
        public.objective-c-source.preprocessed|mi||||preprocessed Objective-C source
        public.ofd|ofd|application/ofd|||OFD pages
        public.opentype-collection-font|otc||||OpenType font collection
        public.opentype-font|otf|font/otf|OTTO||OpenType font
        public.optical-storage-media|||sbOD,sbCD||optical disc
        public.pascal-source|pas||||Pascal source
        public.patch-file|patch,diff||||diff or patch
        public.perl-script|pl,pm|text/x-perl-script|||Perl script
        public.php-script|php,php3,php4,ph3,ph4,phtml|text/php,text/x-php-script,application/php|||PHP script
        public.plain-text|txt,text|text/plain|||plain text
        public.playlist|||||playlist
        public.pls-playlist|pls|audio/x-scpls|||PLS playlist
        public.png|png|image/png|PNGf|Apple PNG pasteboard type|PNG image
        public.polygon-file-format|ply||||PLY 3D model
        public.precompiled-c-header|pch||||precompiled C header
        public.precompiled-c-plus-plus-header|pch++||||precompiled C++ header
        public.presentation|||||slides
        public.python-script|py|text/x-python-script|||Python script
        public.rss|rss|application/rss+xml|||RSS feed
        public.rtf|rtf|text/rtf|RTF |NeXT Rich Text Format v1.0 pasteboard type,NSRTFPboardType|RTF text
        public.ruby-script|rb,rbw|text/x-ruby-script|||Ruby script
        public.script|||||script of any kind
        public.shell-script|sh||||shell script
        public.socket|||||Unix socket
        public.source-code|||||program source
        public.source-code.preprocessed|||||preprocessed source
        public.speaker|||||loudspeaker
        public.spreadsheet|||||spreadsheet
        public.standard-tesselated-geometry-format|stl||||STL 3D model
        public.storage|||||storage device
        public.stored-url|||||URL kept in a file
        public.svg-image|svg,svgz|image/svg+xml|svg ,svgz||SVG drawing
        public.swift-source|swift||||Swift source
        public.symlink|||||symbolic link
        public.tab-separated-values-text|tsv|text/tab-separated-values|||TSV table
        public.tar-archive|tar|application/x-tar,application/tar|||tar file
        public.tar-bzip2-archive|tbz2,tbz||||tar file compressed with bzip2
        public.tcsh-script|tcsh||||tcsh script
        public.text|||||text of any kind
        public.tiff|tiff,tif|image/tiff|TIFF|NeXT TIFF v4.0 pasteboard type,NSTIFFPboardType|TIFF image
        public.to-do-item|||||task
        public.toml|toml|application/toml|||TOML
        public.truetype-collection-font|ttc||ttcf||TrueType font collection
        public.truetype-font|||||TrueType font of any packing
        public.truetype-ttf-font|ttf|font/ttf|||TrueType font
        public.ulaw-audio|ul,ulw,ulaw||ULAW||µ-law audio
        public.unix-executable|||xTol||Unix program
        public.url|||url ,gurl||web address or other URL
        public.url-name|||urln||title of a URL
        public.utf16-external-plain-text|||ut16||plain text in UTF-16 with a byte order mark
        public.utf16-plain-text||text/plain;charset=utf-16,text/plain;charset=\"utf-16\"|utxt||plain text in UTF-16
        public.utf8-plain-text||text/plain;charset=utf-8,text/plain;charset=\"utf-8\"|utf8|NSStringPboardType|plain text in UTF-8
        public.utf8-tab-separated-values-text||||NeXT tabular text pasteboard type|TSV table in UTF-8
        public.uuencoded-archive|uu|text/x-uuencode|||uuencoded file
        public.vcard|vcf,vcard|text/vcard,text/directory,text/x-vcard|vCrd|Apple VCard pasteboard type|vCard
        public.video|||||moving images alone
        public.volume|||disk||volume
        public.webassembly|wasm|application/wasm|||WebAssembly module
        public.x509-certificate|cer,der,crt,pem|application/x-x509-ca-cert|||X.509 certificate
        public.xbitmap-image|xbm|image/x-xbitmap|||X bitmap
        public.xfd|xfd||||XFD form in XML
        public.xhtml|xhtml,xhtm,xht|application/xhtml+xml|||XHTML page
        public.xml|xml|application/xml,text/xml|||XML
        public.yacc-source|y,ym,ymm,ypp,yxx,yy||||Yacc grammar
        public.yaml|yml,yaml|application/x-yaml|||YAML
        public.z-archive|z|application/x-compress|||compress (.Z) file
        public.zip-archive|zip|application/zip,application/x-zip-compressed|||ZIP file
        public.zsh-script|zsh||||Z shell script
        """

    /// Where each line of the details begins.
    static let detailStarts: [UInt32] = [
        0, 57, 101, 248, 287, 328, 395, 452, 521, 671, 742, 807, 853, 927, 992, 1059, 1117, 1168, 1227, 1277, 1327,
        1400, 1434, 1465, 1510, 1549, 1588, 1626, 1678, 1741, 1805, 1866, 1919, 1949, 2015, 2065, 2119, 2207, 2278,
        2326, 2372, 2446, 2504, 2573, 2683, 2749, 2808, 2847, 2885, 2935, 2985, 3094, 3177, 3301, 3433, 3543, 3619,
        3667, 3737, 3806, 3866, 3933, 3992, 4042, 4096, 4148, 4201, 4305, 4363, 4424, 4458, 4508, 4553, 4607, 4667,
        4729, 4768, 4830, 4886, 4944, 5016, 5075, 5125, 5188, 5230, 5286, 5325, 5396, 5446, 5525, 5597, 5671, 5747,
        5821, 5925, 6005, 6058, 6126, 6189, 6255, 6310, 6380, 6445, 6512, 6582, 6653, 6702, 6742, 6802, 6848, 6891,
        6943, 6980, 7041, 7106, 7136, 7190, 7252, 7292, 7363, 7401, 7447, 7513, 7589, 7687, 7757, 7857, 7910, 7974,
        8050, 8121, 8182, 8255, 8321, 8424, 8513, 8579, 8656, 8736, 8805, 8868, 8930, 9004, 9064, 9139, 9208, 9295,
        9367, 9430, 9504, 9573, 9645, 9719, 9805, 9885, 9935, 9970, 10025, 10081, 10131, 10207, 10295, 10376, 10439,
        10523, 10605, 10660, 10696, 10738, 10758, 10780, 10812, 10854, 10886, 10926, 10960, 10994, 11034, 11097, 11161,
        11224, 11288, 11340, 11403, 11472, 11534, 11621, 11707, 11777, 11853, 11951, 12058, 12136, 12197, 12264, 12349,
        12447, 12518, 12576, 12632, 12687, 12733, 12796, 12859, 12902, 12961, 13032, 13090, 13146, 13218, 13293, 13363,
        13429, 13483, 13547, 13952, 14025, 14093, 14142, 14217, 14275, 14348, 14415, 14472, 14536, 14603, 14685, 14759,
        14823, 14909, 14985, 15058, 15117, 15170, 15229, 15287, 15323, 15391, 15455, 15491, 15543, 15594, 15613, 15708,
        15750, 15801, 15844, 15898, 15945, 15992, 16027, 16079, 16150, 16195, 16244, 16313, 16412, 16520, 16558, 16615,
        16679, 16736, 16811, 16879, 16932, 16974, 17023, 17069, 17116, 17173, 17249, 17316, 17371, 17499, 17563, 17630,
        17686, 17766, 17811, 17862, 17903, 17969, 18015, 18089, 18160, 18231, 18290, 18368, 18452, 18523, 18594, 18662,
        18756, 18820, 18901, 18971, 19031, 19084, 19130, 19174, 19226, 19298, 19373, 19424, 19479, 19551, 19622, 19695,
        19761, 19821, 19890, 19944, 20010, 20066, 20127, 20188, 20236, 20308, 20381, 20437, 20506, 20576, 20644, 20735,
        20825, 20870, 20924, 21017, 21091, 21149, 21177, 21221, 21266, 21310, 21364, 21430, 21500, 21550, 21615, 21735,
        21787, 21846, 21887, 21937, 21991, 22049, 22097, 22136, 22247, 22329, 22390, 22443, 22496, 22566, 22616, 22665,
        22725, 22779, 22845, 22917, 22968, 23036, 23099, 23162, 23216, 23257, 23287, 23365, 23414, 23480, 23534, 23604,
        23653, 23706, 23808, 23880, 23937, 23983, 24115, 24169, 24268, 24371, 24472, 24534, 24595, 24718, 24837, 24956,
        25055, 25166, 25252, 25332, 25420, 25498, 25571, 25650, 25722, 25811, 25898, 25969, 26044, 26099, 26185, 26255,
        26304, 26387, 26440, 26523, 26580, 26641, 26692, 26748, 26813, 26895, 26955, 27045, 27149, 27221, 27320, 27379,
        27440, 27493, 27555, 27603, 27654, 27701, 27768, 27804, 27855, 27959, 28050, 28143, 28204, 28252, 28296, 28392,
        28458, 28516, 28601, 28650, 28720, 28785, 28850, 28926, 29008, 29071, 29151, 29216, 29262, 29324, 29380, 29448,
        29515, 29567, 29612, 29671, 29750, 29811, 29873, 29975, 30104, 30209, 30313, 30444, 30552, 30687, 30789, 30918,
        31033, 31175, 31287, 31426, 31528, 31650, 31774, 31891, 32006, 32124, 32231, 32406, 32519, 32638, 32746, 32861,
        32961, 33063, 33127, 33278, 33439, 33584, 33739, 33886, 34043, 34173, 34309, 34449, 34595, 34736, 34879, 35024,
        35171, 35201, 35266, 35311, 35407, 35471, 35533, 35586, 35632, 35672, 35716, 35776, 35826, 35869, 35938, 35977,
        36030, 36061, 36129, 36192, 36256, 36304, 36348, 36391, 36459, 36498, 36539, 36603, 36673, 36737, 36799, 36857,
        36907, 36963, 37023, 37087, 37157, 37217, 37275, 37349, 37415, 37479, 37533, 37601, 37651, 37725, 37801, 37867,
        37925, 38013, 38068, 38118, 38180, 38240, 38288, 38350, 38432, 38496, 38560, 38624, 38682, 38758, 38814, 38886,
        38958, 39009, 39073, 39141, 39193, 39257, 39315, 39365, 39419, 39479, 39506, 39551, 39597, 39620, 39674, 39746,
        39796, 39842, 39895, 39974, 40017, 40083, 40122, 40160, 40196, 40329, 40359, 40421, 40484, 40542, 40611, 40641,
        40697, 40738, 40790, 40846, 40887, 40914, 40945, 40974, 41019, 41065, 41153, 41207, 41236, 41263, 41302, 41344,
        41384, 41426, 41488, 41517, 41574, 41599, 41642, 41675, 41706, 41759, 41807, 41850, 41879, 41913, 41949, 41982,
        42019, 42054, 42100, 42145, 42177, 42242, 42290, 42309, 42362, 42400, 42450, 42513, 42557, 42578, 42628, 42678,
        42728, 42774, 42837, 42891, 42933, 42982, 43013, 43048, 43087, 43124, 43165, 43230, 43275, 43325, 43390, 43474,
        43509, 43549, 43612, 43681, 43728, 43769, 43812, 43872, 43891, 43995, 44042, 44069, 44144, 44200, 44231, 44275,
        44303, 44458, 44521, 44578, 44690, 44751, 44820, 44890, 44969, 45019, 45052, 45107, 45152, 45215, 45305, 45355,
        45432, 45475, 45539, 45593, 45648, 45690, 45736, 45794, 45896, 45947, 45976, 46029, 46095, 46142, 46198, 46268,
        46299, 46360, 46406, 46503, 46562, 46599, 46638, 46668, 46706, 46762, 46793, 46828, 46891, 46925, 46966, 47029,
        47071, 47104, 47179, 47247, 47315, 47354, 47387, 47483, 47510, 47551, 47619, 47673, 47727, 47777, 47821, 47870,
        47909, 47994, 48100, 48220, 48314, 48375, 48476, 48513, 48542, 48604, 48691, 48743, 48777, 48840, 48886, 48941,
        48988, 49051, 49130, 49170,
    ]

    /// Bit 0: declared; 1: owned by the system; 2: so is all it conforms to.
    static let standings: [UInt8] = [
        7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1,
        1, 7, 7, 7, 7, 1, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7,
        1, 7, 7, 0, 3, 3, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 0, 7, 7, 7, 7, 7, 7, 7, 3, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 7, 7, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 1, 1, 1, 1, 1, 7, 1, 7, 1, 1, 1, 1, 7, 1, 1, 1, 1, 7,
        7, 7, 7, 7, 1, 1, 7, 7, 7, 1, 7, 1, 7, 7, 7, 1, 7, 1, 1, 1, 1, 1, 1, 1, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 1, 1, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1,
        7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7,
    ]

    /// How many of a type's lineage are its parents.
    static let parentCounts: [UInt8] = [
        1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 1, 0, 1, 0, 0, 1, 1, 1, 2, 2, 2, 2, 1, 2, 1, 1, 3, 2,
        1, 1, 2, 1, 2, 1, 1, 2, 1, 2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 0, 1, 1, 2, 1, 2, 1, 1, 1, 1, 0, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2,
        2, 1, 1, 0, 2, 2, 2, 3, 3, 1, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 3, 3, 3, 2, 2, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 3, 2, 1, 1, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 2, 1, 1, 1, 2, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 2, 0, 0, 2, 1, 1, 2, 1, 1, 2, 2, 1, 3, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 2, 1, 1, 1, 1, 0, 1, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1,
        1, 1, 1, 2, 1, 0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 1, 1, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 4, 1, 3, 2, 2, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2,
        2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 2, 2, 3, 2, 2, 2, 2, 2, 2, 3,
        3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 2, 1, 2, 3, 2, 3, 2, 3, 3, 4, 3, 4, 2, 3, 2, 3, 1, 1, 1, 1,
        1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1,
        1, 2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 1, 1, 1, 2, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 0, 2, 1,
        1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 2,
        0, 0, 2, 1, 2, 2, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1,
        2, 1, 1,
    ]

    /// Where the lineage of each row begins.
    static let lineageStarts: [UInt16] = [
        0, 4, 6, 11, 13, 15, 20, 24, 28, 32, 36, 40, 43, 47, 51, 55, 60, 64, 67, 69, 69, 73, 73, 73, 74, 75, 76, 79,
        82, 89, 93, 100, 103, 105, 110, 117, 121, 129, 132, 135, 137, 142, 149, 152, 155, 156, 160, 160, 163, 165,
        166, 168, 170, 172, 174, 176, 178, 180, 182, 187, 192, 195, 197, 204, 207, 212, 217, 222, 225, 228, 229, 233,
        234, 236, 239, 242, 242, 245, 249, 254, 257, 260, 262, 266, 267, 272, 272, 275, 277, 282, 285, 287, 290, 293,
        297, 300, 303, 307, 313, 314, 318, 322, 324, 325, 332, 334, 337, 338, 345, 351, 353, 356, 356, 358, 360, 364,
        369, 374, 375, 377, 381, 381, 381, 382, 383, 384, 385, 388, 392, 396, 400, 404, 408, 412, 416, 420, 424, 428,
        432, 436, 440, 443, 444, 446, 448, 450, 452, 454, 456, 458, 460, 462, 464, 466, 468, 471, 471, 478, 481, 484,
        486, 490, 494, 498, 501, 505, 508, 510, 513, 513, 513, 514, 515, 518, 521, 524, 527, 530, 534, 538, 542, 546,
        549, 556, 563, 570, 575, 580, 586, 592, 597, 602, 608, 613, 618, 622, 626, 631, 635, 641, 647, 650, 651, 652,
        654, 656, 658, 660, 662, 664, 666, 668, 670, 672, 674, 676, 678, 680, 682, 684, 686, 688, 690, 692, 694, 696,
        698, 700, 702, 704, 706, 708, 710, 712, 715, 717, 717, 720, 727, 733, 739, 745, 745, 748, 752, 757, 762, 767,
        772, 777, 778, 782, 786, 788, 792, 797, 802, 804, 806, 809, 815, 818, 818, 822, 824, 824, 828, 832, 834, 841,
        841, 841, 844, 848, 851, 855, 857, 859, 863, 867, 872, 877, 878, 880, 882, 883, 885, 890, 896, 903, 908, 911,
        914, 919, 923, 928, 930, 930, 936, 941, 945, 950, 953, 956, 964, 966, 968, 975, 978, 985, 986, 987, 988, 989,
        994, 1000, 1006, 1012, 1018, 1024, 1029, 1033, 1037, 1041, 1046, 1049, 1052, 1056, 1060, 1062, 1062, 1062,
        1062, 1062, 1065, 1068, 1072, 1075, 1079, 1083, 1088, 1093, 1096, 1099, 1103, 1109, 1113, 1118, 1124, 1130,
        1134, 1139, 1144, 1149, 1154, 1158, 1163, 1168, 1173, 1176, 1181, 1186, 1191, 1196, 1200, 1206, 1212, 1216,
        1221, 1226, 1231, 1236, 1241, 1246, 1252, 1256, 1260, 1263, 1272, 1274, 1279, 1283, 1287, 1291, 1294, 1299,
        1304, 1309, 1315, 1320, 1323, 1326, 1334, 1340, 1346, 1352, 1358, 1366, 1374, 1378, 1382, 1388, 1396, 1401,
        1406, 1412, 1417, 1423, 1428, 1433, 1438, 1443, 1447, 1451, 1454, 1457, 1462, 1467, 1472, 1475, 1477, 1482,
        1486, 1490, 1495, 1500, 1505, 1510, 1515, 1519, 1523, 1527, 1533, 1536, 1542, 1547, 1554, 1559, 1563, 1565,
        1571, 1576, 1579, 1583, 1586, 1589, 1592, 1596, 1602, 1606, 1612, 1617, 1624, 1626, 1628, 1634, 1639, 1641,
        1643, 1648, 1653, 1657, 1661, 1665, 1670, 1675, 1680, 1685, 1691, 1697, 1703, 1709, 1714, 1719, 1724, 1729,
        1732, 1735, 1738, 1743, 1748, 1752, 1756, 1759, 1762, 1765, 1767, 1773, 1780, 1786, 1793, 1799, 1806, 1812,
        1819, 1825, 1832, 1837, 1843, 1848, 1854, 1859, 1865, 1870, 1871, 1875, 1878, 1881, 1885, 1888, 1891, 1896,
        1900, 1905, 1910, 1915, 1920, 1921, 1926, 1931, 1936, 1941, 1947, 1952, 1958, 1962, 1962, 1964, 1966, 1968,
        1970, 1971, 1972, 1973, 1975, 1977, 1978, 1980, 1981, 1983, 1984, 1986, 1987, 1988, 1989, 1990, 1991, 1993,
        1994, 1995, 1996, 1997, 1999, 2000, 2001, 2002, 2005, 2006, 2008, 2010, 2011, 2013, 2014, 2016, 2017, 2018,
        2020, 2022, 2023, 2025, 2026, 2027, 2028, 2030, 2030, 2036, 2041, 2045, 2048, 2048, 2052, 2057, 2062, 2067,
        2071, 2075, 2083, 2084, 2084, 2087, 2093, 2099, 2106, 2112, 2120, 2126, 2134, 2134, 2138, 2142, 2144, 2147,
        2150, 2153, 2159, 2160, 2166, 2167, 2168, 2168, 2168, 2171, 2179, 2183, 2184, 2184, 2188, 2188, 2189, 2190,
        2190, 2195, 2200, 2202, 2205, 2208, 2211, 2214, 2217, 2220, 2226, 2229, 2230, 2235, 2236, 2241, 2241, 2244,
        2249, 2254, 2256, 2258, 2265, 2272, 2279, 2285, 2290, 2295, 2295, 2297, 2300, 2303, 2306, 2309, 2314, 2319,
        2324, 2328, 2333, 2337, 2340, 2340, 2344, 2348, 2352, 2356, 2364, 2370, 2371, 2377, 2384, 2384, 2389, 2395,
        2400, 2404, 2409, 2414, 2419, 2424, 2429, 2434, 2440, 2445, 2450, 2454, 2455, 2459, 2462, 2468, 2476, 2482,
        2490, 2494, 2498, 2501, 2502, 2508, 2513, 2521, 2529, 2533, 2533, 2538, 2542, 2546, 2552, 2558, 2560, 2568,
        2573, 2577, 2585, 2591, 2598, 2599, 2604, 2610, 2610, 2611, 2615, 2615, 2615, 2621, 2627, 2629, 2635, 2639,
        2643, 2651, 2654, 2658, 2658, 2662, 2666, 2669, 2673, 2678, 2681, 2683, 2685, 2690, 2695, 2700, 2708, 2711,
        2716, 2721, 2724, 2727, 2729, 2733, 2738, 2743, 2747, 2753, 2757, 2760, 2764, 2772,
    ]

    /// Rows of what each type conforms to, nearest first.
    static let lineages: [UInt16] = [
        659, 613, 609, 660, 613, 660, 10, 613, 606, 660, 609, 613, 660, 613, 660, 674, 577, 613, 609, 660, 659, 613,
        609, 660, 613, 606, 660, 609, 659, 613, 609, 660, 659, 613, 609, 660, 613, 606, 660, 609, 640, 613, 660, 11,
        640, 613, 660, 11, 640, 613, 660, 11, 640, 613, 660, 597, 659, 613, 609, 660, 613, 606, 660, 609, 613, 573,
        660, 71, 660, 165, 721, 613, 660, 22, 22, 22, 613, 296, 660, 613, 296, 660, 613, 712, 660, 715, 700, 729,
        609, 48, 267, 617, 660, 712, 715, 700, 729, 613, 609, 660, 613, 573, 660, 633, 660, 345, 48, 267, 617, 660,
        32, 236, 267, 633, 48, 617, 660, 32, 613, 633, 660, 34, 32, 236, 267, 633, 48, 617, 660, 639, 617, 660, 613,
        573, 660, 613, 660, 729, 285, 613, 609, 660, 344, 753, 285, 729, 613, 609, 660, 285, 613, 660, 613, 573, 660,
        573, 613, 44, 660, 573, 613, 296, 660, 617, 660, 619, 613, 660, 613, 660, 613, 660, 613, 660, 613, 660, 613,
        660, 613, 660, 613, 660, 753, 729, 613, 609, 660, 576, 577, 613, 609, 660, 267, 617, 660, 613, 660, 742, 667,
        700, 660, 729, 613, 609, 613, 614, 660, 236, 267, 48, 617, 660, 639, 236, 617, 48, 660, 35, 32, 613, 633,
        660, 639, 617, 660, 639, 617, 660, 616, 729, 613, 609, 660, 660, 71, 660, 639, 617, 660, 639, 617, 660, 639,
        617, 660, 659, 613, 609, 660, 236, 267, 48, 617, 660, 639, 617, 660, 613, 573, 660, 71, 660, 165, 721, 613,
        660, 720, 277, 48, 267, 617, 660, 639, 617, 660, 613, 660, 87, 659, 613, 609, 660, 90, 613, 660, 613, 660,
        87, 613, 660, 87, 613, 660, 613, 606, 660, 609, 640, 613, 660, 48, 617, 660, 165, 721, 613, 660, 267, 577,
        617, 613, 609, 660, 720, 48, 267, 617, 660, 165, 721, 613, 660, 613, 660, 720, 742, 667, 700, 660, 729, 613,
        609, 613, 660, 639, 617, 660, 329, 742, 667, 700, 660, 729, 613, 609, 647, 664, 729, 613, 609, 660, 613, 660,
        639, 617, 660, 168, 111, 169, 111, 166, 717, 69, 616, 729, 660, 596, 613, 609, 729, 660, 596, 613, 609, 660,
        613, 660, 659, 613, 609, 660, 121, 121, 121, 121, 125, 120, 121, 125, 126, 121, 120, 125, 126, 121, 120, 125,
        126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 123, 141, 121, 120, 125, 126, 121, 120, 125, 126, 121,
        120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 122,
        120, 121, 120, 141, 120, 141, 120, 141, 120, 141, 120, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 639, 617, 660, 594, 715, 700, 729, 613, 609, 660, 267, 617, 660, 267, 617, 660, 613, 660,
        48, 267, 617, 660, 48, 267, 617, 660, 48, 267, 617, 660, 613, 573, 660, 48, 267, 617, 660, 721, 613, 660,
        69, 616, 166, 69, 616, 169, 169, 113, 169, 111, 203, 69, 616, 203, 69, 616, 203, 69, 616, 203, 69, 616, 176,
        203, 69, 616, 176, 203, 69, 616, 176, 203, 69, 616, 176, 203, 69, 616, 738, 613, 660, 267, 707, 198, 617,
        606, 660, 609, 267, 707, 198, 617, 606, 660, 609, 267, 707, 199, 617, 606, 660, 609, 613, 707, 660, 606, 609,
        613, 707, 660, 606, 609, 267, 606, 718, 617, 609, 660, 267, 606, 718, 617, 609, 660, 613, 606, 718, 660, 609,
        613, 606, 718, 660, 609, 267, 606, 718, 617, 609, 660, 267, 606, 617, 609, 660, 267, 606, 617, 609, 660, 613,
        606, 660, 609, 613, 606, 660, 609, 267, 606, 617, 609, 660, 48, 267, 617, 660, 267, 707, 617, 606, 660, 609,
        267, 707, 617, 606, 660, 609, 613, 667, 660, 619, 619, 69, 616, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660, 71, 660,
        639, 617, 660, 613, 660, 48, 617, 660, 236, 267, 606, 48, 617, 609, 660, 700, 667, 729, 660, 613, 609, 683,
        576, 577, 613, 609, 660, 682, 674, 577, 613, 609, 660, 613, 573, 660, 737, 613, 633, 660, 243, 737, 613, 633,
        660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 243, 737, 613, 633, 660, 241,
        659, 613, 609, 660, 165, 721, 613, 660, 613, 660, 267, 48, 617, 660, 277, 48, 267, 617, 660, 753, 729, 613,
        609, 660, 613, 660, 660, 296, 639, 617, 660, 683, 576, 577, 613, 609, 660, 639, 617, 660, 165, 721, 613, 660,
        71, 660, 729, 613, 609, 660, 729, 613, 609, 660, 617, 660, 742, 667, 700, 660, 729, 613, 609, 613, 633, 660,
        659, 613, 609, 660, 639, 617, 660, 48, 267, 617, 660, 613, 660, 613, 660, 48, 267, 617, 660, 48, 267, 617,
        660, 277, 48, 267, 617, 660, 235, 48, 267, 617, 660, 619, 613, 660, 613, 660, 660, 613, 660, 576, 577, 613,
        609, 660, 286, 576, 577, 613, 609, 660, 240, 682, 674, 577, 613, 609, 660, 753, 729, 613, 609, 660, 639, 617,
        660, 613, 633, 660, 277, 48, 267, 617, 660, 659, 613, 609, 660, 674, 577, 613, 609, 660, 613, 660, 715, 700,
        729, 613, 609, 660, 267, 606, 617, 609, 660, 613, 516, 660, 609, 753, 729, 613, 609, 660, 639, 617, 660, 639,
        617, 660, 34, 32, 236, 267, 633, 48, 617, 660, 613, 660, 613, 660, 742, 667, 700, 660, 729, 613, 609, 639,
        617, 660, 742, 667, 700, 660, 729, 613, 609, 720, 720, 720, 720, 700, 729, 613, 609, 660, 313, 700, 729, 613,
        609, 660, 313, 700, 729, 613, 609, 660, 313, 700, 729, 613, 609, 660, 313, 700, 729, 613, 609, 660, 715, 700,
        729, 613, 609, 660, 236, 267, 48, 617, 660, 267, 48, 617, 660, 267, 48, 617, 660, 267, 48, 617, 660, 700,
        729, 613, 609, 660, 639, 617, 660, 639, 617, 660, 734, 640, 613, 660, 613, 606, 660, 609, 71, 660, 639, 617,
        660, 639, 617, 660, 165, 721, 613, 660, 613, 609, 660, 165, 721, 613, 660, 613, 606, 660, 609, 277, 48, 267,
        617, 660, 243, 737, 613, 633, 660, 613, 573, 660, 267, 617, 660, 341, 613, 573, 660, 753, 285, 729, 613, 609,
        660, 48, 267, 617, 660, 576, 577, 613, 609, 660, 346, 576, 577, 613, 609, 660, 346, 576, 577, 613, 609, 660,
        577, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613,
        609, 660, 659, 613, 609, 660, 576, 577, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 613,
        573, 660, 597, 659, 613, 609, 660, 753, 729, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660,
        659, 613, 609, 660, 634, 659, 670, 613, 609, 660, 634, 659, 670, 613, 609, 660, 659, 613, 609, 660, 597, 659,
        613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 597, 659, 613, 609, 660, 577, 753, 613, 609, 729, 660, 577, 613, 609, 660, 659, 613, 609, 660, 613, 573,
        660, 757, 606, 718, 633, 413, 609, 660, 613, 573, 613, 660, 613, 606, 718, 660, 609, 613, 718, 660, 609, 613,
        718, 660, 609, 659, 613, 609, 660, 721, 613, 660, 613, 707, 660, 606, 609, 613, 707, 660, 606, 609, 613, 707,
        660, 606, 609, 715, 700, 729, 613, 609, 660, 576, 577, 613, 609, 660, 613, 633, 660, 613, 633, 660, 576, 373,
        577, 753, 613, 609, 729, 660, 674, 374, 577, 613, 609, 660, 576, 374, 577, 613, 609, 660, 674, 374, 577, 613,
        609, 660, 674, 374, 577, 613, 609, 660, 674, 373, 577, 753, 613, 609, 729, 660, 674, 373, 577, 753, 613, 609,
        729, 660, 613, 606, 660, 609, 613, 606, 660, 609, 753, 606, 729, 609, 613, 660, 712, 633, 715, 660, 700, 729,
        613, 609, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 405, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 405, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660,
        597, 659, 613, 609, 660, 516, 613, 609, 660, 516, 613, 609, 660, 613, 573, 660, 613, 573, 660, 576, 577, 613,
        609, 660, 674, 577, 613, 609, 660, 674, 577, 613, 609, 660, 613, 573, 660, 613, 660, 597, 659, 613, 609, 660,
        729, 613, 609, 660, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609, 660, 597, 659, 613, 609,
        660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 17, 613, 573, 660, 17, 613, 573, 660, 17, 613, 573,
        660, 757, 633, 413, 660, 613, 573, 613, 633, 660, 715, 700, 729, 613, 609, 660, 753, 729, 613, 609, 660, 431,
        757, 633, 413, 660, 613, 573, 753, 729, 613, 609, 660, 659, 613, 609, 660, 613, 660, 742, 700, 729, 613, 609,
        660, 576, 577, 613, 609, 660, 613, 573, 660, 613, 606, 660, 609, 613, 573, 660, 613, 573, 660, 613, 573, 660,
        445, 613, 573, 660, 715, 700, 729, 613, 609, 660, 613, 606, 660, 609, 715, 700, 729, 613, 609, 660, 664, 729,
        613, 609, 660, 753, 577, 516, 729, 613, 609, 660, 516, 609, 516, 609, 715, 700, 729, 613, 609, 660, 674, 577,
        613, 609, 660, 613, 660, 613, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 613, 609, 614, 660, 457,
        609, 613, 660, 457, 609, 613, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 457, 659, 613, 609, 660,
        457, 659, 613, 609, 660, 457, 606, 707, 613, 609, 660, 457, 606, 707, 613, 609, 660, 457, 606, 718, 613, 609,
        660, 457, 606, 718, 613, 609, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660, 457, 606, 613, 609, 660,
        457, 606, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 609, 707, 660, 606, 613, 609, 707,
        660, 606, 613, 718, 660, 609, 613, 718, 660, 609, 613, 609, 660, 613, 609, 660, 613, 609, 660, 613, 660, 485,
        707, 613, 606, 660, 609, 485, 707, 633, 613, 606, 660, 609, 485, 707, 613, 606, 660, 609, 485, 707, 633, 613,
        606, 660, 609, 485, 707, 613, 606, 660, 609, 485, 707, 633, 613, 606, 660, 609, 485, 606, 718, 613, 609, 660,
        485, 606, 718, 633, 613, 609, 660, 485, 606, 718, 613, 609, 660, 485, 606, 718, 633, 613, 609, 660, 485, 606,
        613, 609, 660, 485, 606, 633, 613, 609, 660, 485, 606, 613, 609, 660, 485, 606, 633, 613, 609, 660, 664, 729,
        613, 609, 660, 715, 700, 729, 613, 609, 660, 674, 577, 613, 609, 660, 614, 729, 613, 609, 660, 613, 573, 660,
        613, 573, 660, 729, 613, 609, 660, 640, 613, 660, 640, 613, 660, 674, 577, 613, 609, 660, 659, 613, 609, 660,
        576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660, 609, 674,
        577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 715, 700, 729,
        613, 609, 660, 576, 577, 613, 609, 660, 522, 576, 577, 613, 609, 660, 516, 613, 609, 660, 543, 525, 543, 525,
        543, 525, 543, 525, 525, 525, 525, 543, 525, 543, 525, 525, 543, 525, 525, 543, 525, 525, 543, 525, 525, 525,
        525, 525, 525, 543, 525, 525, 525, 525, 525, 543, 525, 525, 525, 525, 554, 570, 525, 525, 543, 525, 543, 525,
        525, 543, 525, 525, 543, 525, 525, 525, 543, 525, 543, 525, 525, 543, 525, 525, 525, 525, 543, 525, 715, 700,
        729, 613, 609, 660, 576, 577, 613, 609, 660, 577, 613, 609, 660, 613, 609, 660, 267, 578, 617, 660, 656, 659,
        613, 609, 660, 656, 659, 613, 609, 660, 674, 577, 613, 609, 660, 659, 613, 609, 660, 659, 613, 609, 660, 713,
        712, 715, 700, 729, 613, 609, 660, 660, 613, 573, 660, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609,
        660, 590, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 592, 716, 715, 700, 729, 613, 609, 660,
        715, 700, 729, 613, 609, 660, 594, 716, 715, 700, 729, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660,
        695, 720, 599, 695, 720, 599, 695, 720, 599, 695, 720, 522, 576, 577, 613, 609, 660, 660, 700, 615, 729, 613,
        609, 660, 609, 616, 613, 573, 660, 713, 712, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 660, 729, 613,
        609, 660, 660, 573, 576, 577, 613, 609, 660, 674, 577, 613, 609, 660, 695, 720, 622, 695, 720, 622, 695, 720,
        622, 695, 720, 622, 695, 720, 622, 695, 720, 622, 695, 720, 715, 700, 729, 613, 609, 660, 613, 633, 660, 670,
        576, 577, 613, 609, 660, 660, 659, 670, 613, 609, 660, 738, 613, 660, 598, 729, 613, 609, 660, 674, 577, 613,
        609, 660, 617, 660, 613, 660, 644, 715, 700, 729, 613, 609, 660, 644, 715, 700, 729, 613, 609, 660, 644, 715,
        700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 664, 729, 613, 609, 660, 516, 729, 609, 613, 660, 695,
        720, 648, 695, 720, 648, 695, 720, 648, 695, 720, 648, 695, 720, 656, 659, 613, 609, 660, 656, 659, 613, 609,
        660, 656, 659, 613, 609, 660, 659, 613, 609, 660, 656, 659, 613, 609, 660, 729, 613, 609, 660, 613, 609, 660,
        659, 613, 609, 660, 659, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660, 713, 712, 715, 700, 729, 613,
        609, 660, 715, 700, 729, 613, 609, 660, 660, 700, 701, 729, 613, 609, 660, 712, 715, 700, 729, 613, 609, 660,
        576, 577, 613, 609, 660, 715, 700, 729, 613, 609, 660, 598, 729, 613, 609, 660, 577, 613, 609, 660, 576, 577,
        613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 576, 577, 613, 609, 660, 674, 577, 613, 609,
        660, 674, 577, 613, 609, 660, 746, 674, 577, 613, 609, 660, 674, 577, 613, 609, 660, 576, 577, 613, 609, 660,
        659, 613, 609, 660, 660, 729, 613, 609, 660, 613, 633, 660, 715, 700, 729, 613, 609, 660, 688, 716, 715, 700,
        729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 690, 716, 715, 700, 729, 613, 609, 660, 613, 606, 660, 609,
        694, 640, 613, 660, 640, 613, 660, 720, 715, 700, 729, 613, 609, 660, 700, 729, 613, 609, 660, 713, 712, 715,
        700, 729, 613, 609, 660, 713, 712, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 729, 701, 613, 609, 660,
        659, 613, 609, 660, 516, 613, 609, 660, 715, 700, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 606, 609,
        713, 712, 715, 700, 729, 613, 609, 660, 753, 729, 613, 609, 660, 729, 613, 609, 660, 713, 712, 715, 700, 729,
        613, 609, 660, 715, 700, 729, 613, 609, 660, 712, 715, 700, 729, 613, 609, 660, 660, 700, 729, 613, 609, 660,
        715, 700, 729, 613, 609, 660, 609, 516, 613, 609, 660, 659, 753, 613, 609, 729, 660, 715, 700, 729, 613, 609,
        660, 660, 296, 700, 615, 729, 613, 609, 660, 444, 613, 573, 660, 588, 613, 573, 660, 713, 712, 715, 700, 729,
        613, 609, 660, 613, 609, 660, 659, 613, 609, 660, 729, 613, 609, 660, 734, 640, 613, 660, 640, 613, 660, 734,
        640, 613, 660, 576, 577, 613, 609, 660, 613, 633, 660, 613, 660, 613, 660, 700, 729, 613, 609, 660, 700, 729,
        613, 609, 660, 700, 729, 613, 609, 660, 725, 742, 700, 615, 729, 613, 609, 660, 613, 573, 660, 729, 608, 613,
        609, 660, 674, 577, 613, 609, 660, 639, 617, 660, 613, 633, 660, 613, 660, 659, 613, 609, 660, 753, 729, 613,
        609, 660, 753, 729, 613, 609, 660, 729, 613, 609, 660, 715, 700, 729, 613, 609, 660, 729, 613, 609, 660, 613,
        573, 660, 413, 613, 573, 660, 713, 712, 715, 700, 729, 613, 609, 660,
    ]

    /// Where each tag stands in the details, sorted.
    static let extensionTags: [UInt32] = [
        23065, 36142, 36073, 36146, 36077, 28809, 22161, 36209, 28895, 2296, 22273, 36474, 36273, 36322, 36326, 36330,
        36213, 5044, 1359, 6825, 426, 36414, 36366, 36409, 28755, 2044, 1992, 1832, 2345, 27626, 1896, 23846, 23747,
        39567, 2474, 39770, 39808, 39854, 39906, 39986, 40029, 6155, 40102, 15641, 23898, 6280, 25093, 40221, 40217,
        40627, 40517, 23955, 3833, 40521, 3644, 40992, 42479, 48628, 28223, 3640, 3761, 40510, 2779, 41322, 40513,
        22414, 22467, 4014, 48636, 22520, 41362, 41395, 4060, 41100, 24992, 40524, 29491, 35340, 29765, 23385, 28949,
        44162, 48632, 4913, 20966, 23902, 29769, 41778, 45714, 10248, 10253, 25209, 41732, 42074, 1079, 25921, 34794,
        34640, 25992, 35082, 34924, 4848, 21908, 41775, 22743, 15867, 42203, 42208, 71, 23231, 135, 29286, 22799,
        262, 25285, 20405, 23184, 42750, 362, 366, 358, 354, 42603, 42653, 42703, 301, 23128, 5158, 35840, 42471,
        42475, 350, 42752, 5354, 23312, 6025, 5260, 6090, 6160, 42789, 22635, 29531, 29584, 44023, 29237, 6533, 28477,
        6617, 29032, 29095, 29098, 40345, 40399, 6763, 43136, 43178, 43242, 43338, 40385, 43247, 40388, 40391, 2598,
        43407, 43402, 40395, 40670, 3695, 7320, 3699, 7378, 24490, 9903, 7155, 40581, 9991, 26715, 10049, 6346, 40454,
        40403, 29398, 11315, 43645, 43641, 28164, 28277, 28272, 26141, 23272, 28319, 43629, 43570, 43561, 43633, 43566,
        43637, 26130, 26133, 43740, 43696, 44100, 12545, 11368, 11435, 22989, 43787, 29634, 11500, 12704, 29637, 43830,
        35423, 44543, 42080, 43847, 43832, 43835, 44538, 15469, 15422, 43839, 43843, 45331, 44607, 44771, 43911, 43915,
        15511, 18403, 18323, 16641, 15563, 44603, 16112, 44019, 44014, 28681, 28678, 16272, 16216, 45394, 44092, 44087,
        44167, 45264, 26, 26152, 44027, 29696, 29692, 29688, 3964, 3956, 3893, 45188, 22, 16349, 16336, 16438, 23506,
        18927, 44286, 44314, 44834, 44599, 44594, 44590, 44838, 44318, 10479, 44986, 23442, 24988, 35280, 45066, 26275,
        16844, 28617, 12091, 26209, 11739, 11813, 45126, 42871, 30141, 29907, 30245, 30481, 30721, 31568, 30959, 31215,
        31459, 45443, 35892, 35888, 35951, 22359, 35991, 26409, 45507, 45560, 30598, 31811, 30832, 31083, 31336, 31692,
        27395, 12164, 12229, 17138, 45669, 45708, 41327, 46170, 46236, 17391, 466, 26662, 48640, 3703, 957, 1022,
        27399, 45826, 45830, 45812, 45816, 45821, 45834, 17395, 17386, 5476, 10475, 17580, 17710, 45755, 2153, 18255,
        45996, 17783, 17831, 46122, 45758, 46040, 16052, 24624, 33942, 33782, 17884, 24747, 33641, 33483, 24866, 33338,
        33174, 20542, 18550, 763, 703, 547, 17939, 23558, 46320, 18786, 18931, 18851, 18846, 18700, 19105, 27068,
        22936, 27064, 26978, 26547, 46522, 46525, 18989, 27168, 27244, 27343, 35227, 46371, 46417, 19145, 26608, 23677,
        39529, 5627, 20616, 27522, 19199, 19203, 1707, 1777, 22690, 32034, 32550, 32263, 19257, 32267, 36082, 32770,
        27987, 19454, 27831, 27573, 46619, 19503, 19577, 43417, 43411, 19646, 27880, 27983, 28075, 20690, 44096, 39570,
        5703, 19782, 35896, 29336, 35325, 35332, 27724, 27673, 27462, 32674, 32157, 32443, 46871, 32990, 10563, 5949,
        46983, 46987, 47049, 32546, 32030, 32888, 32259, 31914, 32766, 20464, 47198, 47277, 47272, 47334, 12478, 35419,
        45918, 5777, 28541, 29179, 10105, 47404, 47399, 47522, 44721, 47137, 24984, 47583, 47698, 45914, 35498, 47745,
        47752, 47748, 24566, 26786, 26790, 26795, 26858, 48339, 7213, 48392, 48388, 7209, 39910, 21462, 35600, 27784,
        28424, 48561, 21520, 25084, 25088, 25364, 4123, 21636, 21582, 35737, 35797, 21759, 25451, 25530, 25603, 25682,
        25754, 35645, 35686, 25843, 21868, 48712, 48754, 1132, 48801, 48796, 48790, 21959, 24139, 24193, 24029, 34225,
        34082, 24292, 34504, 34351, 24395, 48851, 22071, 35556, 48905, 2300, 48957, 48907, 48953, 48910, 48914, 48918,
        48922, 49005, 49070, 49148, 22876,
    ]

    /// Where the claimants of each tag begin.
    static let extensionStarts: [UInt16] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29,
        30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
        57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
        84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108,
        109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130,
        131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152,
        153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174,
        175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196,
        197, 198, 199, 200, 201, 202, 203, 204, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 220,
        221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242,
        243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264,
        265, 266, 267, 269, 270, 271, 272, 274, 275, 277, 278, 279, 280, 281, 282, 283, 284, 285, 287, 288, 290, 291,
        292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 311, 313, 315, 316, 317,
        318, 319, 320, 321, 322, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335, 336, 337, 338, 339, 340,
        341, 342, 343, 344, 345, 346, 347, 348, 350, 352, 353, 354, 355, 359, 360, 361, 362, 363, 364, 365, 366, 367,
        368, 369, 370, 371, 372, 373, 374, 375, 376, 377, 378, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389,
        390, 391, 392, 393, 394, 396, 397, 398, 399, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412,
        413, 414, 415, 416, 417, 418, 419, 420, 421, 422, 423, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434,
        435, 436, 437, 438, 440, 441, 442, 443, 444, 445, 446, 447, 448, 449, 450, 451, 452, 453, 454, 455, 456, 457,
        458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468, 469, 470, 471, 473, 474, 475, 476, 477, 478, 479, 480,
        481, 482, 484, 485, 486, 487, 488, 489, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500, 501, 502, 503,
        504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 517, 518, 519, 520, 521, 522, 523, 524, 525,
        526, 527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 546, 547, 548,
        549, 550, 551, 552, 553, 554, 555, 556, 557, 558, 559, 560, 561,
    ]

    /// Rows that claim a tag, likeliest first.
    static let extensionClaimants: [UInt16] = [
        361, 518, 517, 518, 517, 441, 347, 519, 442, 38, 348, 524, 520, 521, 521, 521, 519, 80, 20, 108, 6, 523, 522,
        523, 440, 34, 35, 33, 30, 39, 423, 31, 374, 373, 575, 41, 579, 580, 581, 582, 583, 584, 97, 585, 242, 375,
        99, 388, 588, 588, 594, 592, 376, 59, 592, 56, 603, 638, 749, 432, 56, 58, 592, 45, 610, 592, 350, 351, 62,
        749, 352, 611, 612, 63, 605, 387, 592, 451, 503, 456, 367, 443, 672, 749, 78, 326, 375, 456, 621, 697, 160,
        160, 389, 620, 629, 15, 398, 497, 496, 399, 499, 498, 77, 342, 621, 356, 246, 632, 632, 1, 364, 2, 448, 357,
        3, 390, 318, 363, 644, 5, 5, 5, 5, 641, 642, 643, 4, 362, 82, 512, 638, 638, 5, 644, 86, 366, 95, 84, 96,
        97, 645, 354, 452, 453, 669, 447, 103, 436, 104, 444, 445, 445, 589, 590, 107, 653, 654, 655, 657, 590, 655,
        590, 590, 43, 658, 658, 590, 595, 57, 118, 57, 119, 382, 154, 115, 593, 156, 410, 157, 100, 591, 590, 450,
        181, 662, 662, 431, 433, 433, 401, 365, 434, 662, 661, 661, 662, 661, 662, 401, 401, 664, 663, 671, 197, 182,
        185, 183, 360, 665, 454, 184, 186, 200, 454, 666, 504, 678, 629, 666, 666, 666, 678, 238, 237, 666, 666, 690,
        679, 681, 668, 668, 239, 287, 286, 259, 240, 679, 251, 669, 669, 439, 439, 254, 253, 691, 671, 671, 672, 689,
        0, 401, 669, 455, 455, 455, 61, 61, 60, 688, 0, 255, 255, 256, 369, 294, 675, 676, 682, 683, 679, 679, 679,
        682, 683, 676, 163, 161, 684, 368, 387, 502, 686, 403, 262, 438, 191, 190, 402, 187, 189, 188, 687, 646, 460,
        458, 461, 463, 465, 472, 467, 469, 471, 692, 513, 513, 514, 349, 515, 405, 406, 404, 693, 459, 694, 462, 464,
        474, 466, 468, 470, 473, 419, 192, 194, 193, 268, 696, 697, 610, 705, 706, 272, 7, 409, 749, 57, 13, 14, 419,
        699, 699, 699, 699, 699, 699, 272, 272, 88, 163, 162, 274, 275, 276, 698, 36, 285, 344, 42, 40, 702, 277,
        278, 704, 698, 703, 250, 384, 491, 490, 279, 385, 489, 488, 386, 487, 486, 320, 289, 10, 9, 8, 280, 370, 708,
        292, 294, 293, 293, 291, 297, 415, 359, 415, 414, 407, 371, 711, 711, 295, 416, 417, 418, 501, 709, 710, 298,
        408, 372, 574, 90, 321, 421, 299, 299, 28, 29, 355, 476, 480, 478, 300, 478, 517, 482, 429, 303, 427, 422,
        713, 304, 305, 658, 658, 306, 428, 429, 430, 322, 671, 475, 575, 91, 308, 513, 449, 503, 503, 425, 424, 420,
        481, 477, 479, 719, 484, 164, 94, 722, 722, 723, 480, 476, 483, 478, 475, 482, 319, 726, 727, 727, 728, 196,
        195, 504, 700, 92, 437, 446, 158, 730, 730, 732, 680, 387, 725, 387, 733, 735, 700, 505, 736, 736, 736, 383,
        411, 411, 411, 412, 744, 116, 745, 745, 116, 582, 335, 507, 426, 435, 748, 336, 388, 388, 391, 64, 338, 337,
        510, 511, 339, 392, 393, 394, 395, 396, 508, 509, 397, 341, 750, 751, 16, 752, 752, 752, 343, 378, 379, 377,
        493, 492, 380, 495, 494, 381, 753, 400, 345, 506, 754, 38, 755, 754, 755, 754, 754, 754, 754, 756, 757, 758,
        358,
    ]

    /// Where each tag stands in the details, sorted.
    static let mimeTypeTags: [UInt32] = [
        2650, 40281, 40263, 29775, 29291, 42797, 28481, 29122, 28168, 28353, 43745, 2627, 2602, 15645, 24222, 24900,
        25925, 35284, 41439, 45447, 35910, 470, 621, 45867, 766, 46375, 29340, 47220, 28567, 47527, 24996, 43934,
        17587, 17719, 28953, 23326, 22993, 24197, 24034, 34230, 34509, 24870, 33343, 33646, 33947, 34799, 35087, 29911,
        30022, 30145, 30249, 30362, 30485, 30602, 30725, 30836, 30963, 31087, 31219, 31340, 31463, 31572, 31696, 31815,
        33179, 33488, 33787, 34087, 34356, 34645, 34929, 26982, 27171, 27249, 35343, 32583, 32067, 32303, 32340, 31951,
        32805, 32554, 32678, 32038, 32161, 32271, 32447, 31922, 32774, 32892, 32994, 48566, 28812, 16356, 16454, 40298,
        40244, 40224, 49007, 29037, 29103, 29404, 11569, 11656, 11896, 11999, 12301, 12392, 28324, 15667, 25289, 45073,
        27403, 18704, 27002, 27347, 28013, 28103, 27914, 35367, 27991, 28080, 27885, 47202, 35440, 21647, 48644, 35559,
        48962, 49090, 48805, 48855, 49074, 22880, 36097, 36163, 36218, 36277, 36418, 28759, 22164, 39574, 41736, 42212,
        35845, 44104, 44356, 44919, 44929, 44323, 44334, 43920, 44346, 35900, 35996, 22277, 27071, 25097, 25112, 25122,
        35753, 36228, 36429, 22202, 15515, 16645, 44115, 44405, 44366, 44379, 43964, 44393, 22178, 27094, 27115, 46000,
        25133, 45564, 47702, 35650, 35692, 39813, 39859, 39991, 40035, 23906, 23235, 23316, 22639, 43141, 43184, 43251,
        43344, 43649, 43574, 43585, 43700, 577, 17399, 46044, 611, 27577, 46992, 28545, 28557, 47408, 551, 24494,
        35802, 1083, 22524, 22747, 22803, 23562, 17423, 26213, 26333, 26469, 593, 17410, 18855, 27728, 48716, 29589,
        29535, 18997, 26863, 7159, 41113, 41399, 41104, 48409, 43422, 26156, 28690, 45840, 45923, 48045, 48149, 48019,
        48124, 46421, 35230, 47141, 25019, 48398, 35604, 29240, 29641, 45761, 45849, 46323, 46529, 35240, 29356, 35429,
        48342, 7218, 48424, 48871, 36086, 36151, 39914, 42483, 29718, 44843, 44853, 44611, 44775, 44787, 44622, 39924,
        35955, 18934, 35742, 41782, 370, 15567, 29701, 44632, 44645, 23850, 23751, 25368, 25454, 25534, 25607, 25686,
        25758, 25847, 39938,
    ]

    /// Where the claimants of each tag begin.
    static let mimeTypeStarts: [UInt16] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
        34, 35, 36, 37, 38, 39, 40, 41, 42, 45, 46, 47, 48, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64,
        65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91,
        92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,
        115, 116, 117, 118, 119, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137,
        138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 160,
        161, 162, 163, 164, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183,
        184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205,
        206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227,
        228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249,
        250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 270, 271,
        272, 273, 274, 275, 276, 277, 278, 279, 280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293,
        294, 295, 296, 297, 298, 299, 300, 301, 302, 303,
    ]

    /// Rows that claim a tag, likeliest first.
    static let mimeTypeClaimants: [UInt16] = [
        43, 588, 588, 456, 448, 645, 436, 445, 431, 434, 664, 43, 43, 242, 379, 380, 381, 386, 384, 385, 398, 399,
        502, 613, 692, 513, 7, 8, 699, 10, 709, 449, 726, 437, 732, 387, 668, 274, 276, 443, 366, 360, 379, 380, 381,
        377, 493, 495, 386, 384, 385, 487, 489, 491, 497, 499, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468,
        469, 470, 471, 472, 473, 474, 486, 488, 490, 492, 494, 496, 498, 414, 416, 417, 503, 480, 476, 478, 478, 475,
        482, 480, 481, 476, 477, 478, 479, 475, 482, 483, 484, 748, 441, 255, 256, 588, 588, 588, 756, 444, 445, 450,
        185, 186, 189, 190, 194, 195, 434, 242, 390, 389, 686, 419, 291, 414, 418, 429, 430, 428, 503, 429, 430, 428,
        726, 504, 338, 749, 506, 755, 757, 752, 753, 757, 358, 517, 518, 519, 520, 523, 440, 347, 575, 620, 632, 512,
        671, 676, 683, 683, 677, 676, 676, 668, 676, 513, 515, 515, 348, 415, 388, 388, 388, 510, 519, 523, 347, 239,
        259, 671, 676, 676, 676, 668, 676, 347, 415, 415, 702, 388, 694, 735, 508, 509, 580, 581, 583, 584, 375, 364,
        366, 354, 653, 654, 655, 657, 662, 661, 661, 663, 8, 272, 703, 8, 422, 722, 437, 437, 730, 8, 382, 511, 15,
        352, 356, 357, 370, 272, 402, 404, 406, 8, 272, 293, 425, 750, 453, 452, 295, 412, 115, 605, 612, 605, 745,
        658, 401, 439, 699, 700, 741, 742, 741, 742, 710, 501, 725, 387, 745, 507, 447, 454, 698, 699, 708, 711, 501,
        449, 504, 744, 116, 745, 753, 517, 518, 582, 638, 455, 682, 682, 679, 681, 681, 679, 582, 514, 294, 510, 621,
        5, 240, 455, 679, 679, 374, 373, 391, 392, 393, 394, 395, 396, 397, 582,
    ]
}
