"""ASL Starter Kit #3: squads, leaders and support weapons, with reaction fire inside movement."""
