// The files of the console's page. scripts/console-page writes this list; the compiler reads the files.
#include "CConsolePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../Console/Page/frame.css" if_empty(0)
};
static const unsigned char file1[] = {
#embed "../Console/Page/frame/bar.js" if_empty(0)
};
static const unsigned char file2[] = {
#embed "../Console/Page/frame/finder.js" if_empty(0)
};
static const unsigned char file3[] = {
#embed "../Console/Page/frame/keys.js" if_empty(0)
};
static const unsigned char file4[] = {
#embed "../Console/Page/frame/rail.js" if_empty(0)
};
static const unsigned char file5[] = {
#embed "../Console/Page/frame/runas.js" if_empty(0)
};
static const unsigned char file6[] = {
#embed "../Console/Page/frame/signin.js" if_empty(0)
};
static const unsigned char file7[] = {
#embed "../Console/Page/frame/status.js" if_empty(0)
};
static const unsigned char file8[] = {
#embed "../Console/Page/frame/theme.js" if_empty(0)
};
static const unsigned char file9[] = {
#embed "../Console/Page/frame/views.js" if_empty(0)
};
static const unsigned char file10[] = {
#embed "../Console/Page/icon.svg" if_empty(0)
};
static const unsigned char file11[] = {
#embed "../Console/Page/index.html" if_empty(0)
};
static const unsigned char file12[] = {
#embed "../Console/Page/language/checks.js" if_empty(0)
};
static const unsigned char file13[] = {
#embed "../Console/Page/language/colours.js" if_empty(0)
};
static const unsigned char file14[] = {
#embed "../Console/Page/language/completion.js" if_empty(0)
};
static const unsigned char file15[] = {
#embed "../Console/Page/language/lexer.js" if_empty(0)
};
static const unsigned char file16[] = {
#embed "../Console/Page/language/parser.js" if_empty(0)
};
static const unsigned char file17[] = {
#embed "../Console/Page/language/printer.js" if_empty(0)
};
static const unsigned char file18[] = {
#embed "../Console/Page/language/schema.js" if_empty(0)
};
static const unsigned char file19[] = {
#embed "../Console/Page/main.js" if_empty(0)
};
static const unsigned char file20[] = {
#embed "../Console/Page/parts.css" if_empty(0)
};
static const unsigned char file21[] = {
#embed "../Console/Page/parts/chip.js" if_empty(0)
};
static const unsigned char file22[] = {
#embed "../Console/Page/parts/denial.js" if_empty(0)
};
static const unsigned char file23[] = {
#embed "../Console/Page/parts/dialog.js" if_empty(0)
};
static const unsigned char file24[] = {
#embed "../Console/Page/parts/dom.js" if_empty(0)
};
static const unsigned char file25[] = {
#embed "../Console/Page/parts/editor.js" if_empty(0)
};
static const unsigned char file26[] = {
#embed "../Console/Page/parts/form.js" if_empty(0)
};
static const unsigned char file27[] = {
#embed "../Console/Page/parts/format.js" if_empty(0)
};
static const unsigned char file28[] = {
#embed "../Console/Page/parts/json.js" if_empty(0)
};
static const unsigned char file29[] = {
#embed "../Console/Page/parts/notice.js" if_empty(0)
};
static const unsigned char file30[] = {
#embed "../Console/Page/parts/pick.js" if_empty(0)
};
static const unsigned char file31[] = {
#embed "../Console/Page/parts/splitter.js" if_empty(0)
};
static const unsigned char file32[] = {
#embed "../Console/Page/parts/story.js" if_empty(0)
};
static const unsigned char file33[] = {
#embed "../Console/Page/parts/table.js" if_empty(0)
};
static const unsigned char file34[] = {
#embed "../Console/Page/parts/tabs.js" if_empty(0)
};
static const unsigned char file35[] = {
#embed "../Console/Page/parts/text.js" if_empty(0)
};
static const unsigned char file36[] = {
#embed "../Console/Page/parts/who.js" if_empty(0)
};
static const unsigned char file37[] = {
#embed "../Console/Page/sheet.css" if_empty(0)
};
static const unsigned char file38[] = {
#embed "../Console/Page/state/caller.js" if_empty(0)
};
static const unsigned char file39[] = {
#embed "../Console/Page/state/drafts.js" if_empty(0)
};
static const unsigned char file40[] = {
#embed "../Console/Page/state/overview.js" if_empty(0)
};
static const unsigned char file41[] = {
#embed "../Console/Page/state/router.js" if_empty(0)
};
static const unsigned char file42[] = {
#embed "../Console/Page/state/schema.js" if_empty(0)
};
static const unsigned char file43[] = {
#embed "../Console/Page/state/server.js" if_empty(0)
};
static const unsigned char file44[] = {
#embed "../Console/Page/state/shortcuts.js" if_empty(0)
};
static const unsigned char file45[] = {
#embed "../Console/Page/views/access/access.css" if_empty(0)
};
static const unsigned char file46[] = {
#embed "../Console/Page/views/access/access.js" if_empty(0)
};
static const unsigned char file47[] = {
#embed "../Console/Page/views/data/data.css" if_empty(0)
};
static const unsigned char file48[] = {
#embed "../Console/Page/views/data/data.js" if_empty(0)
};
static const unsigned char file49[] = {
#embed "../Console/Page/views/data/fields.js" if_empty(0)
};
static const unsigned char file50[] = {
#embed "../Console/Page/views/data/filters.js" if_empty(0)
};
static const unsigned char file51[] = {
#embed "../Console/Page/views/data/models.js" if_empty(0)
};
static const unsigned char file52[] = {
#embed "../Console/Page/views/data/record.js" if_empty(0)
};
static const unsigned char file53[] = {
#embed "../Console/Page/views/data/remove.js" if_empty(0)
};
static const unsigned char file54[] = {
#embed "../Console/Page/views/data/rows.js" if_empty(0)
};
static const unsigned char file55[] = {
#embed "../Console/Page/views/data/side.js" if_empty(0)
};
static const unsigned char file56[] = {
#embed "../Console/Page/views/data/sql.js" if_empty(0)
};
static const unsigned char file57[] = {
#embed "../Console/Page/views/data/transfer.js" if_empty(0)
};
static const unsigned char file58[] = {
#embed "../Console/Page/views/data/values.js" if_empty(0)
};
static const unsigned char file59[] = {
#embed "../Console/Page/views/explorer/copies.js" if_empty(0)
};
static const unsigned char file60[] = {
#embed "../Console/Page/views/explorer/documents.js" if_empty(0)
};
static const unsigned char file61[] = {
#embed "../Console/Page/views/explorer/explorer.css" if_empty(0)
};
static const unsigned char file62[] = {
#embed "../Console/Page/views/explorer/explorer.js" if_empty(0)
};
static const unsigned char file63[] = {
#embed "../Console/Page/views/explorer/history.js" if_empty(0)
};
static const unsigned char file64[] = {
#embed "../Console/Page/views/explorer/result.js" if_empty(0)
};
static const unsigned char file65[] = {
#embed "../Console/Page/views/explorer/ticks.js" if_empty(0)
};
static const unsigned char file66[] = {
#embed "../Console/Page/views/explorer/tree.js" if_empty(0)
};
static const unsigned char file67[] = {
#embed "../Console/Page/views/files/file.js" if_empty(0)
};
static const unsigned char file68[] = {
#embed "../Console/Page/views/files/files.css" if_empty(0)
};
static const unsigned char file69[] = {
#embed "../Console/Page/views/files/files.js" if_empty(0)
};
static const unsigned char file70[] = {
#embed "../Console/Page/views/files/uploads.js" if_empty(0)
};
static const unsigned char file71[] = {
#embed "../Console/Page/views/live/live.css" if_empty(0)
};
static const unsigned char file72[] = {
#embed "../Console/Page/views/live/live.js" if_empty(0)
};
static const unsigned char file73[] = {
#embed "../Console/Page/views/messages/messages.css" if_empty(0)
};
static const unsigned char file74[] = {
#embed "../Console/Page/views/messages/messages.js" if_empty(0)
};
static const unsigned char file75[] = {
#embed "../Console/Page/views/schema/diagram.js" if_empty(0)
};
static const unsigned char file76[] = {
#embed "../Console/Page/views/schema/layout.js" if_empty(0)
};
static const unsigned char file77[] = {
#embed "../Console/Page/views/schema/schema.css" if_empty(0)
};
static const unsigned char file78[] = {
#embed "../Console/Page/views/schema/schema.js" if_empty(0)
};
static const unsigned char file79[] = {
#embed "../Console/Page/views/server/audit.js" if_empty(0)
};
static const unsigned char file80[] = {
#embed "../Console/Page/views/server/chart.js" if_empty(0)
};
static const unsigned char file81[] = {
#embed "../Console/Page/views/server/configuration.js" if_empty(0)
};
static const unsigned char file82[] = {
#embed "../Console/Page/views/server/database.js" if_empty(0)
};
static const unsigned char file83[] = {
#embed "../Console/Page/views/server/hour.js" if_empty(0)
};
static const unsigned char file84[] = {
#embed "../Console/Page/views/server/server.css" if_empty(0)
};
static const unsigned char file85[] = {
#embed "../Console/Page/views/server/server.js" if_empty(0)
};
static const unsigned char file86[] = {
#embed "../Console/Page/views/server/sign-in.js" if_empty(0)
};
static const unsigned char file87[] = {
#embed "../Console/Page/views/users/new.js" if_empty(0)
};
static const unsigned char file88[] = {
#embed "../Console/Page/views/users/user.js" if_empty(0)
};
static const unsigned char file89[] = {
#embed "../Console/Page/views/users/users.css" if_empty(0)
};
static const unsigned char file90[] = {
#embed "../Console/Page/views/users/users.js" if_empty(0)
};
static const unsigned char file91[] = {
#embed "../Console/Page/views/users/words.js" if_empty(0)
};

