// The files of the console's page, as they lie in Sources/Console/Page, carried by the program.
#ifndef HOMEPORT_CONSOLE_PAGE_H
#define HOMEPORT_CONSOLE_PAGE_H

typedef struct {
    const char *name;
    const unsigned char *bytes;
    unsigned long count;
} homeport_page_file;

extern const homeport_page_file homeport_page_files[];
extern const unsigned long homeport_page_count;

// The file at a place; a null pointer behind the last one. Swift sees no array whose length is not told.
static inline const homeport_page_file *homeport_page_file_at(unsigned long place) {
    return place < homeport_page_count ? &homeport_page_files[place] : 0;
}

#endif
