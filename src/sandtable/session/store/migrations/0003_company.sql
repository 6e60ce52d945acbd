ALTER TABLE invites ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN rematch TEXT NOT NULL DEFAULT '';
CREATE TABLE forgotten (
    person TEXT NOT NULL REFERENCES people (id),
    table_id TEXT NOT NULL REFERENCES tables (id),
    PRIMARY KEY (person, table_id)
);
