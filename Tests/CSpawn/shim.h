// What glibc shows of <spawn.h> to its own dialect of C alone.
#ifndef HOMEPORT_SPAWN_H
#define HOMEPORT_SPAWN_H

#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
