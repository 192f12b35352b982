#!/usr/bin/env python3
"""Searches as ghoststore-bench's scenario `search` does, with SQLite's FTS5 in process: no encryption, no socket.

Usage: fts5_search.py [MESSAGES] [SECONDS]
"""
import itertools
import os
import random
import sqlite3
import sys
import tempfile
import time

WORDS = 100_000
LIMIT = 50


def word(rank):
    rest, letters = rank + 500_000, ""
    while rest > 0:
        letters += chr(ord("a") + rest % 26)
        rest //= 26
    return letters


QUERIES = [
    word(2), word(5_000), f"{word(3)} {word(40)}", f'"{word(1)} {word(4)}"', f"{word(20_000)[:-1]}*",
    f"{word(30)} NOT {word(1)}", f"{word(800)} OR {word(900)}",
]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    words = [word(rank) for rank in range(WORDS)]
    sums = list(itertools.accumulate(1 / (rank + 1) for rank in range(WORDS)))
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        path = os.path.join(folder, "fts5.db")
        database = sqlite3.connect(path)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE messages (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        texts = ((n, " ".join(chance.choices(words, cum_weights=sums, k=8))) for n in range(count))
        while batch := list(itertools.islice(texts, 256)):
            database.executemany("INSERT INTO messages VALUES (?, ?)", batch)
            database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = os.path.getsize(path)
        database.execute("CREATE VIRTUAL TABLE found USING fts5 (text, content='messages', content_rowid='number')")
        began = time.perf_counter()
        for first in range(0, count, 256):
            database.execute(
                "INSERT INTO found (rowid, text) SELECT number, text FROM messages WHERE number >= ? AND number < ?",
                (first, first + 256))
            database.commit()
        took = time.perf_counter() - began
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = os.path.getsize(path) - before
        print(f"{count} messages indexed in {took:.1f} s, {took / count * 1e6:.1f} us each; the index takes {size} bytes, "
              f"{size // count} a message")
        times, end = [], time.perf_counter() + seconds
        for query in itertools.cycle(QUERIES):
            began = time.perf_counter()
            if began > end:
                break
            database.execute(
                "SELECT number, snippet(found, 0, '', '', '', 16), m.text FROM found JOIN messages AS m ON m.number = "
                "found.rowid WHERE found MATCH ? ORDER BY found.rowid DESC LIMIT ?", (query, LIMIT)).fetchall()
            times.append((time.perf_counter() - began) * 1e6)
        times.sort()
        at = [times[int(len(times) * part)] for part in (0.5, 0.9, 0.99)]
        print(f"p50 {at[0]:.0f} us, p90 {at[1]:.0f} us, p99 {at[2]:.0f} us, worst {times[-1]:.0f} us")


if __name__ == "__main__":
    main()
