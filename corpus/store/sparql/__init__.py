"""SPARQL from outside: what may be asked, in processes that may take only so much and reach nobody."""