const homeport_page_file homeport_page_files[] = {
    {"frame.css", file0, sizeof file0},
    {"frame/bar.js", file1, sizeof file1},
    {"frame/finder.js", file2, sizeof file2},
    {"frame/keys.js", file3, sizeof file3},
    {"frame/rail.js", file4, sizeof file4},
    {"frame/runas.js", file5, sizeof file5},
    {"frame/signin.js", file6, sizeof file6},
    {"frame/status.js", file7, sizeof file7},
    {"frame/theme.js", file8, sizeof file8},
    {"frame/views.js", file9, sizeof file9},
    {"icon.svg", file10, sizeof file10},
    {"index.html", file11, sizeof file11},
    {"language/checks.js", file12, sizeof file12},
    {"language/colours.js", file13, sizeof file13},
    {"language/completion.js", file14, sizeof file14},
    {"language/lexer.js", file15, sizeof file15},
    {"language/parser.js", file16, sizeof file16},
    {"language/printer.js", file17, sizeof file17},
    {"language/schema.js", file18, sizeof file18},
    {"main.js", file19, sizeof file19},
    {"parts.css", file20, sizeof file20},
    {"parts/chip.js", file21, sizeof file21},
    {"parts/denial.js", file22, sizeof file22},
    {"parts/dialog.js", file23, sizeof file23},
    {"parts/dom.js", file24, sizeof file24},
    {"parts/editor.js", file25, sizeof file25},
    {"parts/form.js", file26, sizeof file26},
    {"parts/format.js", file27, sizeof file27},
    {"parts/json.js", file28, sizeof file28},
    {"parts/notice.js", file29, sizeof file29},
    {"parts/pick.js", file30, sizeof file30},
    {"parts/splitter.js", file31, sizeof file31},
    {"parts/story.js", file32, sizeof file32},
    {"parts/table.js", file33, sizeof file33},
    {"parts/tabs.js", file34, sizeof file34},
    {"parts/text.js", file35, sizeof file35},
    {"parts/who.js", file36, sizeof file36},
    {"sheet.css", file37, sizeof file37},
    {"state/caller.js", file38, sizeof file38},
    {"state/drafts.js", file39, sizeof file39},
    {"state/overview.js", file40, sizeof file40},
    {"state/router.js", file41, sizeof file41},
    {"state/schema.js", file42, sizeof file42},
    {"state/server.js", file43, sizeof file43},
    {"state/shortcuts.js", file44, sizeof file44},
    {"views/access/access.css", file45, sizeof file45},
    {"views/access/access.js", file46, sizeof file46},
    {"views/data/data.css", file47, sizeof file47},
    {"views/data/data.js", file48, sizeof file48},
    {"views/data/fields.js", file49, sizeof file49},
    {"views/data/filters.js", file50, sizeof file50},
    {"views/data/models.js", file51, sizeof file51},
    {"views/data/record.js", file52, sizeof file52},
    {"views/data/remove.js", file53, sizeof file53},
    {"views/data/rows.js", file54, sizeof file54},
    {"views/data/side.js", file55, sizeof file55},
    {"views/data/sql.js", file56, sizeof file56},
    {"views/data/transfer.js", file57, sizeof file57},
    {"views/data/values.js", file58, sizeof file58},
    {"views/explorer/copies.js", file59, sizeof file59},
    {"views/explorer/documents.js", file60, sizeof file60},
    {"views/explorer/explorer.css", file61, sizeof file61},
    {"views/explorer/explorer.js", file62, sizeof file62},
    {"views/explorer/history.js", file63, sizeof file63},
    {"views/explorer/result.js", file64, sizeof file64},
    {"views/explorer/ticks.js", file65, sizeof file65},
    {"views/explorer/tree.js", file66, sizeof file66},
    {"views/files/file.js", file67, sizeof file67},
    {"views/files/files.css", file68, sizeof file68},
    {"views/files/files.js", file69, sizeof file69},
    {"views/files/uploads.js", file70, sizeof file70},
    {"views/live/live.css", file71, sizeof file71},
    {"views/live/live.js", file72, sizeof file72},
    {"views/messages/messages.css", file73, sizeof file73},
    {"views/messages/messages.js", file74, sizeof file74},
    {"views/schema/diagram.js", file75, sizeof file75},
    {"views/schema/layout.js", file76, sizeof file76},
    {"views/schema/schema.css", file77, sizeof file77},
    {"views/schema/schema.js", file78, sizeof file78},
    {"views/server/audit.js", file79, sizeof file79},
    {"views/server/chart.js", file80, sizeof file80},
    {"views/server/configuration.js", file81, sizeof file81},
    {"views/server/database.js", file82, sizeof file82},
    {"views/server/hour.js", file83, sizeof file83},
    {"views/server/server.css", file84, sizeof file84},
    {"views/server/server.js", file85, sizeof file85},
    {"views/server/sign-in.js", file86, sizeof file86},
    {"views/users/new.js", file87, sizeof file87},
    {"views/users/user.js", file88, sizeof file88},
    {"views/users/users.css", file89, sizeof file89},
    {"views/users/users.js", file90, sizeof file90},
    {"views/users/words.js", file91, sizeof file91},
};
const unsigned long homeport_page_count = 92;
