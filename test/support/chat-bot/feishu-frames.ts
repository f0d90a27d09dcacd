import { loadOfBot } from './platform-server.ts';

/** As much of `protobufjs/minimal`, which comes with Feishu's SDK, as is used here. */
interface Writer {
  uint32(value: number): Writer;
  uint64(value: number): Writer;
  int32(value: number): Writer;
  string(value: string): Writer;
  bytes(value: Uint8Array): Writer;
  fork(): Writer;
  ldelim(): Writer;
  finish(): Uint8Array;
}
interface Reader {
  pos: number;
  len: number;
  uint32(): number;
  uint64(): unknown;
  int32(): number;
  string(): string;
  bytes(): Uint8Array;
  skipType(type: number): unknown;
}
const protobuf = (): { Writer: { create(): Writer }; Reader: { create(data: Uint8Array): Reader } } =>
  loadOfBot('protobufjs/minimal') as ReturnType<typeof protobuf>;

/** A frame of Feishu's long connection that carries an event. */
export const eventFrame = (id: string, event: object): Uint8Array => {
  const writer = protobuf().Writer.create();
  writer.uint32(8).uint64(1).uint32(16).uint64(1).uint32(24).int32(1).uint32(32).int32(1);
  const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: id };
  for (const [key, value] of Object.entries(headers))
    writer.uint32(42).fork().uint32(10).string(key).uint32(18).string(value).ldelim();
  return writer
    .uint32(66)
    .bytes(Buffer.from(JSON.stringify(event)))
    .finish();
};

/** The headers of a frame. */
export const frameHeaders = (data: Uint8Array): Record<string, string> => {
  const reader = protobuf().Reader.create(data);
  const headers: Record<string, string> = {};
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 !== 5) {
      reader.skipType(tag & 7);
      continue;
    }
    const end = reader.uint32() + reader.pos;
    const pair: string[] = [];
    while (reader.pos < end) {
      reader.uint32();
      pair.push(reader.string());
    }
    headers[pair[0] ?? ''] = pair[1] ?? '';
  }
  return headers;
};
