/* A network drive, by LD_PRELOAD: it refuses rights and flushes, as many do, and where FULL names part of a path, it
   finds only when such a file is closed that there is no room. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int refuse(int error) {
    errno = error;
    return -1;
}

int chmod(const char *path, mode_t mode) { return refuse(EPERM); }
int fchmod(int file, mode_t mode) { return refuse(EPERM); }
int fchmodat(int folder, const char *path, mode_t mode, int flags) { return refuse(EPERM); }
int chown(const char *path, uid_t owner, gid_t group) { return refuse(EPERM); }
int lchown(const char *path, uid_t owner, gid_t group) { return refuse(EPERM); }
int fchown(int file, uid_t owner, gid_t group) { return refuse(EPERM); }
int fsync(int file) { return refuse(EINVAL); }
int fdatasync(int file) { return refuse(EINVAL); }

int close(int file) {
    char link[64], path[4096];
    const char *full = getenv("FULL");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = full ? readlink(link, path, sizeof path - 1) : -1;
    int (*closes)(int) = dlsym(RTLD_NEXT, "close");
    int closed = closes(file);
    if (length < 0) return closed;
    path[length] = 0;
    return strstr(path, full) ? refuse(ENOSPC) : closed;
}
