import { createHash } from 'node:crypto';

/** A red pixel as a PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The beginning of a PNG of that size, which is as much as anybody reads. */
export const pngOf = (width: number, height: number): Buffer => {
  const png = Buffer.from(PNG);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
};

/** A PDF of one page with these lines. */
export const pdfOf = (...lines: string[]): Buffer => {
  const shown = lines.map((line) => `(${line}) Tj`).join(' 0 -20 Td ');
  const content = `BT /F1 18 Tf 20 50 Td ${shown} ET`;
  return Buffer.from(
    `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 ${-20 * lines.length} 300 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length + 1}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
  );
};

/** A PDF of one page that says "Total: 19.90 EUR". */
export const PDF = pdfOf('Total: 19.90 EUR');

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A file of a turn as a request has it. */
export const sent = (name: string, bytes: Buffer | string) => ({
  name,
  data: Buffer.from(bytes).toString('base64'),
});
