-- Turns that joined one task are answered with the same reply: the first of them has it, and the others point to that. It goes with their session.

ALTER TABLE turns ADD COLUMN reply_of INTEGER;
