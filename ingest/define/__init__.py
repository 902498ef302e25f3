"""The terms that a book defines: its glossary, its keywords, its titles, and sentences that say what something means."""
