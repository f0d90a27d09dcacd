-- What a turn asked for of the task that it may open; null: as configured.
ALTER TABLE turns ADD COLUMN planning INTEGER;
ALTER TABLE turns ADD COLUMN conversation INTEGER;
