"""What wargames on hexes share: counters, standing orders, notes and what the map shows of them, reports and
invariants. It knows the engine and no game."""
