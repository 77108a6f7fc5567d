-- A workload for the sqlite shell, in memory: inserts, indexes, joins, text,
-- updates, deletes, triggers and a view. Output is small and always the same.
CREATE TABLE numbers(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT UNIQUE, n INTEGER DEFAULT 0);
CREATE TABLE log(id INTEGER PRIMARY KEY, what TEXT);
BEGIN;
WITH RECURSIVE i(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM i WHERE x < 130000)
INSERT INTO numbers SELECT x, (x * 7919) % 99991, 'text number ' || ((x * 104729) % 1000003) FROM i;
COMMIT;
CREATE INDEX by_b ON numbers(b);
CREATE INDEX by_c ON numbers(c);
SELECT count(*), sum(b), min(c), max(c) FROM numbers;
SELECT count(*) FROM numbers WHERE c LIKE '%99%';
SELECT sum(length(c)) FROM numbers WHERE b BETWEEN 1000 AND 50000;
INSERT OR IGNORE INTO words(word) SELECT substr(c, -4) FROM numbers;
CREATE TRIGGER noted AFTER UPDATE ON words WHEN new.n % 500 = 0 BEGIN
	INSERT INTO log(what) VALUES (new.word || '=' || new.n);
END;
UPDATE words SET n = (SELECT count(*) FROM numbers WHERE numbers.b = words.id) + id;
SELECT count(*), sum(n) FROM words;
SELECT count(*), min(what), max(what) FROM log;
SELECT count(*), sum(x.a + y.a) FROM numbers x JOIN numbers y ON y.a = x.b WHERE x.a < 60000;
SELECT substr(c, -2) AS tail, count(*), avg(b) FROM numbers GROUP BY tail ORDER BY 2 DESC, 1 LIMIT 5;
SELECT group_concat(a) FROM (SELECT a FROM numbers ORDER BY c DESC, a LIMIT 10);
UPDATE numbers SET c = upper(c) || '!' WHERE a % 3 = 0;
UPDATE numbers SET b = b + 1 WHERE c GLOB 'TEXT*7!';
DELETE FROM numbers WHERE a % 5 = 0;
CREATE VIEW pairs AS SELECT x.a AS one, y.a AS two FROM numbers x JOIN numbers y ON x.b = y.b AND x.a < y.a;
SELECT count(*), sum(one), sum(two) FROM pairs;
WITH RECURSIVE t(n, s) AS (SELECT 1, '' UNION ALL SELECT n + 1, substr(s || char(97 + n % 26), -40) FROM t WHERE n < 90000)
SELECT count(DISTINCT s), max(s) FROM t;
SELECT count(*), sum(json_extract('{"a":' || a || ',"b":[' || b || ',1]}', '$.b[0]')) FROM numbers WHERE a < 30000;
VACUUM;
PRAGMA integrity_check;
SELECT count(*), sum(b), sum(length(c)) FROM numbers;
