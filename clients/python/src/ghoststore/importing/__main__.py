"""`python -m ghoststore.importing` is `ghoststore-import`."""

from .command import run

run()
