import { useEffect, useRef } from 'preact/hooks';
import type { FileView } from '../../../contracts/http.ts';
import { useChange } from '../api/resource.ts';
import { readFile } from '../api/routes.ts';
import { saveFile } from '../design/copy.tsx';
import { Icon } from '../design/icon.tsx';
import { Refusal } from '../design/loaded.tsx';
import { formatBytes } from '../text/numbers.ts';
import { fileNameOf } from './file-name.ts';
import styles from './files.module.css';
import { texts } from './texts.ts';

/** Extensions of the images that browsers draw. */
const IMAGE = /\.(?:png|jpe?g|webp|gif)$/i;

const CODE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|sh|sql|c|h|cpp|css|html?|ya?ml|json|xml)$/i;

/** Largest image that is loaded for its thumbnail, in bytes. */
const THUMBNAIL_BYTES_MAX = 5_000_000;

/** The longer side of a thumbnail, in pixels: twice its size on the page. */
const THUMBNAIL_SIDE = 80;

/** A file's type by its name, such as `PNG`; empty: it has none. */
const typeOf = (name: string): string => /[^.]\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? '';

/** A small drawing of an image. What the browser cannot draw keeps the room empty. */
const Thumbnail = ({ session, file }: { session: string; file: FileView }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isGone = false;
    const draw = async (): Promise<void> => {
      const image = await createImageBitmap(await readFile(session, file.path));
      const field = canvas.current;
      if (isGone || field === null) return image.close();
      const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(image.width, image.height));
      field.width = Math.max(1, Math.round(image.width * scale));
      field.height = Math.max(1, Math.round(image.height * scale));
      field.getContext('2d')?.drawImage(image, 0, 0, field.width, field.height);
      image.close();
    };
    draw().catch(() => {});
    return () => {
      isGone = true;
    };
  }, [session, file.path, file.modified_at]);
  return <canvas ref={canvas} class={styles.thumbnail} width={1} height={1} />;
};

/** Files that a task wrote, a card each, which saves it. */
export const FileCards = ({ session, files }: { session: string; files: readonly FileView[] }) => {
  const { problem, change } = useChange();
  return (
    <>
      <ul class={styles.cards} aria-label={texts.value.written}>
        {files.map((file) => {
          const name = fileNameOf(file);
          const isImage = IMAGE.test(name) && file.size <= THUMBNAIL_BYTES_MAX;
          return (
            <li key={file.path}>
              <button
                type="button"
                class={styles.card}
                title={texts.value.save(name)}
                onClick={() => void change(async () => saveFile(file.path, await readFile(session, file.path)))}
              >
                {isImage ? (
                  <Thumbnail session={session} file={file} />
                ) : (
                  <Icon name={CODE.test(name) ? 'code' : 'page'} />
                )}
                <span class="name clipped" dir="auto">
                  {name}
                </span>
                <span class="small muted number">
                  {[typeOf(name), formatBytes(file.size)].filter((part) => part !== '').join(' · ')}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Refusal error={problem.value} />
    </>
  );
};
