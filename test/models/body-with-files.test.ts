import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BodyWithFiles } from '../../src/models/asking/body-with-files.ts';

/** Bytes as a file gives them, in chunks of an odd size. */
const fileOf = (bytes: Buffer, size = bytes.length) => ({
  size,
  stream: async function* () {
    for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537);
  },
});

it('is the JSON with the files in base64, of any size, twice if they stand in it twice', async () => {
  for (const size of [1, 2, 3, 65_537, 1_000_000, 1_000_001]) {
    const bytes = randomBytes(size);
    const files = new BodyWithFiles();
    const places = [files.placeFor(fileOf(bytes)), files.placeFor(fileOf(bytes))];
    const { length, pieces } = files.read({ text: 'Grüße', data: places });
    const sent = await buffer(pieces);
    const data = bytes.toString('base64');
    expect(sent.equals(Buffer.from(JSON.stringify({ text: 'Grüße', data: [data, data] })))).toBe(true);
    expect(sent.length).toBe(length);
  }
});

it('fails where a file has other bytes than it had, so that no length is wrong', async () => {
  const files = new BodyWithFiles();
  const data = files.placeFor(fileOf(Buffer.alloc(10), 12));
  await expect(buffer(files.read({ data }).pieces)).rejects.toThrow('has changed');
});
