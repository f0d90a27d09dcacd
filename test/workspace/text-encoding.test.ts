import { expect, it } from 'vitest';
import { isText, readText } from '../../src/workspace/text-encoding.ts';

/** Bytes as a file gives them, in chunks of an odd size, so that characters are cut. */
const opened = (bytes: Buffer, size = 7) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

const hex = (bytes: string) => Buffer.from(bytes, 'hex');

const WHOLE = { from: 0, chars: 1_000 };

it.each([
  ['UTF-8', Buffer.from('Grüße, 价格\n'), 'Grüße, 价格\n'],
  ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
  ['UTF-16 of Windows', Buffer.from('\ufeffGrüße, 价格\n', 'utf16le'), 'Grüße, 价格\n'],
  ['UTF-16, the other way round', Buffer.from('\ufeffGrüße, 价格\n', 'utf16le').swap16(), 'Grüße, 价格\n'],
  ['GBK', hex('c3fbb3c62cbcdbb8f10ac6bbb9fb2c332e35300ac5a3c4cc2c31322e38300a'), '名称,价格\n苹果,3.50\n牛奶,12.80\n'],
  ['GB 18030', hex('c3fbb3c69439fc362cbcdbb8f10ac6bbb9fb8139ee392c330a'), '名称😀,价格\n苹果㐀,3\n'],
  ['nothing', Buffer.alloc(0), ''],
])('reads %s', async (_, bytes, text) => {
  for (const size of [7, 1_000]) expect(await readText(opened(bytes, size), WHOLE)).toEqual({ text, hasMore: false });
});

it.each([
  ['with a NUL', Buffer.from('a\0b')],
  ['UTF-16 without a mark', Buffer.from('Grüße', 'utf16le')],
  ['UTF-16 that is cut', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5)],
  ['of a picture', hex('89504e470d0a1a0a0000000d49484452')],
  [
    'Korean',
    hex('c0ccb8a72cb3aac0cc0ab1e8c3b6bcf62cbcadb8a50ac0cc20bbe7b6f7c0ba20bcadbfefbfa120bbecb0ed20c0d6bdc0b4cfb4d90a'),
  ],
  [
    'Japanese of Windows',
    hex('96bc914f2c926c92690a82e882f182b282cd94fc96a182b582a282c582b78141968893fa904882d782dc82b70a'),
  ],
  [
    'Japanese of Unix',
    hex('ccbec1b02cc3cdc3ca0aa4eaa4f3a4b4a4cfc8fecca3a4b7a4a4a4c7a4b9a1a2cbe8c6fcbfa9a4d9a4dea4b90a'),
  ],
  [
    'Chinese of Taiwan',
    hex('a657bad92cbbf9aee60ac4abaa472ca454a4b80ab36fac4fa440a5f7c3f6a9f3b2a3ab7ebb50bbf9aee6aabab24db3e6a141bdd0'),
  ],
  ['Russian', hex('c8ecff2cd6e5ede00adfe1ebeeeaee2ce4e5f1fff2fc0a')],
  ['French', hex('5072e96e6f6d2cc267650a5a6fe92c7472656e74650a')],
])('takes for no text what is in an encoding that is not known, or in none: %s', async (_, bytes) => {
  expect(await isText(opened(bytes))).toBe(false);
  expect(await readText(opened(bytes), WHOLE)).toBe(null);
});

it('reads a part, no further than to its end, and says whether more comes', async () => {
  let pieces = 0;
  const open = async function* () {
    for (let at = 0; at < 1_000; at += 1) {
      pieces += 1;
      yield Buffer.from('价格,');
    }
  };
  expect(await readText(open, { from: 4, chars: 5 })).toEqual({ text: '格,价格,', hasMore: true });
  expect(pieces).toBeLessThan(10);
  expect(await readText(open, { from: 2_998, chars: 5 })).toEqual({ text: '格,', hasMore: false });
  expect(await readText(open, { from: 3_000, chars: 5 })).toEqual({ text: '', hasMore: false });
});

it('never ends a part inside a character', async () => {
  const open = opened(Buffer.from('ab😀😀😀'));
  expect(await readText(open, { from: 0, chars: 5 })).toEqual({ text: 'ab😀', hasMore: true });
  expect(await readText(open, { from: 4, chars: 5 })).toEqual({ text: '😀😀', hasMore: false });
});
