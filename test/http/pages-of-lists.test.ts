import { expect, it } from 'vitest';
import { startHttp } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';

it('ends a page of a list where its plans would be too long to send at once, and goes on from there', async () => {
  const { port } = await startHttp({
    plan: Array.from({ length: 3 }, () => ({ status: 'planned', plan: ['one', 'two'] })),
  });
  for (const name of ['s1', 's2', 's3']) {
    const { turn } = await ask(port, `/v1/sessions/${name}/turns`, { body: { input: 'Do it', confirm_plan: true } });
    for (let i = 0; i < 2; i += 1)
      await ask(port, `/v1/tasks/${turn.task_id}/plan`, {
        method: 'PATCH',
        body: { edits: Array.from({ length: 50 }, () => ({ kind: 'add', step: 'x'.repeat(4_000) })) },
      });
  }
  for (const [path, field] of [
    ['/v1/tasks', 'tasks'],
    ['/v1/sessions', 'sessions'],
  ] as const) {
    const seen = [];
    for (let cursor = ''; ; ) {
      const { json } = await ask(port, `${path}?limit=500${cursor}`);
      const page = json as Record<string, unknown[]> & { next: string | null };
      seen.push(page[field]!.map((item) => (item as { session_id: string }).session_id));
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(seen.map((page) => page.length)).toEqual([2, 1]);
    expect(new Set(seen.flat()).size).toBe(3);
  }
});
