"""Downloads books from their publishers, for `rulestone get` and `rulestone update`. Nothing else connects to the internet.

`visit` makes the requests; `books` finds the newest file and adds it. Only the two commands import this package.
"""
