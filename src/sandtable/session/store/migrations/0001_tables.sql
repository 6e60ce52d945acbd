CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    account TEXT UNIQUE,
    password TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL
);
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id),
    created DOUBLE PRECISION NOT NULL
);
CREATE INDEX sessions_by_person ON sessions (person);
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    system TEXT NOT NULL,
    scenario TEXT NOT NULL,
    title TEXT NOT NULL,
    owner TEXT NOT NULL REFERENCES people (id),
    header TEXT NOT NULL,
    options TEXT NOT NULL,
    clock TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL,
    asked TEXT NOT NULL,
    result TEXT NOT NULL,
    clocks TEXT NOT NULL,
    updated DOUBLE PRECISION NOT NULL,
    v INTEGER NOT NULL
);
CREATE INDEX tables_by_owner ON tables (owner);
CREATE TABLE lines (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat TEXT NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    person TEXT NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX seats_by_person ON seats (person);
CREATE TABLE invites (
    token TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id),
    seat TEXT NOT NULL
);
CREATE INDEX invites_by_table ON invites (table_id);
CREATE TABLE chat (
    table_id TEXT NOT NULL REFERENCES tables (id),
    n INTEGER NOT NULL,
    name TEXT NOT NULL,
    seat TEXT NOT NULL,
    text TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (table_id, n)
);
