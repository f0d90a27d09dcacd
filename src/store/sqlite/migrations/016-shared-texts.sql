-- A copied entry points to the row that has its text (`event` and `effects`), and has an empty one of its own: `text_of` is null where a row's
-- text is its own. A row that points to itself has the text of a copy that it took over. A row that others point to points to none but itself.

ALTER TABLE entries ADD COLUMN text_of INTEGER REFERENCES entries (id);
-- Rows that share nothing are not in it.
CREATE INDEX entries_by_text ON entries (text_of, session) WHERE text_of IS NOT NULL;

-- The entries as they are read. A shared text has the ids of the entry that is read: those of its task, its session and its effect.
CREATE VIEW trace_entries AS
  SELECT e.id, e.session, e.seq, e.task, e.at, e.machine, e.state, e.step_count,
    CASE WHEN e.text_of IS NULL THEN e.event ELSE (
      SELECT json_replace(h.event,
        '$.effect_id', t.task_id || substr(h.event ->> '$.effect_id', instr(h.event ->> '$.effect_id', '.')),
        '$.task_id', t.task_id,
        '$.session_id', (SELECT session_id FROM sessions WHERE id = e.session))
      FROM entries h, tasks t WHERE h.id = e.text_of AND t.id = e.task) END AS event,
    CASE WHEN e.text_of IS NULL THEN e.effects ELSE (
      SELECT json_replace(h.effects,
        '$[0].effect_id', t.task_id || substr(h.effects ->> '$[0].effect_id', instr(h.effects ->> '$[0].effect_id', '.')))
      FROM entries h, tasks t WHERE h.id = e.text_of AND t.id = e.task) END AS effects
  FROM entries e;
