"""Dilluvia Project: rules DR1-DR29 and rulings DA1-DA22 of `docs/reference/dilluvia-rules.md`."""
