"""Dilluvia Project: rules DR1-DR29 and rulings DA1-DA24 of `docs/reference/dilluvia-rules.md`."""
