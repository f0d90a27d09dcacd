import { loadOfBot } from './platform-server.ts';

interface Frame {
  headers: { key: string; value: string }[];
  payload?: Uint8Array;
}

/** The used part of `protobufjs`, which comes with Feishu's SDK. */
interface Protobuf {
  parse(schema: string): {
    root: {
      lookupType(name: string): {
        encode(frame: object): { finish(): Uint8Array };
        decode(data: Uint8Array): unknown;
      };
    };
  };
}

/** Frames of Feishu's long connection. */
const frameType = () =>
  (loadOfBot('protobufjs') as Protobuf)
    .parse(`
      message Header { required string key = 1; required string value = 2; }
      message Frame {
        required uint64 SeqID = 1;
        required uint64 LogID = 2;
        required int32 service = 3;
        required int32 method = 4;
        repeated Header headers = 5;
        optional bytes payload = 8;
      }`)
    .root.lookupType('Frame');

/** A frame that carries an event. */
export const eventFrame = (id: string, event: object): Uint8Array => {
  const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: id };
  const frame = {
    SeqID: 1,
    LogID: 1,
    service: 1,
    method: 1,
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    payload: Buffer.from(JSON.stringify(event)),
  };
  return frameType().encode(frame).finish();
};

/** The id of the message in a frame. */
export const messageIdIn = (data: Uint8Array): string | undefined =>
  (frameType().decode(data) as Frame).headers.find(({ key }) => key === 'message_id')?.value;
