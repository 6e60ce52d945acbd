"""Who is who: people, their names, what each may have at a time, invitations."""
