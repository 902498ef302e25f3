"""How well it is told what a translation lost."""
