import { z } from 'zod';
import type { TurnFile } from '../../../../contracts/file.ts';
import { fileIn, refuseAddress, refuseMedia } from '../request.ts';

/** An image by its address, as Chat Completions and Responses write it. */
const Address = z.union([z.string(), z.looseObject({ url: z.string() }).transform(({ url }) => url)]);

/** A file with its bytes, in a part of its own or in `file` of one. */
const WithData = z.looseObject({ file_data: z.string(), filename: z.string().nullish() });

const isDataUrl = (data: string): boolean => /^data:/i.test(data);

/** The file of a part with `file_data`: a data URL, or base64 alone. */
const fileWithData = (part: unknown, field: string): TurnFile => {
  const { data: given } = WithData.safeParse(part);
  if (given === undefined) return refuseAddress(field);
  const { file_data, filename } = given;
  return isDataUrl(file_data)
    ? fileIn(file_data, filename, field)
    : { data: file_data, ...(filename && { name: filename }) };
};

/**
 * The file of a message's part that is no text, in either API. Throws `INVALID_REQUEST` for one by its address or id,
 * and for audio; `field` is where the request has its messages.
 */
export const fileOfPart = (part: { type: string } & Record<string, unknown>, field: string): TurnFile => {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
      return fileIn(Address.safeParse(part['image_url']).data, null, field);
    case 'file':
      return fileWithData(part['file'], field);
    case 'input_file':
      return fileWithData(part, field);
    default:
      return refuseMedia(field);
  }
};
