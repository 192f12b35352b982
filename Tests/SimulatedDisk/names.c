// The names of files and folders: those that the program sees, and those that a sync of the folder has made durable.
#include "disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct name *entry(const struct names *names, uint32_t folder, const char *text) {
    for (size_t index = 0; index < names->count; index++) {
        const struct name *name = &names->all[index];
        if (name->folder == folder && strcmp(name->text, text) == 0) return (struct name *)name;
    }
    return NULL;
}

uint32_t find_name(const struct names *names, uint32_t folder, const char *text) {
    const struct name *found = entry(names, folder, text);
    return found == NULL ? 0 : found->node;
}

void set_name(struct names *names, uint32_t folder, const char *text, uint32_t node) {
    struct name *found = entry(names, folder, text);
    if (node == 0) {
        if (found != NULL) *found = names->all[--names->count];
        return;
    }
    if (found == NULL) {
        if (names->count == NAMES_MAX) give_up("the simulated disk has too many names");
        found = &names->all[names->count++];
        found->folder = folder;
        snprintf(found->text, NAME_BYTES, "%s", text);
    }
    found->node = node;
}

static uint32_t parent(uint32_t node) {
    for (size_t index = 0; index < disk->seen.count; index++) {
        if (disk->seen.all[index].node == node) return disk->seen.all[index].folder;
    }
    return 0;
}

int64_t resolve(uint32_t start, const char *path, uint32_t *folder, char leaf[NAME_BYTES]) {
    uint32_t node = start;
    if (*path == '/') {
        if (strncmp(path, disk->root, disk->root_bytes) != 0) return -1;
        path += disk->root_bytes;
        if (*path != 0 && *path != '/') return -1;
        node = ROOT;
    }
    *folder = 0;
    leaf[0] = 0;
    while (node != 0) {
        while (*path == '/') path++;
        if (*path == 0) return node;
        size_t count = strcspn(path, "/");
        if (count >= NAME_BYTES) give_up("a name is too long for the simulated disk");
        char part[NAME_BYTES];
        memcpy(part, path, count);
        part[count] = 0;
        path += count;
        if (strcmp(part, ".") == 0) continue;
        if (strcmp(part, "..") == 0) {
            node = parent(node);
            *folder = 0;
            leaf[0] = 0;
            continue;
        }
        *folder = node;
        memcpy(leaf, part, count + 1);
        node = find_name(&disk->seen, node, part);
        if (node == 0) return *path == 0 ? 0 : -1;
    }
    return -1;
}

// MARK: Changes

void apply_name_change(const struct name_change *change, struct names *names) {
    for (uint32_t index = 0; index < change->count; index++) {
        const struct name *part = &change->parts[index];
        set_name(names, part->folder, part->text, part->node);
    }
}

void note_name_change(struct name_change change) {
    if (disk->name_change_count == NAME_CHANGES_MAX) give_up("the simulated disk has too many changes of names");
    disk->name_changes[disk->name_change_count++] = change;
    apply_name_change(&change, &disk->seen);
}

// Makes the changes of a folder durable. If one of them also belongs to another folder, the earlier changes of that
// folder become durable too, because a file system never keeps half of a rename.
void sync_names(uint32_t folder) {
    static uint8_t is_needed[NODES_MAX], is_kept[NAME_CHANGES_MAX];
    memset(is_needed, 0, sizeof is_needed);
    is_needed[folder] = 1;
    for (size_t index = disk->name_change_count; index-- > 0;) {
        const struct name_change *change = &disk->name_changes[index];
        is_kept[index] = 0;
        for (uint32_t part = 0; part < change->count; part++) is_kept[index] |= is_needed[change->parts[part].folder];
        for (uint32_t part = 0; is_kept[index] && part < change->count; part++) {
            is_needed[change->parts[part].folder] = 1;
        }
    }
    size_t left = 0;
    for (size_t index = 0; index < disk->name_change_count; index++) {
        if (is_kept[index]) {
            apply_name_change(&disk->name_changes[index], &disk->durable);
        } else {
            disk->name_changes[left++] = disk->name_changes[index];
        }
    }
    disk->name_change_count = left;
}

// Builds the path of a name. Returns 0 if a folder on the way has no name.
int full_path(const struct names *names, const struct name *name, char path[PATH_BYTES]) {
    char below[PATH_BYTES] = "";
    const struct name *place = name;
    for (int depth = 0; depth < 32; depth++) {
        char longer[PATH_BYTES];
        snprintf(longer, sizeof longer, "/%s%.3900s", place->text, below);
        memcpy(below, longer, sizeof below);
        if (place->folder == ROOT) {
            snprintf(path, PATH_BYTES, "%.2000s%.2000s", disk->root, below);
            return 1;
        }
        uint32_t folder = place->folder;
        place = NULL;
        for (size_t index = 0; index < names->count && place == NULL; index++) {
            if (names->all[index].node == folder) place = &names->all[index];
        }
        if (place == NULL) return 0;
    }
    return 0;
}
