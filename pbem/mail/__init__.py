"""Mail: bytes to letters and letters to bytes, reply addresses, and the ways in and out. Knows no game."""
