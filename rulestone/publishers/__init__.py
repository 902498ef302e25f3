"""Downloads books and files of cards, for `rulestone get` and `rulestone update`. Nothing else connects to the internet.

`download` makes the requests; `books` finds the newest file and adds it; `cards` reads lists of files and unpacks. Only the two
commands import this package.
"""
