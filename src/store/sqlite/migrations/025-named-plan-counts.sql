-- How many steps of each status a plan has, as each list of plans says: without it the texts of all of them are read past.

CREATE INDEX named_plan_steps_by_status ON named_plan_steps (plan, status);
