// Generated; do not edit. Made by: swift run GenerateTypeTable table Tests/GenerateTypeTable/system-types.tsv Config/linux-types.plist
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
        ca.mcgill.mni.bic.mnc|mnc,minc||MINC||
        com.adobe.edn|edn||||
        com.adobe.encapsulated-postscript|eps||EPSF|NeXT Encapsulated PostScript v1.2 pasteboard type,NSPostScriptPboardType|
        com.adobe.etd|etd||||
        com.adobe.fdf|fdf||||
        com.adobe.flash.video|flv,f4v,f4p,f4a,f4b|video/x-flv|||Flash film
        com.adobe.illustrator.ai-image|ai||||Illustrator drawing
        com.adobe.pdf|pdf|application/pdf|PDF |Apple PDF pasteboard type|PDF
        com.adobe.photoshop-image|psd|image/vnd.adobe.photoshop,image/photoshop,image/x-photoshop,image/psd,application/photoshop|8BPS||Photoshop image (PSD)
        com.adobe.photoshop-large-image|psb||8BPB||
        com.adobe.postscript|ps|application/postscript|||PostScript file
        com.adobe.postscript-font|||||
        com.adobe.postscript-lwfn-font|||LWFN||
        com.adobe.postscript-pfa-font|pfa||||
        com.adobe.postscript-pfb-font|pfb||||
        com.adobe.raw-image|dng|image/x-adobe-dng|||DNG raw image
        com.adobe.xfdf|xfdf||||
        com.allume.stuffit-archive|||||
        com.apple.accounts-icon|||acct||
        com.apple.active-webpage|||||
        com.apple.afp-internet-location|afploc||ilaf||
        com.apple.airdrop|||sbNC||
        com.apple.alert|||||
        com.apple.alert-caution|||caut||
        com.apple.alert-note|||note||
        com.apple.alert-stop|||stop||
        com.apple.alias-file|||||Finder alias
        com.apple.alias-record|||alis||
        com.apple.applescript.script|scpt||osas||AppleScript, compiled
        com.apple.applescript.script-bundle|scptd||||AppleScript bundle
        com.apple.applescript.text|applescript||||AppleScript source
        com.apple.applesingle-archive|as||||
        com.apple.application|||||app
        com.apple.application-and-system-extension|appex||||app extension
        com.apple.application-bundle|app||APPL||macOS app
        com.apple.application-file|app||APPL||
        com.apple.application-placeholder|placeholder||||
        com.apple.applications-folder|||apps,tAps,sbAp||
        com.apple.archive|aar,yaa||||Apple Archive file
        com.apple.arobject|arobject||||AR object scan
        com.apple.ascii-property-list|plist||||
        com.apple.audio-unit-preset|aupreset||||
        com.apple.binary-property-list|plist||||property list in binary form
        com.apple.binhex-archive|hqx|application/mac-binhex40,application/mac-binhex,application/binhex|||BinHex file
        com.apple.bom-archive|||||
        com.apple.bom-compressed-cpio|cpgz||||
        com.apple.bonjour|||bonj,sbBj||
        com.apple.bookmark|||||Apple bookmark
        com.apple.bundle|||||bundle of code and resources
        com.apple.cinema-display|||||
        com.apple.cocoa.pasteboard.character-formatting||||NeXT font pasteboard type|
        com.apple.cocoa.pasteboard.color||||NSColor pasteboard type|
        com.apple.cocoa.pasteboard.find-panel-search-options||||NSFindPanel search options pasteboard type|
        com.apple.cocoa.pasteboard.multiple-text-selection||||Apple multiple text selection pasteboard type|
        com.apple.cocoa.pasteboard.paragraph-formatting||||NeXT ruler pasteboard type|
        com.apple.cocoa.pasteboard.sound||||NSSoundPboardType|
        com.apple.color-file|clr,ccl||||
        com.apple.colorsync-profile|icc,icm,pf||clsp,prof||
        com.apple.configprofile|configprofile||||
        com.apple.coreaudio-format|caf||caff||
        com.apple.coreml.mlpackage|mlpackage||||
        com.apple.coreml.model|mlmodel,mlkitmodel||||
        com.apple.crashreport|crash||||
        com.apple.csstore|csstore||||
        com.apple.dashboard-widget|wdgt||||
        com.apple.data-container|||||
        com.apple.deprecated-application-file|||APPC,APPD,APPE,appe,CDEV,cdev,dfil||
        com.apple.desktop-folder|||desk,tDsk,sbDt||
        com.apple.developer-folder|||devf||
        com.apple.device|||||
        com.apple.device-model-code|||||
        com.apple.document-type|||||
        com.apple.document-type.dictionary|||dict||
        com.apple.document-type.system-folder|||macs||
        com.apple.documents-folder|||docs,tDoc,sbDc||
        com.apple.dot-mac|||mymc||
        com.apple.downloads-folder|||dwnf,tDwn,sbDl||
        com.apple.drawing|drawing||||
        com.apple.driver-extension|dext||||
        com.apple.drop-folder|||dbox,sbDB||
        com.apple.encrypted-archive|aea||||
        com.apple.everyone-icon|||evry||
        com.apple.file-internet-location|fileloc||ilfi||
        com.apple.file-server|||srvr||
        com.apple.file-system-plug-in|fs||||
        com.apple.file-vault|||fVlt||
        com.apple.finder.burn-folder|fpbf||bfld,sbBF||
        com.apple.finder.clipping|||clpu||
        com.apple.finder.pictclipping|pictclipping||clpp||
        com.apple.finder.recent-items|||rcnt,sbRc,sbAF||
        com.apple.finder.smart-folder|savedSearch||sfld,sbSF||
        com.apple.finder.sound-clipping|sndClipping||clps||
        com.apple.finder.textclipping|textclipping||clpt||
        com.apple.flat-rtfd|||rtfd|NeXT RTFD pasteboard type,NSRTFDPboardType|RTF with attachments, in one file
        com.apple.font-suitcase|suit||FFIL,ffil,sfnt,tfil||
        com.apple.framework|framework||FMWK||macOS framework
        com.apple.ftp-internet-location|ftploc||ilft||
        com.apple.garageband.project|band,gbProj||||
        com.apple.generic-airdisk|||aird||
        com.apple.generic-bundle|bundle||BNDL||
        com.apple.generic-internet-location|inetloc||ilge||
        com.apple.generic-stationery|||sdoc||
        com.apple.generic-time-machine-disk|||gtmi,sbTM||
        com.apple.gpuRestart|gpuRestart||||
        com.apple.groupactivities.activity|groupactivity||||
        com.apple.groups-folder|||gfld||
        com.apple.guest-user|||gusr||
        com.apple.hangreport|hang||||
        com.apple.haptics.ahap|ahap||||haptic pattern
        com.apple.help-document|||help||
        com.apple.home-folder|||ufld,thom,sbHm||
        com.apple.homebuttonless-device|||||
        com.apple.homebuttonless-ipad|||||
        com.apple.homebuttonless-iphone|||||
        com.apple.homepod|||||
        com.apple.ical.ics|ics|text/calendar|||iCalendar file
        com.apple.ical.vcs|vcs,vcal|text/x-vcalendar|||vCalendar file
        com.apple.iCloud|||sbIC||
        com.apple.icloud-file-fault|icloud||||
        com.apple.icns|icns||icns||macOS icon
        com.apple.icon-decoration|||||
        com.apple.icon-decoration-position|||||
        com.apple.icon-decoration-position.center|||||
        com.apple.icon-decoration-position.leading-bottom|||||
        com.apple.icon-decoration-position.overlay|||||
        com.apple.icon-decoration-position.trailing-bottom|||||
        com.apple.icon-decoration.badge|||||
        com.apple.icon-decoration.badge.checkmark|||||
        com.apple.icon-decoration.badge.comments|||||
        com.apple.icon-decoration.badge.drop-folder|||||
        com.apple.icon-decoration.badge.heart|||||
        com.apple.icon-decoration.badge.in-review|||||
        com.apple.icon-decoration.badge.locked|||||
        com.apple.icon-decoration.badge.locked-by-collaborator|||||
        com.apple.icon-decoration.badge.locked-by-user|||||
        com.apple.icon-decoration.badge.pinned|||||
        com.apple.icon-decoration.badge.private-folder|||||
        com.apple.icon-decoration.badge.syncing|||||
        com.apple.icon-decoration.badge.trending|||||
        com.apple.icon-decoration.badge.warning|||||
        com.apple.icon-decoration.emboss|||||
        com.apple.icon-decoration.system|||||
        com.apple.icon-decoration.system.alias|||||
        com.apple.icon-decoration.system.caution-alert|||||
        com.apple.icon-decoration.system.new-folder|||||
        com.apple.icon-decoration.system.unsupported|||||
        com.apple.icon-overlay.alert-caution-badge|||cbdg||
        com.apple.icon-overlay.alias-badge|||abdg||
        com.apple.icon-overlay.drop-folder-badge|||drfb||
        com.apple.icon-overlay.locked-badge|||lbdg||
        com.apple.icon-overlay.new-folder-badge|||nfbg||
        com.apple.icon-overlay.private-folder|||prvf||
        com.apple.icon-overlay.private-folder-badge|||prfb||
        com.apple.icon-overlay.unsupported-badge|||ubdg||
        com.apple.iconset|iconset||||
        com.apple.idisk|||idsk,sbID||
        com.apple.iig-source|iig||||
        com.apple.iMovieLibrary|imovielibrary||||
        com.apple.iMovieTheater|theater||||
        com.apple.ink.inktext|||inkt|Apple InkText pasteboard type|
        com.apple.installer-distribution-package|dist,distz||dist||
        com.apple.installer-meta-package|mpkg||mpkg||
        com.apple.installer-package|pkg||pkg1||
        com.apple.installer-package-archive|pkg,mpkg||||
        com.apple.intelligentsuggestions.assets|suggestionsassets||||
        com.apple.internet-location|||||Internet location file
        com.apple.ios-device|||||
        com.apple.ios-simulator|||||
        com.apple.ipad|||||
        com.apple.iphone|||||
        com.apple.iphone-8|||||
        com.apple.iphone-8-plus|||||
        com.apple.iphone-x|||||
        com.apple.ipod-classic|||||
        com.apple.ipod-mini|||||
        com.apple.ipod-nano|||||
        com.apple.ipod-shuffle|||||
        com.apple.ipod-shuffle-gen1|||||
        com.apple.ipod-shuffle-gen2|||||
        com.apple.ipod-shuffle-gen3|||||
        com.apple.ipod-shuffle-gen4|||||
        com.apple.itunes.store-url|itms||||
        com.apple.iWork.Keynote.key|key||||
        com.apple.iWork.Keynote.key-tef|key-tef||||
        com.apple.iWork.Keynote.kth|kth||||
        com.apple.iWork.Keynote.sffkey|key|application/x-iwork-keynote-sffkey|||Keynote slides
        com.apple.iWork.Keynote.sffkth|kth|application/x-iwork-keynote-sffkth|||
        com.apple.iWork.Numbers.numbers|numbers||||
        com.apple.iWork.Numbers.numbers-tef|numbers-tef||||
        com.apple.iWork.Numbers.sffnumbers|numbers|application/x-iwork-numbers-sffnumbers|||Numbers sheet
        com.apple.iWork.Numbers.sfftemplate|nmbtemplate|application/x-iwork-numbers-sfftemplate|||
        com.apple.iWork.Numbers.template|nmbtemplate||||
        com.apple.iWork.Pages.pages|pages||||
        com.apple.iWork.Pages.pages-tef|pages-tef||||
        com.apple.iWork.Pages.sffpages|pages|application/x-iwork-pages-sffpages|||Pages text
        com.apple.iWork.Pages.sfftemplate|template|application/x-iwork-pages-sfftemplate|||
        com.apple.iWork.Pages.template|template||||
        com.apple.kernel-extension|kext||||
        com.apple.keynote.key|||||
        com.apple.keynote.kth|||||
        com.apple.ktrace|ktrace||||
        com.apple.led-cinema-display-24|||||
        com.apple.led-cinema-display-27|||||
        com.apple.legacy-ipod|||||
        com.apple.legacy.actions-icon|||acts||
        com.apple.legacy.backward-arrow|||baro,sbar||
        com.apple.legacy.burn|||burn||
        com.apple.legacy.clock-icon|||clck||
        com.apple.legacy.connect-to|||cnct||
        com.apple.legacy.customize-toolbar|||tcus||
        com.apple.legacy.delete-toolbar|||tdel||
        com.apple.legacy.eject-media|||ejec||
        com.apple.legacy.erasing|||eras||
        com.apple.legacy.favorite-items|||favs||
        com.apple.legacy.finder-icon|||scsh,scmp,ramd,dsrv,FNDR,capl,mntd,shfl,ownd,prnt,strt,shdf,amnu,ctrl,prfƒ,font,appr,intƒ,scrƒ,ƒloc,asup,ƒhlp,sapl,asnd,dsnd,mbdg,scrp,shrt,ftps,htps,isrv,atzn,afps,atlk,nfld,writ,shrw,shro,shna,shuk,nfil,susr,edtf,pref,ƒscr,ƒnet,ƒtex,ƒprd,ppdf,ctrD,extD,strD,shdD,macD,astƒ,cmnu,rapp,rdoc,rsrv,psys,papp,capl,ramd,shlb,Shlb,sbdg,dali,rofl||
        com.apple.legacy.forward-arrow|||faro,sfar||
        com.apple.legacy.general-icon|||gnrl||
        com.apple.legacy.grid|||grid||
        com.apple.legacy.keep-arranged|||arng||
        com.apple.legacy.locked|||lock||
        com.apple.legacy.magnifying-glass|||glas||
        com.apple.legacy.multiple-items|||mitm||
        com.apple.legacy.no-write|||nwrt||
        com.apple.legacy.open-folder|||ofld||
        com.apple.legacy.question-mark|||ques||
        com.apple.legacy.right-container-arrow|||rcar||
        com.apple.legacy.sidebar-prefs-icon|||sdbp||
        com.apple.legacy.synchronize|||sync||
        com.apple.legacy.toolbar-advanced-icon|||tbav||
        com.apple.legacy.toolbar-info-icon|||tbin||
        com.apple.legacy.toolbar-labels-icon|||tblb||
        com.apple.legacy.unlocked|||ulck||
        com.apple.legacy.window|||gwin||
        com.apple.library-folder|||ƒlib,extn,tLib||
        com.apple.linkpresentation.metadata|||||link preview data
        com.apple.live-photo|||||Live Photo
        com.apple.localizable-name-bundle|||||
        com.apple.localized-pdf-bundle|lpdf||||
        com.apple.log|log||||
        com.apple.m4a-audio|m4a|audio/x-m4a|M4A ||M4A audio
        com.apple.m4v-video|m4v|video/x-m4v|M4V ||M4V film
        com.apple.mac|||||
        com.apple.macbinary-archive|bin|application/macbinary,application/x-macbinary|||MacBinary file
        com.apple.mach-o-binary|||||
        com.apple.mach-o-bundle|||||
        com.apple.mach-o-core|||||
        com.apple.mach-o-dylib|dylib||||
        com.apple.mach-o-executable|||||
        com.apple.mach-o-object|||||
        com.apple.macmini|||sbMM||
        com.apple.macpaint-image|pntg||PNTG||
        com.apple.mail-internet-location|mailloc||ilma||
        com.apple.mapkit.map-item|||||
        com.apple.menu-extra|menu||||
        com.apple.metadata-importer|mdimporter||||Spotlight importer plug-in
        com.apple.mobileconfig|mobileconfig,mobile|application/x-apple-aspen-config|||Apple device profile
        com.apple.mobileprovision|mobileprovision|application/x-apple-aspen-mobileprovision|||iOS provisioning file
        com.apple.mount-point|||||mount point
        com.apple.movie-folder|||fvoc,tMov,sbMv||
        com.apple.mpeg-4-ringtone|m4r|audio/x-m4r|M4R ||iPhone ringtone
        com.apple.music-folder|||spki,tMus,sbMs||
        com.apple.network-neighborhood|||gnet,macn,sbNw||
        com.apple.news-internet-location|newsloc||ilnw||
        com.apple.not-loaded|||nldd||
        com.apple.notifications|||||
        com.apple.nspboard-type|||||
        com.apple.ostype|||||
        com.apple.package|||||folder shown as one file
        com.apple.panicreport|panic||||
        com.apple.pasteboard.promised-file-content-type|||||
        com.apple.pasteboard.promised-file-url|||||
        com.apple.pef-binary|||||
        com.apple.pict|pict,pct,pic|image/pict,image/x-pict,image/x-macpict|PICT|Apple PICT pasteboard type,NSPICTPboardType|PICT image
        com.apple.pictures-folder|||tPic,morƒ,sbPc||
        com.apple.pkpass|pkpass|application/vnd.apple.pkpass|||Wallet pass
        com.apple.pkpass-data|pkpass||||
        com.apple.pkpasses-data|pkpasses|application/vnd.apple.pkpasses|||Wallet passes
        com.apple.plugin|plugin||plug||macOS plug-in
        com.apple.pluginkit|pluginkit||||
        com.apple.ppp-plug-in|ppp||||
        com.apple.private.live-photo-bundle|pvt||||
        com.apple.pro-display-xdr|||||
        com.apple.profile-background-color|||pbcl||
        com.apple.profile-font-and-color|||pfcl||
        com.apple.profile-font-icon|||pfnt||
        com.apple.property-list|plist||||property list of any form
        com.apple.protected-mpeg-4-audio|m4p||M4P ||MPEG-4 audio with copy protection
        com.apple.protected-mpeg-4-audio-b|m4b||M4B ||
        com.apple.protected-mpeg-4-video|||||MPEG-4 video with copy protection
        com.apple.provisionprofile|provisionprofile||||
        com.apple.public-folder|||tPub,pubf||
        com.apple.quartz-composer-composition|qtz|application/x-quartzcomposer|||Quartz Composer file
        com.apple.quicklook-generator|qlgenerator||||Quick Look plug-in
        com.apple.quicktime-image|qtif,qti|image/x-quicktime|qtif||QuickTime still image
        com.apple.quicktime-movie|mov,qt|video/quicktime|MooV||QuickTime film
        com.apple.reality|reality|model/vnd.reality|||Reality scene
        com.apple.resolvable|||||reference to something else
        com.apple.rez-source|r||||
        com.apple.rtfd|rtfd||||RTF with attachments
        com.apple.scenekit.scene|scn,scnz||||SceneKit scene
        com.apple.scripting-definition|sdef||||
        com.apple.server-applications-folder|||sapp||
        com.apple.servers-folder|||shpt||
        com.apple.service-application|service||||
        com.apple.shazamcatalog|shazamcatalog||||
        com.apple.shazamsignature|shazamsignature||||
        com.apple.shutdownStall|shutdownStall||||
        com.apple.sites-folder|||issf,tSts||
        com.apple.spinreport|spin||||
        com.apple.storage-external|||rmov,edsk,sbAD,sbED,sbSD||
        com.apple.storage-internal|||hdsk,sbIn||
        com.apple.storage-netboot|||netB||
        com.apple.storage-removable|||flpy,sbRm||
        com.apple.structured-text|||||
        com.apple.structured-text.address|||||
        com.apple.structured-text.date|||||
        com.apple.structured-text.telephone-number|||||
        com.apple.structured-text.transit-information|||||
        com.apple.symbol-export|exp||||
        com.apple.system-extension|systemextension||||
        com.apple.systempreference.prefpane|prefPane||||macOS preference pane
        com.apple.systempreference.screen-saver|saver||||
        com.apple.systempreference.screen-slide-saver|slideSaver||||
        com.apple.traditional-mac-plain-text|||TEXT,ttro||
        com.apple.trash-empty|||trsh,sbTr||
        com.apple.trash-full|||ftrh||
        com.apple.truetype-datafork-suitcase-font|dfont||dfon||
        com.apple.txn.text-multimedia-data|||txtn||
        com.apple.unknown-object|||unfs||
        com.apple.user|||user||
        com.apple.user-group|||grup||
        com.apple.user-idisk|||udsk||
        com.apple.user-unknown|||unus||
        com.apple.users-folder|||wfld||
        com.apple.utilities-folder|||utiƒ,tUtl,sbUF||
        com.apple.vnc-internet-location|vncloc||ilvn||
        com.apple.watchface|watchface||||
        com.apple.web-internet-location|webloc||ilht||
        com.apple.webarchive|webarchive|application/x-webarchive|weba|Apple Web Archive pasteboard type|saved web page (Safari)
        com.apple.webkit-plugin|webplugin||||
        com.apple.x11-mach-o-executable|||||
        com.apple.xar-archive|xar||||
        com.apple.xcode.dsym|dsym||||
        com.apple.xip-archive|xip||||
        com.apple.xml-property-list|plist||||property list in XML
        com.apple.xpc-service|xpc||||XPC service bundle
        com.audible.aa-audio|||||
        com.audible.aa-audiobook|aa|audio/audible,audio/x-pn-audibleaudio,audio/x-audible|AUDB||Audible audiobook (AA)
        com.audible.aax-audiobook|aax|audio/vnd.audible.aax|AUDX||Audible audiobook (AAX)
        com.avid.open-media-framework|omf||OMF ||
        com.canon.cr2-raw-image|cr2||||
        com.canon.cr3-raw-image|cr3||||
        com.canon.crw-raw-image|crw|image/x-canon-crw|||
        com.canon.tif-raw-image|||||
        com.compuserve.gif|gif|image/gif|GIFf||GIF image
        com.digidesign.sd2-audio|sd2||Sd2f||
        com.dxo.raw-image|dxo|image/x-dxo-dxo|||
        com.epson.raw-image|erf|image/x-epson-erf|||
        com.facebook.zstandard-archive|zst|application/zstd|||Zstandard archive
        com.fuji.raw-image|raf||||
        com.google.earth.kml|kml|application/vnd.google-earth.kml+xml|||KML
        com.hasselblad.3fr-raw-image|3fr||||
        com.hasselblad.fff-raw-image|fff||||
        com.ilm.openexr-image|exr||||OpenEXR high-range image
        com.j2.efx-fax|efx|image/efax|||
        com.j2.jfx-fax|jfx||||
        com.kodak.flashpix-image|fpx|image/fpx,application/vnd.fpx|||FlashPix picture
        com.kodak.raw-image|dcr||||
        com.konicaminolta.raw-image|mrw||||
        com.leafamerica.raw-image|mos||||
        com.leica.pwl-raw-image|pwl|image/x-leica-pwl|||
        com.leica.raw-image|raw||||
        com.leica.rwl-raw-image|rwl||||
        com.microsoft.advanced-stream-redirector|asx|video/x-ms-asx|ASX_||
        com.microsoft.advanced-systems-format|asf|video/x-ms-asf|ASF_||ASF film
        com.microsoft.bmp|bmp,dib|image/bmp|BMP ,BMPf||BMP image
        com.microsoft.cab|cab||||Windows cabinet file
        com.microsoft.excel.sheet.binary.macroenabled|xlsb|application/vnd.ms-excel.sheet.binary.macroEnabled.12|||Excel binary file (XLSB)
        com.microsoft.excel.xla|xla||XLA5||
        com.microsoft.excel.xls|xls|application/vnd.ms-excel,application/msexcel|XLS8||Excel 97 file (XLS)
        com.microsoft.excel.xlt|xlt|application/vnd.ms-excel,application/msexcel|sLS8||Excel 97 template (XLT)
        com.microsoft.excel.xlw|xlw|application/vnd.ms-excel,application/msexcel|XLW8||
        com.microsoft.ico|ico|image/vnd.microsoft.icon|||Windows icon
        com.microsoft.internet-shortcut|url||||Windows link to a URL
        com.microsoft.powerpoint.pot|pot|application/vnd.ms-powerpoint,application/mspowerpoint|PPOT||PowerPoint 97 template (POT)
        com.microsoft.powerpoint.pps|pps|application/vnd.ms-powerpoint,application/mspowerpoint|PPSS||PowerPoint 97 show (PPS)
        com.microsoft.powerpoint.ppt|ppt|application/vnd.ms-powerpoint,application/mspowerpoint|SLD8||PowerPoint 97 file (PPT)
        com.microsoft.typescript|ts,tsx,mts,cts|application/typescript,text/typescript|||TypeScript source
        com.microsoft.waveform-audio|wav,wave,bwf|audio/vnd.wave,audio/wav,audio/wave,audio/x-wav|.WAV,WAVE||WAV audio
        com.microsoft.windows-dynamic-link-library|dll|application/x-msdownload|||Windows DLL
        com.microsoft.windows-executable|exe|application/x-msdownload|||Windows program
        com.microsoft.windows-media-wax|wax|video/x-ms-wax|||
        com.microsoft.windows-media-wm|wm|video/x-ms-wm|||
        com.microsoft.windows-media-wma|wma|video/x-ms-wma|||Windows Media audio
        com.microsoft.windows-media-wmp|wmp|video/x-ms-wmp|||
        com.microsoft.windows-media-wmv|wmv|video/x-ms-wmv|||Windows Media film
        com.microsoft.windows-media-wmx|wmx|video/x-ms-wmx|||
        com.microsoft.windows-media-wvx|wvx|video/x-ms-wvx|||
        com.microsoft.word.doc|doc|application/msword|W8BN||Word 97 file (DOC)
        com.microsoft.word.dot|dot|application/msword|W8TN||Word 97 template (DOT)
        com.microsoft.word.wordml|xml||||
        com.netscape.javascript-source|js,jscript,javascript,mjs|text/javascript|||JavaScript
        com.nikon.nrw-raw-image|nrw|image/x-nikon-nrw|||
        com.nikon.raw-image|nef||||
        com.olympus.or-raw-image|orf|image/x-olympus-or|||
        com.olympus.raw-image|orf||||
        com.olympus.sr-raw-image|orf|image/x-olympus-sr|||
        com.panasonic.raw-image|raw||||
        com.panasonic.rw2-raw-image|rw2||||
        com.pentax.raw-image|pef||||
        com.phaseone.raw-image|iiq||||
        com.pixar.universal-scene-description|usd,usda,usdc||||USD scene
        com.pixar.universal-scene-description-mobile|usdz|model/vnd.usdz+zip|||USDZ scene
        com.pkware.zip-archive|||||
        com.rarlab.rar-archive|rar|application/vnd.rar,application/x-rar-compressed|||RAR archive
        com.real.realaudio|ram,ra|audio/vnd.rn-realaudio,audio/x-pn-realaudio,audio/x-realaudio|PNRA||RealAudio
        com.real.realmedia|rm|application/vnd.rn-realmedia|PNRM||RealMedia film
        com.real.realmedia-vbr|rmvb|application/vnd.rn-realmedia-vbr|||
        com.redhat.rpm-archive|rpm|application/x-rpm|||RPM package
        com.rsa.pkcs-12|p12,pfx|application/x-pkcs12|||PKCS #12 keys
        com.samsung.raw-image|srw||||
        com.scenarist.closed-caption|scc||||
        com.sgi.sgi-image|sgi|image/sgi|.SGI||SGI image
        com.sony.arw-raw-image|arw||||
        com.sony.raw-image|srf||||
        com.sony.sr2-raw-image|sr2|image/x-sony-sr2|||
        com.sony.wave64|w64||||
        com.soundblaster.soundfont|sf2||||
        com.stuffit.archive.sidx|sidx|application/x-stuffitx-index,application/x-sitx-index|SIDX||
        com.stuffit.archive.sit|sit,sea|application/x-stuffit,application/x-sit|SIT5||StuffIt file
        com.stuffit.archive.sitx|sitx|application/x-stuffitx,application/x-sitx|SITX||StuffIt X file
        com.sun.java-archive|jar|application/java-archive|||Java JAR
        com.sun.java-class|class||||compiled Java class
        com.sun.java-source|java,jav||||Java source
        com.sun.java-web-start|jnlp|application/x-java-jnlp-file,application/jnlp|||Java Web Start file
        com.sun.web-application-archive|war||||
        com.topografix.gpx|gpx|application/gpx+xml|||GPS exchange
        com.truevision.tga-image|tga|image/targa,image/tga,application/tga|TPIC||Targa image
        gov.nih.nifti-1|nii||NII1||
        net.daringfireball.markdown|md,markdown|text/markdown|||Markdown text
        org.3gpp.adaptive-multi-rate-audio|amr|audio/amr|amr ||AMR audio
        org.7-zip.7-zip-archive|7z|application/x-7z-compressed|||7z file
        org.aafassociation.advanced-authoring-format|aaf||AAF ||
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
        org.oasis-open.opendocument|||||
        org.oasis-open.opendocument.chart|odc|application/vnd.oasis.opendocument.chart|||OpenDocument diagram
        org.oasis-open.opendocument.chart-template|otc|application/vnd.oasis.opendocument.chart-template|||
        org.oasis-open.opendocument.database|odb|application/vnd.oasis.opendocument.database|||OpenDocument data
        org.oasis-open.opendocument.formula|odf|application/vnd.oasis.opendocument.formula|||OpenDocument maths
        org.oasis-open.opendocument.formula-template|otf|application/vnd.oasis.opendocument.formula-template|||
        org.oasis-open.opendocument.graphics|odg|application/vnd.oasis.opendocument.graphics|||OpenDocument drawing
        org.oasis-open.opendocument.graphics-template|otg|application/vnd.oasis.opendocument.graphics-template|||
        org.oasis-open.opendocument.image|odi|application/vnd.oasis.opendocument.image|||OpenDocument picture
        org.oasis-open.opendocument.image-template|oti|application/vnd.oasis.opendocument.image-template|||
        org.oasis-open.opendocument.presentation|odp|application/vnd.oasis.opendocument.presentation|||OpenDocument slides
        org.oasis-open.opendocument.presentation-template|otp|application/vnd.oasis.opendocument.presentation-template|||
        org.oasis-open.opendocument.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|||OpenDocument sheet
        org.oasis-open.opendocument.spreadsheet-template|ots|application/vnd.oasis.opendocument.spreadsheet-template|||
        org.oasis-open.opendocument.text|odt|application/vnd.oasis.opendocument.text|||OpenDocument text file
        org.oasis-open.opendocument.text-master|odm|application/vnd.oasis.opendocument.text-master|||
        org.oasis-open.opendocument.text-template|ott|application/vnd.oasis.opendocument.text-template|||
        org.oasis-open.opendocument.text-web|oth|application/vnd.oasis.opendocument.text-web|||
        org.openoffice.formula|sxm,smf|application/vnd.sun.xml.math,application/vnd.stardivision.math|||
        org.openoffice.graphics|sxd,sda|application/vnd.sun.xml.draw,application/vnd.stardivision.draw|||OpenOffice 1 drawing
        org.openoffice.graphics-template|std|application/vnd.sun.xml.draw.template|||
        org.openoffice.presentation|sxi,sdd,sdp|application/vnd.sun.xml.impress,application/vnd.stardivision.impress,application/vnd.stardivision.impress-packed|||OpenOffice 1 slides
        org.openoffice.presentation-template|sti|application/vnd.sun.xml.impress.template|||
        org.openoffice.spreadsheet|sxc,sdc|application/vnd.sun.xml.calc,application/vnd.stardivision.calc|||OpenOffice 1 sheet
        org.openoffice.spreadsheet-template|stc|application/vnd.sun.xml.calc.template|||
        org.openoffice.text|sxw,sdw|application/vnd.sun.xml.writer,application/vnd.stardivision.writer|||OpenOffice 1 text
        org.openoffice.text-master|sxg|application/vnd.sun.xml.writer.global|||
        org.openoffice.text-template|stw|application/vnd.sun.xml.writer.template|||
        org.openxmlformats.openxml|||||
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
        public.ada-source|ada,adb,ads||||
        public.aifc-audio|aifc||AIFC||
        public.aiff-audio|aiff,aif|audio/aiff,audio/x-aiff|AIFF||AIFF audio
        public.alembic|abc||||Alembic 3D model
        public.app-category|||||
        public.app-category.action-games|||||
        public.app-category.adventure-games|||||
        public.app-category.arcade-games|||||
        public.app-category.board-games|||||
        public.app-category.bookmarks|||||
        public.app-category.books|||||
        public.app-category.business|||||
        public.app-category.card-games|||||
        public.app-category.casino-games|||||
        public.app-category.developer-tools|||||
        public.app-category.dice-games|||||
        public.app-category.education|||||
        public.app-category.educational-games|||||
        public.app-category.entertainment|||||
        public.app-category.family-games|||||
        public.app-category.finance|||||
        public.app-category.food-and-drink|||||
        public.app-category.games|||||
        public.app-category.graphics-design|||||
        public.app-category.healthcare-fitness|||||
        public.app-category.kids-games|||||
        public.app-category.lifestyle|||||
        public.app-category.magazines-and-newspapers|||||
        public.app-category.medical|||||
        public.app-category.music|||||
        public.app-category.music-games|||||
        public.app-category.navigation|||||
        public.app-category.news|||||
        public.app-category.photography|||||
        public.app-category.photography-and-video|||||
        public.app-category.productivity|||||
        public.app-category.puzzle-games|||||
        public.app-category.racing-games|||||
        public.app-category.reference|||||
        public.app-category.role-playing-games|||||
        public.app-category.shopping|||||
        public.app-category.simulation-games|||||
        public.app-category.social-networking|||||
        public.app-category.sports|||||
        public.app-category.sports-games|||||
        public.app-category.strategy-games|||||
        public.app-category.travel|||||
        public.app-category.trivia-games|||||
        public.app-category.utilities|||||
        public.app-category.video|||||
        public.app-category.weather|||||
        public.app-category.word-games|||||
        public.archive|||||archive
        public.assembly-source|s||||assembler source
        public.au-audio|au,snd|audio/basic|||AU audio
        public.audio|||||sound
        public.audiovisual-content|||||sound or moving images
        public.audiovisual-content-collection|||||
        public.avchd-collection|avchd||||
        public.avci|avci|image/avci|||AVC still image
        public.avcs|avcs|image/avcs|||AVC images in sequence
        public.avi|avi,vfw|video/avi,video/msvideo,video/x-msvideo|VfW ,Vfw ||AVI film
        public.avif|avif|image/avif|||AVIF picture
        public.avis|avifs|image/avif-sequence|||AVIF pictures in sequence
        public.bash-script|bash||||
        public.block-special|||||
        public.bookmark|||bmrk||saved place
        public.bzip2-archive|bz2,bz|application/x-bzip2,application/x-bzip,application/bzip2,application/bzip,application/x-bz2|||bzip2 file
        public.c-header|h||||C header
        public.c-plus-plus-header|hh,hp,hpp,hxx,h++,ipp||||C++ header
        public.c-plus-plus-inline-header|inl||||
        public.c-plus-plus-source|cp,cpp,c++,cc,cxx||||C++ source
        public.c-plus-plus-source.preprocessed|ii||||
        public.c-source|c||||C source
        public.c-source.preprocessed|i||||
        public.calendar-event|||||calendar entry
        public.camera-raw-image|||||raw image from a camera
        public.case-insensitive-text|||||
        public.cd-based-media|||||
        public.cd-media|||cddr||
        public.cd-r-media|||cshm||
        public.cd-rw-media|||||
        public.cdda-audio|cdda||cdda||
        public.character-special|||||
        public.comma-separated-values-text|csv|text/csv,text/comma-separated-values|||CSV table
        public.composite-content|||||content of several kinds
        public.computer|||||
        public.contact|||||contact
        public.content|||||content of any kind
        public.cpio-archive|cpio,pax||||cpio file
        public.csh-script|csh||||
        public.css|css|text/css|||CSS style sheet
        public.data||application/octet-stream|sbFl||bytes of any kind
        public.database|||||database
        public.delimited-values-text|||||table as delimited text
        public.device|||||
        public.directory|||||directory of any kind
        public.disk-image|||||disk image
        public.display|||sbDp||
        public.downloadable-sound|dls|audio/dls|||DLS sounds
        public.dv-movie|dv,dif|video/x-dv|dvc!||DV film
        public.dvd-based-media|||||
        public.dvd-media|||dvd ||
        public.dvd-plus-r-media|||||
        public.dvd-plus-rw-media|||||
        public.dvd-r-media|||dvdr||
        public.dvd-ram-media|||nyrc||
        public.dvd-rw-media|||dvdw||
        public.dylan-source|dlyan,lid||||
        public.elf-binary|||||ELF program or library
        public.email-message|||||e-mail
        public.enhanced-ac3-audio|eac3,ec3|audio/eac3|ec-3||E-AC-3 audio
        public.executable|||||something that can be run
        public.fax|||||
        public.file-sharepoint|||||
        public.file-url|||furl||URL of a file
        public.filename-extension|||||
        public.flc-animation|flc,fli,cel|video/flc|FLI ||FLC animation
        public.folder|||fold,fldr,adcL,sbFd||folder
        public.font|||||font
        public.fortran-77-source|f77||||
        public.fortran-90-source|f90||||
        public.fortran-95-source|f95||||
        public.fortran-source|f,for||||Fortran source
        public.geojson|geojson|application/geo+json|||GeoJSON map data
        public.geometry-definition-format|obj||||OBJ 3D model
        public.haptics-content|||||
        public.hd-dvd-based-media|||||
        public.hd-dvd-media|||||
        public.hd-dvd-r-media|||||
        public.hd-dvd-ram-media|||||
        public.hd-dvd-rw-media|||||
        public.heic|heic|image/heic|||HEIC image
        public.heics|heics|image/heic-sequence|||HEIC images in sequence
        public.heif|heif,hif|image/heif|||HEIF image
        public.heif-standard|||||
        public.heifs|heifs|image/heif-sequence|||HEIF images in sequence
        public.html|html,htm,shtml,shtm|text/html|HTML|Apple HTML pasteboard type|HTML page
        public.image|||||image of any kind
        public.item|||||anything stored or sent
        public.jpeg|jpeg,jpg,jpe|image/jpeg,image/jpg|JPEG||JPEG image
        public.jpeg-2000|jp2,jpf,jpx,j2k,j2c|image/jp2|jp2 ||JPEG 2000 image
        public.jpeg-xl|jxl|image/jxl|||JPEG XL picture
        public.json|json|application/json|||JSON
        public.ksh-script|ksh||||
        public.lex-source|l,lm,lmm,lpp,lxx,ll||||
        public.log|||||log
        public.m3u-playlist|m3u,m3u8|audio/mpegurl,application/vnd.apple.mpegurl,audio/x-mpegurl|||M3U playlist
        public.make-source|make,mak,gmk,mk||||makefile
        public.message|||||message
        public.midi-audio|midi,mid,smf,kar|audio/midi,audio/x-midi|Midi||MIDI file
        public.mig-source|defs,mig||||
        public.mime-type|||||
        public.movie|||||film with or without sound
        public.mp2|mp2||||
        public.mp3|mp3,mpga|audio/mpeg,audio/mpeg3,audio/mpg,audio/mp3,audio/x-mpeg,audio/x-mpeg3,audio/x-mpg,audio/x-mp3|MPG3,mpg3,Mp3 ,MP3 ,mp3!,MP3!||MP3 audio
        public.mp4a-latm||audio/mp4a-latm|||
        public.mp4a-loas|loas,latm||||
        public.mpeg|mpg,mpeg,mpe,m75,m15|video/mpeg,video/mpg,video/x-mpeg,video/x-mpg|MPG ,MPEG||MPEG-1 or MPEG-2 film
        public.mpeg-2-transport-stream|ts||||MPEG-2 transport stream
        public.mpeg-2-video|m2v|video/mpeg2,video/mpeg2-video|||MPEG-2 video
        public.mpeg-4|mp4,mpg4|video/mp4,video/mp4v-es|mpg4,MP4 ||MPEG-4 film
        public.mpeg-4-audio|mp4,mpg4|audio/mp4,audio/mp4a-latm|mpg4,MP4 ||MPEG-4 audio
        public.mpo-image|mpo||||
        public.named-pipe|||||
        public.ndjson|ndjson|application/x-ndjson|||JSON lines
        public.object-code|o||||
        public.objective-c-plus-plus-source|mm||||Objective-C++ source
        public.objective-c-plus-plus-source.preprocessed|mii||||
        public.objective-c-source|m||||Objective-C source
        public.objective-c-source.preprocessed|mi||||
        public.ofd|ofd|application/ofd|||OFD pages
        public.opentype-collection-font|otc||||
        public.opentype-font|otf|font/otf|OTTO||OpenType font
        public.optical-storage-media|||sbOD,sbCD||
        public.pascal-source|pas||||
        public.patch-file|patch,diff||||diff or patch
        public.perl-script|pl,pm|text/x-perl-script|||Perl script
        public.php-script|php,php3,php4,ph3,ph4,phtml|text/php,text/x-php-script,application/php|||PHP script
        public.plain-text|txt,text|text/plain|||plain text
        public.playlist|||||playlist
        public.pls-playlist|pls|audio/x-scpls|||PLS playlist
        public.png|png|image/png|PNGf|Apple PNG pasteboard type|PNG image
        public.polygon-file-format|ply||||PLY 3D model
        public.precompiled-c-header|pch||||
        public.precompiled-c-plus-plus-header|pch++||||
        public.presentation|||||slides
        public.python-script|py|text/x-python-script|||Python script
        public.rss|rss|application/rss+xml|||RSS feed
        public.rtf|rtf|text/rtf|RTF |NeXT Rich Text Format v1.0 pasteboard type,NSRTFPboardType|RTF text
        public.ruby-script|rb,rbw|text/x-ruby-script|||Ruby script
        public.script|||||script of any kind
        public.shell-script|sh||||shell script
        public.socket|||||
        public.source-code|||||program source
        public.source-code.preprocessed|||||
        public.speaker|||||
        public.spreadsheet|||||spreadsheet
        public.standard-tesselated-geometry-format|stl||||STL 3D model
        public.storage|||||
        public.stored-url|||||
        public.svg-image|svg,svgz|image/svg+xml|svg ,svgz||SVG drawing
        public.swift-source|swift||||Swift source
        public.symlink|||||symbolic link
        public.tab-separated-values-text|tsv|text/tab-separated-values|||TSV table
        public.tar-archive|tar|application/x-tar,application/tar|||tar file
        public.tar-bzip2-archive|tbz2,tbz||||tar file compressed with bzip2
        public.tcsh-script|tcsh||||
        public.text|||||text of any kind
        public.tiff|tiff,tif|image/tiff|TIFF|NeXT TIFF v4.0 pasteboard type,NSTIFFPboardType|TIFF image
        public.to-do-item|||||task
        public.toml|toml|application/toml|||TOML
        public.truetype-collection-font|ttc||ttcf||
        public.truetype-font|||||
        public.truetype-ttf-font|ttf|font/ttf|||TrueType font
        public.ulaw-audio|ul,ulw,ulaw||ULAW||
        public.unix-executable|||xTol||Unix program
        public.url|||url ,gurl||web address or other URL
        public.url-name|||urln||
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
        public.xfd|xfd||||
        public.xhtml|xhtml,xhtm,xht|application/xhtml+xml|||XHTML page
        public.xml|xml|application/xml,text/xml|||XML
        public.yacc-source|y,ym,ymm,ypp,yxx,yy||||
        public.yaml|yml,yaml|application/x-yaml|||YAML
        public.z-archive|z|application/x-compress|||compress (.Z) file
        public.zip-archive|zip|application/zip,application/x-zip-compressed|||ZIP file
        public.zsh-script|zsh||||
        """

    /// Where each line of the details begins.
    static let detailStarts: [UInt32] = [
        0, 39, 61, 179, 201, 223, 290, 347, 416, 566, 610, 675, 706, 746, 784, 822, 880, 904, 936, 969, 999, 1046,
        1073, 1094, 1127, 1157, 1187, 1225, 1257, 1320, 1384, 1445, 1482, 1512, 1578, 1628, 1667, 1717, 1766, 1814,
        1860, 1900, 1941, 2010, 2120, 2147, 2186, 2218, 2256, 2306, 2336, 2414, 2475, 2575, 2676, 2755, 2810, 2843,
        2895, 2937, 2976, 3017, 3063, 3095, 3125, 3161, 3191, 3268, 3312, 3348, 3370, 3403, 3432, 3476, 3523, 3569,
        3596, 3642, 3672, 3708, 3744, 3780, 3813, 3862, 3893, 3930, 3960, 4007, 4042, 4093, 4142, 4197, 4249, 4300,
        4404, 4456, 4509, 4556, 4601, 4636, 4676, 4728, 4766, 4816, 4852, 4905, 4938, 4968, 4998, 5044, 5077, 5118,
        5155, 5190, 5227, 5250, 5304, 5366, 5392, 5431, 5469, 5500, 5540, 5587, 5642, 5690, 5746, 5783, 5830, 5876,
        5925, 5968, 6015, 6059, 6119, 6171, 6215, 6267, 6312, 6358, 6403, 6441, 6479, 6523, 6575, 6624, 6674, 6726,
        6770, 6820, 6865, 6914, 6961, 7014, 7064, 7094, 7124, 7153, 7195, 7231, 7291, 7351, 7397, 7437, 7486, 7548,
        7603, 7629, 7658, 7678, 7700, 7724, 7753, 7777, 7805, 7830, 7855, 7883, 7916, 7949, 7982, 8015, 8051, 8087,
        8131, 8167, 8254, 8327, 8371, 8423, 8521, 8612, 8661, 8699, 8745, 8830, 8914, 8958, 8994, 9021, 9048, 9076,
        9113, 9150, 9177, 9216, 9262, 9293, 9330, 9367, 9411, 9452, 9490, 9524, 9565, 9948, 9993, 10032, 10063, 10103,
        10136, 10179, 10220, 10255, 10293, 10333, 10381, 10426, 10464, 10512, 10556, 10602, 10637, 10670, 10715, 10773,
        10809, 10848, 10888, 10910, 10962, 11013, 11032, 11127, 11156, 11185, 11212, 11245, 11278, 11307, 11334, 11372,
        11421, 11452, 11482, 11551, 11650, 11758, 11796, 11838, 11902, 11944, 11994, 12043, 12073, 12102, 12131, 12153,
        12200, 12232, 12285, 12329, 12355, 12483, 12529, 12596, 12629, 12709, 12754, 12788, 12818, 12862, 12893, 12937,
        12979, 13016, 13075, 13153, 13200, 13271, 13319, 13357, 13451, 13515, 13596, 13666, 13726, 13779, 13806, 13850,
        13902, 13942, 13988, 14022, 14064, 14106, 14152, 14194, 14231, 14261, 14317, 14358, 14393, 14435, 14466, 14505,
        14541, 14589, 14640, 14672, 14719, 14789, 14839, 14900, 14951, 14987, 15017, 15073, 15117, 15151, 15175, 15205,
        15235, 15267, 15299, 15346, 15393, 15427, 15474, 15594, 15632, 15669, 15699, 15729, 15759, 15817, 15865, 15891,
        16002, 16084, 16126, 16158, 16190, 16239, 16268, 16317, 16354, 16395, 16440, 16512, 16539, 16607, 16644, 16681,
        16735, 16768, 16791, 16869, 16897, 16933, 16967, 17016, 17044, 17076, 17143, 17215, 17272, 17318, 17450, 17486,
        17585, 17688, 17768, 17830, 17891, 18014, 18133, 18252, 18351, 18462, 18548, 18628, 18682, 18733, 18806, 18860,
        18932, 18986, 19040, 19111, 19186, 19220, 19306, 19355, 19383, 19434, 19464, 19515, 19547, 19583, 19612, 19643,
        19708, 19790, 19818, 19908, 20012, 20084, 20148, 20207, 20268, 20298, 20335, 20383, 20414, 20441, 20488, 20512,
        20547, 20638, 20729, 20822, 20883, 20931, 20975, 21071, 21111, 21169, 21254, 21282, 21352, 21417, 21482, 21539,
        21621, 21684, 21764, 21829, 21875, 21937, 21993, 22061, 22128, 22180, 22225, 22284, 22363, 22424, 22457, 22559,
        22659, 22764, 22868, 22972, 23080, 23186, 23288, 23388, 23503, 23617, 23729, 23841, 23943, 24037, 24135, 24223,
        24320, 24438, 24516, 24691, 24776, 24895, 24976, 25091, 25163, 25239, 25271, 25422, 25583, 25728, 25883, 26030,
        26187, 26317, 26453, 26593, 26739, 26880, 27023, 27168, 27315, 27380, 27425, 27521, 27585, 27647, 27700, 27746,
        27786, 27830, 27890, 27940, 27983, 28052, 28091, 28144, 28175, 28243, 28306, 28370, 28418, 28452, 28483, 28551,
        28590, 28615, 28653, 28694, 28732, 28769, 28804, 28835, 28869, 28905, 28943, 28984, 29020, 29055, 29098, 29137,
        29175, 29208, 29248, 29279, 29320, 29364, 29400, 29435, 29485, 29518, 29549, 29586, 29622, 29652, 29689, 29736,
        29774, 29812, 29850, 29885, 29929, 29963, 30005, 30048, 30080, 30118, 30158, 30190, 30228, 30263, 30294, 30327,
        30363, 30390, 30435, 30481, 30504, 30558, 30601, 30635, 30681, 30734, 30813, 30856, 30922, 30950, 30976, 31012,
        31145, 31175, 31237, 31278, 31336, 31382, 31412, 31447, 31488, 31540, 31574, 31601, 31626, 31653, 31677, 31708,
        31738, 31826, 31880, 31901, 31928, 31967, 32009, 32035, 32077, 32139, 32168, 32225, 32244, 32287, 32320, 32344,
        32397, 32445, 32473, 32499, 32528, 32558, 32586, 32616, 32645, 32679, 32724, 32756, 32821, 32869, 32885, 32913,
        32951, 32982, 33045, 33089, 33110, 33143, 33176, 33209, 33255, 33318, 33372, 33400, 33431, 33456, 33483, 33512,
        33540, 33581, 33646, 33691, 33717, 33782, 33866, 33901, 33941, 34004, 34073, 34120, 34161, 34187, 34229, 34248,
        34352, 34399, 34426, 34501, 34532, 34554, 34598, 34617, 34772, 34809, 34840, 34952, 35013, 35082, 35152, 35231,
        35256, 35279, 35334, 35359, 35422, 35479, 35529, 35575, 35618, 35658, 35712, 35755, 35784, 35830, 35888, 35990,
        36041, 36070, 36123, 36189, 36236, 36272, 36320, 36351, 36412, 36458, 36555, 36614, 36651, 36690, 36709, 36747,
        36784, 36804, 36839, 36902, 36922, 36945, 37008, 37050, 37083, 37158, 37226, 37294, 37322, 37355, 37451, 37478,
        37519, 37563, 37589, 37643, 37681, 37725, 37774, 37799, 37884, 37990, 38110, 38204, 38265, 38366, 38403, 38432,
        38494, 38581, 38633, 38652, 38715, 38761, 38804, 38851, 38914, 38993, 39019,
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
        1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 1, 1, 7, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7,
        7, 7, 7, 7, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7,
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
        2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,
        2, 0, 2, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 1, 1, 1, 2, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 0, 2, 1, 1,
        1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 2, 1, 2, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 2, 0,
        0, 2, 1, 2, 2, 1, 1, 1, 2, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2,
        1, 1,
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
        1819, 1825, 1832, 1837, 1843, 1848, 1854, 1860, 1865, 1866, 1870, 1873, 1876, 1880, 1883, 1886, 1891, 1895,
        1900, 1905, 1910, 1915, 1916, 1921, 1926, 1931, 1936, 1942, 1947, 1953, 1957, 1957, 1959, 1961, 1963, 1965,
        1966, 1967, 1968, 1970, 1972, 1973, 1975, 1976, 1978, 1979, 1981, 1982, 1983, 1984, 1985, 1986, 1988, 1989,
        1990, 1991, 1992, 1994, 1995, 1996, 1997, 2000, 2001, 2003, 2005, 2006, 2008, 2009, 2011, 2012, 2013, 2015,
        2017, 2018, 2020, 2021, 2022, 2023, 2025, 2025, 2031, 2036, 2040, 2043, 2043, 2047, 2052, 2057, 2062, 2066,
        2070, 2078, 2079, 2079, 2082, 2088, 2094, 2101, 2107, 2115, 2121, 2129, 2129, 2133, 2137, 2139, 2142, 2145,
        2148, 2154, 2155, 2161, 2162, 2163, 2163, 2163, 2166, 2174, 2178, 2179, 2179, 2183, 2183, 2184, 2185, 2185,
        2190, 2195, 2197, 2200, 2203, 2206, 2209, 2212, 2215, 2221, 2224, 2225, 2230, 2231, 2236, 2236, 2239, 2244,
        2249, 2251, 2253, 2260, 2267, 2274, 2280, 2285, 2290, 2290, 2292, 2295, 2298, 2301, 2304, 2309, 2314, 2319,
        2323, 2328, 2332, 2335, 2335, 2339, 2343, 2347, 2351, 2359, 2365, 2366, 2372, 2379, 2379, 2384, 2390, 2395,
        2399, 2404, 2409, 2414, 2419, 2424, 2429, 2435, 2440, 2445, 2449, 2450, 2454, 2457, 2463, 2471, 2477, 2485,
        2489, 2493, 2496, 2497, 2503, 2508, 2516, 2524, 2528, 2528, 2533, 2537, 2541, 2547, 2553, 2555, 2563, 2568,
        2572, 2580, 2586, 2593, 2594, 2599, 2605, 2605, 2606, 2610, 2610, 2610, 2616, 2622, 2624, 2630, 2634, 2638,
        2646, 2649, 2653, 2653, 2657, 2661, 2664, 2668, 2673, 2676, 2678, 2680, 2685, 2690, 2695, 2703, 2706, 2711,
        2716, 2719, 2722, 2724, 2728, 2733, 2738, 2742, 2748, 2752, 2755, 2759, 2767,
    ]

    /// Rows of what each type conforms to, nearest first.
    static let lineages: [UInt16] = [
        658, 612, 608, 659, 612, 659, 10, 612, 605, 659, 608, 612, 659, 612, 659, 673, 576, 612, 608, 659, 658, 612,
        608, 659, 612, 605, 659, 608, 658, 612, 608, 659, 658, 612, 608, 659, 612, 605, 659, 608, 639, 612, 659, 11,
        639, 612, 659, 11, 639, 612, 659, 11, 639, 612, 659, 596, 658, 612, 608, 659, 612, 605, 659, 608, 612, 572,
        659, 71, 659, 165, 720, 612, 659, 22, 22, 22, 612, 296, 659, 612, 296, 659, 612, 711, 659, 714, 699, 728,
        608, 48, 267, 616, 659, 711, 714, 699, 728, 612, 608, 659, 612, 572, 659, 632, 659, 345, 48, 267, 616, 659,
        32, 236, 267, 632, 48, 616, 659, 32, 612, 632, 659, 34, 32, 236, 267, 632, 48, 616, 659, 638, 616, 659, 612,
        572, 659, 612, 659, 728, 285, 612, 608, 659, 344, 752, 285, 728, 612, 608, 659, 285, 612, 659, 612, 572, 659,
        572, 612, 44, 659, 572, 612, 296, 659, 616, 659, 618, 612, 659, 612, 659, 612, 659, 612, 659, 612, 659, 612,
        659, 612, 659, 612, 659, 752, 728, 612, 608, 659, 575, 576, 612, 608, 659, 267, 616, 659, 612, 659, 741, 666,
        699, 659, 728, 612, 608, 612, 613, 659, 236, 267, 48, 616, 659, 638, 236, 616, 48, 659, 35, 32, 612, 632,
        659, 638, 616, 659, 638, 616, 659, 615, 728, 612, 608, 659, 659, 71, 659, 638, 616, 659, 638, 616, 659, 638,
        616, 659, 658, 612, 608, 659, 236, 267, 48, 616, 659, 638, 616, 659, 612, 572, 659, 71, 659, 165, 720, 612,
        659, 719, 277, 48, 267, 616, 659, 638, 616, 659, 612, 659, 87, 658, 612, 608, 659, 90, 612, 659, 612, 659,
        87, 612, 659, 87, 612, 659, 612, 605, 659, 608, 639, 612, 659, 48, 616, 659, 165, 720, 612, 659, 267, 576,
        616, 612, 608, 659, 719, 48, 267, 616, 659, 165, 720, 612, 659, 612, 659, 719, 741, 666, 699, 659, 728, 612,
        608, 612, 659, 638, 616, 659, 329, 741, 666, 699, 659, 728, 612, 608, 646, 663, 728, 612, 608, 659, 612, 659,
        638, 616, 659, 168, 111, 169, 111, 166, 716, 69, 615, 728, 659, 595, 612, 608, 728, 659, 595, 612, 608, 659,
        612, 659, 658, 612, 608, 659, 121, 121, 121, 121, 125, 120, 121, 125, 126, 121, 120, 125, 126, 121, 120, 125,
        126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 123, 141, 121, 120, 125, 126, 121, 120, 125, 126, 121,
        120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 125, 126, 121, 120, 122,
        120, 121, 120, 141, 120, 141, 120, 141, 120, 141, 120, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 638, 616, 659, 593, 714, 699, 728, 612, 608, 659, 267, 616, 659, 267, 616, 659, 612, 659,
        48, 267, 616, 659, 48, 267, 616, 659, 48, 267, 616, 659, 612, 572, 659, 48, 267, 616, 659, 720, 612, 659,
        69, 615, 166, 69, 615, 169, 169, 113, 169, 111, 203, 69, 615, 203, 69, 615, 203, 69, 615, 203, 69, 615, 176,
        203, 69, 615, 176, 203, 69, 615, 176, 203, 69, 615, 176, 203, 69, 615, 737, 612, 659, 267, 706, 198, 616,
        605, 659, 608, 267, 706, 198, 616, 605, 659, 608, 267, 706, 199, 616, 605, 659, 608, 612, 706, 659, 605, 608,
        612, 706, 659, 605, 608, 267, 605, 717, 616, 608, 659, 267, 605, 717, 616, 608, 659, 612, 605, 717, 659, 608,
        612, 605, 717, 659, 608, 267, 605, 717, 616, 608, 659, 267, 605, 616, 608, 659, 267, 605, 616, 608, 659, 612,
        605, 659, 608, 612, 605, 659, 608, 267, 605, 616, 608, 659, 48, 267, 616, 659, 267, 706, 616, 605, 659, 608,
        267, 706, 616, 605, 659, 608, 612, 666, 659, 618, 618, 69, 615, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659, 71, 659,
        638, 616, 659, 612, 659, 48, 616, 659, 236, 267, 605, 48, 616, 608, 659, 699, 666, 728, 659, 612, 608, 682,
        575, 576, 612, 608, 659, 681, 673, 576, 612, 608, 659, 612, 572, 659, 736, 612, 632, 659, 243, 736, 612, 632,
        659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 243, 736, 612, 632, 659, 241,
        658, 612, 608, 659, 165, 720, 612, 659, 612, 659, 267, 48, 616, 659, 277, 48, 267, 616, 659, 752, 728, 612,
        608, 659, 612, 659, 659, 296, 638, 616, 659, 682, 575, 576, 612, 608, 659, 638, 616, 659, 165, 720, 612, 659,
        71, 659, 728, 612, 608, 659, 728, 612, 608, 659, 616, 659, 741, 666, 699, 659, 728, 612, 608, 612, 632, 659,
        658, 612, 608, 659, 638, 616, 659, 48, 267, 616, 659, 612, 659, 612, 659, 48, 267, 616, 659, 48, 267, 616,
        659, 277, 48, 267, 616, 659, 235, 48, 267, 616, 659, 618, 612, 659, 612, 659, 659, 612, 659, 575, 576, 612,
        608, 659, 286, 575, 576, 612, 608, 659, 240, 681, 673, 576, 612, 608, 659, 752, 728, 612, 608, 659, 638, 616,
        659, 612, 632, 659, 277, 48, 267, 616, 659, 658, 612, 608, 659, 673, 576, 612, 608, 659, 612, 659, 714, 699,
        728, 612, 608, 659, 267, 605, 616, 608, 659, 612, 515, 659, 608, 752, 728, 612, 608, 659, 638, 616, 659, 638,
        616, 659, 34, 32, 236, 267, 632, 48, 616, 659, 612, 659, 612, 659, 741, 666, 699, 659, 728, 612, 608, 638,
        616, 659, 741, 666, 699, 659, 728, 612, 608, 719, 719, 719, 719, 699, 728, 612, 608, 659, 313, 699, 728, 612,
        608, 659, 313, 699, 728, 612, 608, 659, 313, 699, 728, 612, 608, 659, 313, 699, 728, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 236, 267, 48, 616, 659, 267, 48, 616, 659, 267, 48, 616, 659, 267, 48, 616, 659, 699,
        728, 612, 608, 659, 638, 616, 659, 638, 616, 659, 733, 639, 612, 659, 612, 605, 659, 608, 71, 659, 638, 616,
        659, 638, 616, 659, 165, 720, 612, 659, 612, 608, 659, 165, 720, 612, 659, 612, 605, 659, 608, 277, 48, 267,
        616, 659, 243, 736, 612, 632, 659, 612, 572, 659, 267, 616, 659, 341, 612, 572, 659, 752, 285, 728, 612, 608,
        659, 48, 267, 616, 659, 575, 576, 612, 608, 659, 346, 575, 576, 612, 608, 659, 346, 575, 576, 612, 608, 659,
        576, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612,
        608, 659, 658, 612, 608, 659, 575, 576, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 612,
        572, 659, 596, 658, 612, 608, 659, 752, 728, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659,
        658, 612, 608, 659, 633, 658, 669, 612, 608, 659, 633, 658, 669, 612, 608, 659, 658, 612, 608, 659, 596, 658,
        612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 596, 658, 612, 608, 659, 576, 752, 612, 608, 728, 659, 576, 612, 608, 659, 658, 612, 608, 659, 612, 572,
        659, 756, 605, 717, 632, 413, 608, 659, 612, 572, 612, 659, 612, 605, 717, 659, 608, 612, 717, 659, 608, 612,
        717, 659, 608, 658, 612, 608, 659, 720, 612, 659, 612, 706, 659, 605, 608, 612, 706, 659, 605, 608, 612, 706,
        659, 605, 608, 714, 699, 728, 612, 608, 659, 575, 576, 612, 608, 659, 612, 632, 659, 612, 632, 659, 575, 373,
        576, 752, 612, 608, 728, 659, 673, 374, 576, 612, 608, 659, 575, 374, 576, 612, 608, 659, 673, 374, 576, 612,
        608, 659, 673, 374, 576, 612, 608, 659, 673, 373, 576, 752, 612, 608, 728, 659, 673, 373, 576, 752, 612, 608,
        728, 659, 612, 605, 659, 608, 612, 605, 659, 608, 752, 605, 728, 608, 612, 659, 711, 632, 714, 659, 699, 728,
        612, 608, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 405, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 405, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659,
        596, 658, 612, 608, 659, 515, 612, 608, 659, 515, 612, 608, 659, 612, 572, 659, 612, 572, 659, 575, 576, 612,
        608, 659, 673, 576, 612, 608, 659, 673, 576, 612, 608, 659, 612, 572, 659, 612, 659, 596, 658, 612, 608, 659,
        728, 612, 608, 659, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608, 659, 596, 658, 612, 608,
        659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 17, 612, 572, 659, 17, 612, 572, 659, 17, 612, 572,
        659, 756, 632, 413, 659, 612, 572, 612, 632, 659, 714, 699, 728, 612, 608, 659, 752, 728, 612, 608, 659, 431,
        756, 632, 413, 659, 612, 572, 752, 728, 612, 608, 659, 658, 612, 608, 659, 612, 659, 741, 699, 728, 612, 608,
        659, 575, 576, 612, 608, 659, 612, 572, 659, 612, 605, 659, 608, 612, 572, 659, 612, 572, 659, 612, 572, 659,
        445, 612, 572, 659, 714, 699, 728, 612, 608, 659, 612, 605, 659, 608, 714, 699, 728, 612, 608, 659, 663, 728,
        612, 608, 659, 752, 576, 515, 728, 612, 608, 659, 515, 608, 515, 608, 714, 699, 728, 612, 608, 659, 673, 576,
        612, 608, 659, 612, 659, 612, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 612, 608, 613, 659, 457,
        608, 612, 659, 457, 608, 612, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 457, 658, 612, 608, 659,
        457, 658, 612, 608, 659, 457, 605, 706, 612, 608, 659, 457, 605, 706, 612, 608, 659, 457, 605, 717, 612, 608,
        659, 457, 605, 717, 612, 608, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659, 457, 605, 612, 608, 659,
        457, 605, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 608, 706, 659, 605, 612, 608, 706,
        659, 605, 612, 717, 659, 608, 612, 717, 659, 608, 612, 608, 659, 612, 608, 659, 612, 608, 659, 612, 659, 485,
        706, 612, 605, 659, 608, 485, 706, 632, 612, 605, 659, 608, 485, 706, 612, 605, 659, 608, 485, 706, 632, 612,
        605, 659, 608, 485, 706, 612, 605, 659, 608, 485, 706, 632, 612, 605, 659, 608, 485, 605, 717, 612, 608, 659,
        485, 605, 717, 632, 612, 608, 659, 485, 605, 717, 612, 608, 659, 485, 605, 717, 632, 612, 608, 659, 485, 605,
        612, 608, 659, 485, 605, 632, 612, 608, 659, 485, 605, 612, 608, 659, 485, 605, 632, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 673, 576, 612, 608, 659, 613, 728, 612, 608, 659, 612, 572, 659, 612, 572, 659, 728, 612,
        608, 659, 639, 612, 659, 639, 612, 659, 673, 576, 612, 608, 659, 658, 612, 608, 659, 575, 576, 612, 608, 659,
        575, 576, 612, 608, 659, 673, 576, 612, 608, 659, 575, 576, 612, 608, 659, 608, 673, 576, 612, 608, 659, 673,
        576, 612, 608, 659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 714, 699, 728, 612, 608, 659, 575, 576,
        612, 608, 659, 521, 575, 576, 612, 608, 659, 515, 612, 608, 659, 542, 524, 542, 524, 542, 524, 542, 524, 524,
        524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 542, 524, 524, 542, 524, 524, 524, 524, 524, 524, 542, 524,
        524, 524, 524, 524, 542, 524, 524, 524, 524, 553, 569, 524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 542,
        524, 524, 524, 542, 524, 542, 524, 524, 542, 524, 524, 524, 524, 542, 524, 714, 699, 728, 612, 608, 659, 575,
        576, 612, 608, 659, 576, 612, 608, 659, 612, 608, 659, 267, 577, 616, 659, 655, 658, 612, 608, 659, 655, 658,
        612, 608, 659, 673, 576, 612, 608, 659, 658, 612, 608, 659, 658, 612, 608, 659, 712, 711, 714, 699, 728, 612,
        608, 659, 659, 612, 572, 659, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 589, 714, 699, 728,
        612, 608, 659, 714, 699, 728, 612, 608, 659, 591, 715, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608,
        659, 593, 715, 714, 699, 728, 612, 608, 659, 658, 612, 608, 659, 728, 612, 608, 659, 694, 719, 598, 694, 719,
        598, 694, 719, 598, 694, 719, 521, 575, 576, 612, 608, 659, 659, 699, 614, 728, 612, 608, 659, 608, 615, 612,
        572, 659, 712, 711, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 659, 728, 612, 608, 659, 659, 572, 575,
        576, 612, 608, 659, 673, 576, 612, 608, 659, 694, 719, 621, 694, 719, 621, 694, 719, 621, 694, 719, 621, 694,
        719, 621, 694, 719, 621, 694, 719, 714, 699, 728, 612, 608, 659, 612, 632, 659, 669, 575, 576, 612, 608, 659,
        659, 658, 669, 612, 608, 659, 737, 612, 659, 597, 728, 612, 608, 659, 673, 576, 612, 608, 659, 616, 659, 612,
        659, 643, 714, 699, 728, 612, 608, 659, 643, 714, 699, 728, 612, 608, 659, 643, 714, 699, 728, 612, 608, 659,
        714, 699, 728, 612, 608, 659, 663, 728, 612, 608, 659, 515, 728, 608, 612, 659, 694, 719, 647, 694, 719, 647,
        694, 719, 647, 694, 719, 647, 694, 719, 655, 658, 612, 608, 659, 655, 658, 612, 608, 659, 655, 658, 612, 608,
        659, 658, 612, 608, 659, 655, 658, 612, 608, 659, 728, 612, 608, 659, 612, 608, 659, 658, 612, 608, 659, 658,
        612, 608, 659, 658, 612, 608, 659, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659, 714, 699, 728,
        612, 608, 659, 659, 699, 700, 728, 612, 608, 659, 711, 714, 699, 728, 612, 608, 659, 575, 576, 612, 608, 659,
        714, 699, 728, 612, 608, 659, 597, 728, 612, 608, 659, 576, 612, 608, 659, 575, 576, 612, 608, 659, 575, 576,
        612, 608, 659, 575, 576, 612, 608, 659, 575, 576, 612, 608, 659, 673, 576, 612, 608, 659, 673, 576, 612, 608,
        659, 745, 673, 576, 612, 608, 659, 673, 576, 612, 608, 659, 575, 576, 612, 608, 659, 658, 612, 608, 659, 659,
        728, 612, 608, 659, 612, 632, 659, 714, 699, 728, 612, 608, 659, 687, 715, 714, 699, 728, 612, 608, 659, 714,
        699, 728, 612, 608, 659, 689, 715, 714, 699, 728, 612, 608, 659, 612, 605, 659, 608, 693, 639, 612, 659, 639,
        612, 659, 719, 714, 699, 728, 612, 608, 659, 699, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659,
        712, 711, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 728, 700, 612, 608, 659, 658, 612, 608, 659, 515,
        612, 608, 659, 714, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 605, 608, 712, 711, 714, 699, 728,
        612, 608, 659, 752, 728, 612, 608, 659, 728, 612, 608, 659, 712, 711, 714, 699, 728, 612, 608, 659, 714, 699,
        728, 612, 608, 659, 711, 714, 699, 728, 612, 608, 659, 659, 699, 728, 612, 608, 659, 714, 699, 728, 612, 608,
        659, 608, 515, 612, 608, 659, 658, 752, 612, 608, 728, 659, 714, 699, 728, 612, 608, 659, 659, 296, 699, 614,
        728, 612, 608, 659, 444, 612, 572, 659, 587, 612, 572, 659, 712, 711, 714, 699, 728, 612, 608, 659, 612, 608,
        659, 658, 612, 608, 659, 728, 612, 608, 659, 733, 639, 612, 659, 639, 612, 659, 733, 639, 612, 659, 575, 576,
        612, 608, 659, 612, 632, 659, 612, 659, 612, 659, 699, 728, 612, 608, 659, 699, 728, 612, 608, 659, 699, 728,
        612, 608, 659, 724, 741, 699, 614, 728, 612, 608, 659, 612, 572, 659, 728, 607, 612, 608, 659, 673, 576, 612,
        608, 659, 638, 616, 659, 612, 632, 659, 612, 659, 658, 612, 608, 659, 752, 728, 612, 608, 659, 752, 728, 612,
        608, 659, 728, 612, 608, 659, 714, 699, 728, 612, 608, 659, 728, 612, 608, 659, 612, 572, 659, 413, 612, 572,
        659, 712, 711, 714, 699, 728, 612, 608, 659,
    ]

    /// Where each tag stands in the details, sorted.
    static let extensionTags: [UInt32] = [
        16636, 28256, 28187, 28260, 28191, 21441, 15916, 28323, 21527, 1784, 16028, 28566, 28387, 28436, 28440, 28444,
        28327, 3772, 1031, 5021, 321, 28506, 28470, 28501, 21387, 1607, 1555, 1411, 1833, 20406, 1475, 17181, 17117,
        30451, 1928, 30625, 30647, 30693, 30745, 30825, 30868, 4585, 30941, 11060, 17233, 4661, 18389, 31037, 31033,
        31398, 31311, 17290, 2964, 31315, 2835, 31695, 33011, 38518, 20902, 2831, 2919, 31304, 2177, 31987, 31307,
        16150, 16182, 3085, 38526, 16214, 32027, 32046, 3113, 31773, 18288, 31318, 22104, 27454, 22378, 16889, 21562,
        34519, 38522, 3699, 15059, 17237, 22382, 32416, 35808, 7332, 7337, 18505, 32370, 32665, 842, 19063, 26938,
        26784, 19134, 27226, 27068, 3660, 15720, 32413, 16372, 11235, 32782, 32787, 53, 16750, 95, 21899, 16415, 193,
        18581, 14664, 16703, 33231, 257, 261, 253, 249, 33135, 33168, 33201, 215, 16673, 3846, 27954, 33003, 33007,
        245, 33233, 3989, 16816, 4476, 3923, 4541, 4590, 33270, 16287, 22144, 22197, 34380, 21850, 4837, 21130, 4887,
        21645, 21708, 21711, 31161, 31215, 4989, 33552, 33594, 33658, 33730, 31201, 33663, 31204, 31207, 2035, 33799,
        33794, 31211, 31441, 2871, 5420, 2875, 5446, 17786, 7082, 5269, 31375, 7145, 19635, 7177, 4712, 31270, 31219,
        22011, 8042, 34037, 34033, 20843, 20956, 20951, 19262, 16783, 20998, 34021, 33962, 33953, 34025, 33958, 34029,
        19251, 19254, 34132, 34088, 34457, 8985, 8079, 8119, 16560, 34179, 22247, 8159, 9065, 22250, 34205, 27537,
        34831, 32671, 34222, 34207, 34210, 34826, 10902, 10879, 34214, 34218, 35505, 34869, 35033, 34268, 34272, 10930,
        13188, 13108, 11864, 10982, 34865, 11405, 34376, 34371, 21313, 21310, 11510, 11473, 35568, 34449, 34444, 34524,
        35471, 26, 19273, 34384, 22309, 22305, 22301, 3048, 3040, 3003, 35395, 22, 11587, 11574, 11676, 16959, 13622,
        34609, 34628, 35096, 34861, 34856, 34852, 35100, 34632, 7477, 35248, 16925, 18284, 27394, 35293, 19375, 12027,
        21270, 8645, 19330, 8359, 8407, 35353, 33352, 22696, 22491, 22800, 23009, 23220, 23983, 23429, 23657, 23874,
        35586, 28006, 28002, 28065, 16114, 28105, 19456, 35650, 35679, 23126, 24172, 23331, 23553, 23778, 24079, 20223,
        8689, 8731, 12222, 35776, 35802, 31992, 36264, 36310, 12375, 361, 19604, 38530, 2879, 776, 814, 20227, 35920,
        35924, 35906, 35910, 35915, 35928, 12379, 12370, 4072, 7473, 12546, 12653, 35849, 1701, 13040, 36090, 12726,
        12774, 36216, 35852, 36134, 11359, 17920, 26086, 25926, 12810, 18043, 25785, 25627, 18162, 25482, 25318, 14755,
        13298, 631, 598, 442, 12854, 16991, 36372, 13481, 13626, 13546, 13541, 13395, 13800, 19931, 16531, 19927,
        19841, 19539, 36574, 36577, 13684, 20031, 20107, 20171, 27341, 36423, 36469, 13821, 19575, 17068, 30413, 4172,
        14829, 20327, 13875, 13879, 1286, 1356, 16342, 24348, 24807, 24548, 13933, 24552, 28196, 25000, 20666, 14052,
        20539, 20353, 36671, 14088, 14132, 33809, 33803, 14176, 20572, 20662, 20754, 14885, 34453, 30454, 4229, 14252,
        28010, 21949, 27439, 27446, 20464, 20433, 20290, 24931, 24471, 24728, 36882, 25192, 7526, 4428, 36962, 36966,
        37028, 24803, 24344, 25118, 24544, 24246, 24996, 14699, 37177, 37256, 37251, 37313, 8945, 27533, 36012, 4279,
        21194, 21792, 7219, 37372, 37367, 37490, 34983, 37116, 18280, 37551, 37614, 36008, 27612, 37661, 37668, 37664,
        17862, 19681, 19685, 19690, 19753, 38229, 5327, 38282, 38278, 5323, 30749, 15378, 27714, 20504, 21103, 38451,
        15413, 18380, 18384, 18660, 3152, 15495, 15459, 27851, 27911, 15618, 18713, 18765, 18838, 18892, 18964, 27759,
        27800, 19018, 15691, 38602, 38644, 895, 38676, 38671, 38665, 15751, 17474, 17510, 17364, 26369, 26226, 17609,
        26648, 26495, 17712, 38726, 15839, 27670, 38780, 1788, 38820, 38782, 38816, 38785, 38789, 38793, 38797, 38868,
        38933, 39011, 16471,
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
        361, 517, 516, 517, 516, 441, 347, 518, 442, 38, 348, 523, 519, 520, 520, 520, 518, 80, 20, 108, 6, 522, 521,
        522, 440, 34, 35, 33, 30, 39, 423, 31, 374, 373, 574, 41, 578, 579, 580, 581, 582, 583, 97, 584, 242, 375,
        99, 388, 587, 587, 593, 591, 376, 59, 591, 56, 602, 637, 748, 432, 56, 58, 591, 45, 609, 591, 350, 351, 62,
        748, 352, 610, 611, 63, 604, 387, 591, 451, 502, 456, 367, 443, 671, 748, 78, 326, 375, 456, 620, 696, 160,
        160, 389, 619, 628, 15, 398, 497, 496, 399, 499, 498, 77, 342, 620, 356, 246, 631, 631, 1, 364, 2, 448, 357,
        3, 390, 318, 363, 643, 5, 5, 5, 5, 640, 641, 642, 4, 362, 82, 511, 637, 637, 5, 643, 86, 366, 95, 84, 96,
        97, 644, 354, 452, 453, 668, 447, 103, 436, 104, 444, 445, 445, 588, 589, 107, 652, 653, 654, 656, 589, 654,
        589, 589, 43, 657, 657, 589, 594, 57, 118, 57, 119, 382, 154, 115, 592, 156, 410, 157, 100, 590, 589, 450,
        181, 661, 661, 431, 433, 433, 401, 365, 434, 661, 660, 660, 661, 660, 661, 401, 401, 663, 662, 670, 197, 182,
        185, 183, 360, 664, 454, 184, 186, 200, 454, 665, 503, 677, 628, 665, 665, 665, 677, 238, 237, 665, 665, 689,
        678, 680, 667, 667, 239, 287, 286, 259, 240, 678, 251, 668, 668, 439, 439, 254, 253, 690, 670, 670, 671, 688,
        0, 401, 668, 455, 455, 455, 61, 61, 60, 687, 0, 255, 255, 256, 369, 294, 674, 675, 681, 682, 678, 678, 678,
        681, 682, 675, 163, 161, 683, 368, 387, 501, 685, 403, 262, 438, 191, 190, 402, 187, 189, 188, 686, 645, 460,
        458, 461, 463, 465, 472, 467, 469, 471, 691, 512, 512, 513, 349, 514, 405, 406, 404, 692, 459, 693, 462, 464,
        474, 466, 468, 470, 473, 419, 192, 194, 193, 268, 695, 696, 609, 704, 705, 272, 7, 409, 748, 57, 13, 14, 419,
        698, 698, 698, 698, 698, 698, 272, 272, 88, 163, 162, 274, 275, 276, 697, 36, 285, 344, 42, 40, 701, 277,
        278, 703, 697, 702, 250, 384, 491, 490, 279, 385, 489, 488, 386, 487, 486, 320, 289, 10, 9, 8, 280, 370, 707,
        292, 294, 293, 293, 291, 297, 415, 359, 415, 414, 407, 371, 710, 710, 295, 416, 417, 418, 500, 708, 709, 298,
        408, 372, 573, 90, 321, 421, 299, 299, 28, 29, 355, 476, 480, 478, 300, 478, 516, 482, 429, 303, 427, 422,
        712, 304, 305, 657, 657, 306, 428, 429, 430, 322, 670, 475, 574, 91, 308, 512, 449, 502, 502, 425, 424, 420,
        481, 477, 479, 718, 484, 164, 94, 721, 721, 722, 480, 476, 483, 478, 475, 482, 319, 725, 726, 726, 727, 196,
        195, 503, 699, 92, 437, 446, 158, 729, 729, 731, 679, 387, 724, 387, 732, 734, 699, 504, 735, 735, 735, 383,
        411, 411, 411, 412, 743, 116, 744, 744, 116, 581, 335, 506, 426, 435, 747, 336, 388, 388, 391, 64, 338, 337,
        509, 510, 339, 392, 393, 394, 395, 396, 507, 508, 397, 341, 749, 750, 16, 751, 751, 751, 343, 378, 379, 377,
        493, 492, 380, 495, 494, 381, 752, 400, 345, 505, 753, 38, 754, 753, 754, 753, 753, 753, 753, 755, 756, 757,
        358,
    ]

    /// Where each tag stands in the details, sorted.
    static let mimeTypeTags: [UInt32] = [
        2087, 31097, 31079, 22388, 21904, 33278, 21134, 21735, 20847, 21032, 34137, 2064, 2039, 11064, 17539, 18196,
        19067, 27398, 32090, 35590, 28024, 365, 516, 35961, 634, 36427, 21953, 37199, 21220, 37495, 18292, 34291,
        12553, 12662, 21566, 16830, 16564, 17514, 17369, 26374, 26653, 18166, 25487, 25790, 26091, 26943, 27231, 22495,
        22606, 22700, 22804, 22917, 23013, 23130, 23224, 23335, 23433, 23557, 23661, 23782, 23878, 23987, 24083, 24176,
        25323, 25632, 25931, 26231, 26500, 26789, 27073, 19845, 20034, 20112, 27457, 24840, 24381, 24588, 24625, 24283,
        25035, 24811, 24935, 24352, 24475, 24556, 24732, 24254, 25004, 25122, 25196, 38456, 21444, 11594, 11692, 31114,
        31060, 31040, 38870, 21650, 21716, 22017, 8202, 8289, 8466, 8569, 8782, 8873, 21003, 11086, 18585, 35300,
        20231, 13399, 19865, 20175, 20692, 20782, 20606, 27481, 20670, 20759, 20577, 37181, 27554, 15506, 38534, 27673,
        38825, 38953, 38680, 38730, 38937, 16475, 28211, 28277, 28332, 28391, 28510, 21391, 15919, 30458, 32374, 32791,
        27959, 34461, 34670, 35181, 35191, 34637, 34648, 34277, 34660, 28014, 28110, 16032, 19934, 18393, 18408, 18418,
        27867, 28342, 28521, 15957, 10934, 11868, 34472, 34719, 34680, 34693, 34321, 34707, 15933, 19957, 19978, 36094,
        18429, 35683, 37618, 27764, 27806, 30652, 30698, 30830, 30874, 17241, 16754, 16820, 16291, 33557, 33600, 33667,
        33736, 34041, 33966, 33977, 34092, 472, 12383, 36138, 506, 20357, 36971, 21198, 21210, 37376, 446, 17790,
        27916, 846, 16218, 16376, 16419, 16995, 12407, 19334, 19412, 19493, 488, 12394, 13550, 20468, 38606, 22202,
        22148, 13692, 19758, 5273, 31786, 32050, 31777, 38299, 33814, 19277, 21322, 35934, 36017, 37935, 38039, 37909,
        38014, 36473, 27344, 37120, 18315, 38288, 27718, 21853, 22254, 35855, 35943, 36375, 36581, 27354, 21969, 27543,
        38232, 5332, 38314, 38746, 28200, 28265, 30753, 33015, 22331, 35105, 35115, 34873, 35037, 35049, 34884, 30763,
        28069, 13629, 27856, 32420, 265, 10986, 22314, 34894, 34907, 17185, 17121, 18664, 18716, 18769, 18842, 18896,
        18968, 19022, 30777,
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
        43, 587, 587, 456, 448, 644, 436, 445, 431, 434, 663, 43, 43, 242, 379, 380, 381, 386, 384, 385, 398, 399,
        501, 612, 691, 512, 7, 8, 698, 10, 708, 449, 725, 437, 731, 387, 667, 274, 276, 443, 366, 360, 379, 380, 381,
        377, 493, 495, 386, 384, 385, 487, 489, 491, 497, 499, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468,
        469, 470, 471, 472, 473, 474, 486, 488, 490, 492, 494, 496, 498, 414, 416, 417, 502, 480, 476, 478, 478, 475,
        482, 480, 481, 476, 477, 478, 479, 475, 482, 483, 484, 747, 441, 255, 256, 587, 587, 587, 755, 444, 445, 450,
        185, 186, 189, 190, 194, 195, 434, 242, 390, 389, 685, 419, 291, 414, 418, 429, 430, 428, 502, 429, 430, 428,
        725, 503, 338, 748, 505, 754, 756, 751, 752, 756, 358, 516, 517, 518, 519, 522, 440, 347, 574, 619, 631, 511,
        670, 675, 682, 682, 676, 675, 675, 667, 675, 512, 514, 514, 348, 415, 388, 388, 388, 509, 518, 522, 347, 239,
        259, 670, 675, 675, 675, 667, 675, 347, 415, 415, 701, 388, 693, 734, 507, 508, 579, 580, 582, 583, 375, 364,
        366, 354, 652, 653, 654, 656, 661, 660, 660, 662, 8, 272, 702, 8, 422, 721, 437, 437, 729, 8, 382, 510, 15,
        352, 356, 357, 370, 272, 402, 404, 406, 8, 272, 293, 425, 749, 453, 452, 295, 412, 115, 604, 611, 604, 744,
        657, 401, 439, 698, 699, 740, 741, 740, 741, 709, 500, 724, 387, 744, 506, 447, 454, 697, 698, 707, 710, 500,
        449, 503, 743, 116, 744, 752, 516, 517, 581, 637, 455, 681, 681, 678, 680, 680, 678, 581, 513, 294, 509, 620,
        5, 240, 455, 678, 678, 374, 373, 391, 392, 393, 394, 395, 396, 397, 581,
    ]
}
