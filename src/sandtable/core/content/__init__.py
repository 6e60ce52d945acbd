"""What packs and files hold, checked and with its sources: YAML, tables, rule indexes, glossaries, scenarios' heads."""
