"""What the processes of a server share, loaded by being imported: see `forked`."""

import gc

import api.http.app
import api.http.delivery.connections
import api.http.delivery.serving
from rulestone import Library

assert api.http.app
assert api.http.delivery
Library.open(create=False).load_shared()
gc.collect()
gc.freeze()  # a collection writes to whatever it looks at
