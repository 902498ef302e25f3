"""Books from their publishers: what `rulestone get` and `rulestone update` do. Nothing else opens a connection to the internet.

`visit` makes the requests, `books` finds the newest file, and adds it. Only the two commands import this package.
"""
