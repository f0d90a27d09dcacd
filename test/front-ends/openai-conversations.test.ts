import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, sessionsOf, start } from '../support/front-ends/openai-service.ts';
import { plan, startService } from '../support/service/service.ts';

const unknown = { status: 404, code: 'session_not_found' };

describe("a conversation of OpenAI's API", () => {
  it('exists from its creation until it is deleted, also after a restart', async () => {
    const service = await start({ a: 'A' });
    const { conversations } = clientOf(service);
    const created = await conversations.create();
    expect(created).toMatchObject({ object: 'conversation', metadata: {}, created_at: expect.any(Number) });
    const { id } = created;
    expect(await conversations.retrieve(id)).toEqual(created);
    expect(await Array.fromAsync(await conversations.items.list(id))).toEqual([]);
    await service.restart();
    const { conversations: again } = clientOf(service);
    expect(await again.retrieve(id)).toEqual(created);
    expect(await again.items.list(id)).toMatchObject({ data: [], has_more: false });

    const said = await clientOf(service).responses.create({ input: 'a', conversation: id });
    expect(said.conversation).toEqual({ id });
    expect(await sessionsOf(service)).toEqual([id]);

    expect(await again.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
    const calls = [
      () => again.retrieve(id),
      () => again.items.list(id),
      () => again.update(id, { metadata: {} }),
      () => again.delete(id),
    ];
    for (const call of calls) expect(await errorOf(call())).toMatchObject(unknown);
    expect(await sessionsOf(service)).toEqual([]);
  });

  it('keeps its metadata, which an update replaces', async () => {
    const service = await start({});
    const { conversations } = clientOf(service);
    const { id } = await conversations.create({ metadata: { topic: 'demo', user: 'ann' } });
    expect(await conversations.retrieve(id)).toMatchObject({ metadata: { topic: 'demo', user: 'ann' } });
    expect(await conversations.update(id, { metadata: { topic: 'party' } })).toMatchObject({
      metadata: { topic: 'party' },
    });
    await service.restart();
    const later = clientOf(service).conversations;
    expect((await later.retrieve(id)).metadata).toEqual({ topic: 'party' });
    expect((await later.update(id, { metadata: null })).metadata).toEqual({});
    expect(await errorOf(later.create({ metadata: { a: 1 } as never }))).toMatchObject({ param: 'metadata.a' });
    const much = { metadata: { a: 'x'.repeat(5_000) } };
    expect(await errorOf(later.create(much))).toMatchObject({ status: 400, param: 'metadata' });
    expect(await errorOf(later.update(id, much))).toMatchObject({ status: 400, param: 'metadata' });
    expect(await sessionsOf(service)).toEqual([id]);
  });

  it('gives one item, and refuses those that were not said in it', async () => {
    const service = await start({ a: 'A', b: 'B' });
    const { conversations, responses } = clientOf(service);
    const { id } = await conversations.create({ items: [] });
    const other = await conversations.create();
    await responses.create({ input: 'a', conversation: id });
    const items = await Array.fromAsync(await conversations.items.list(id, { order: 'asc' }));
    expect(items).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [{ text: 'A' }] }]);
    for (const item of items) {
      const itemId = (item as { id: string }).id;
      expect(await conversations.items.retrieve(itemId, { conversation_id: id })).toEqual(item);
      const elsewhere = conversations.items.retrieve(itemId, { conversation_id: other.id });
      expect(await errorOf(elsewhere)).toMatchObject({ status: 404 });
      const removed = conversations.items.delete(itemId, { conversation_id: id });
      expect(await errorOf(removed)).toMatchObject({ status: 400 });
    }
    for (const itemId of ['msg_unknown', 'x'])
      expect(await errorOf(conversations.items.retrieve(itemId, { conversation_id: id }))).toMatchObject({
        status: 404,
      });
    const more = { items: [{ role: 'user' as const, content: 'hi' }] };
    const refused = { status: 400, param: 'items', message: expect.stringContaining('items cannot be added') };
    expect(await errorOf(conversations.create(more))).toMatchObject(refused);
    expect(await errorOf(conversations.items.create(id, more))).toMatchObject(refused);
    expect(await errorOf(conversations.items.create('none', more))).toMatchObject(unknown);
    expect(await Array.fromAsync(await conversations.items.list(id))).toHaveLength(2);
  });

  it('is not deleted while a task of it runs', async () => {
    const service = await startService([plan('Think'), () => new Promise(() => {})]);
    const { conversations, responses } = clientOf(service);
    const { id } = await conversations.create();
    await responses.create({ input: 'a', conversation: id, background: true });
    await service.model.asked(2);
    expect(await errorOf(conversations.delete(id))).toMatchObject({ status: 409, code: 'task_running' });
    expect(await conversations.retrieve(id)).toMatchObject({ id });
  });
});
