CREATE TABLE thoughts (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL,
    bot TEXT NOT NULL,
    seed TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);
