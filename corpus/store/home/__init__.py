from corpus.store.home.home import Draft, Home, default_home

__all__ = ["Draft", "Home", "default_home"]
