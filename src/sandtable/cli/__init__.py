"""The command line: one file a command. Heavy things are imported inside the commands, never at the top."""
