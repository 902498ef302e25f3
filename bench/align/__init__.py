"""How well rules of differently numbered texts are told to be one."""
