-- Calls are written in batches, which add up their own bytes: one statement an owner in place of one a call.

DROP TRIGGER model_call_added;
