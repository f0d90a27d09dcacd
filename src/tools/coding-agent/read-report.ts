import { yaml } from '../../lib/yaml.ts';

const STATUSES = ['SUCCESS', 'FAILED', 'PARTIAL_SUCCESS'] as const;

/** Front matter of at most 16,384 characters: its few fields, and perhaps a summary. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n---[ \t]*(?:\r?\n|$)/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The command id in a name or field: `<uuid>`, `task-<uuid>`, `report-task-<uuid>.md`; null for anything else. */
const idIn = (text: string): string | null => {
  const bare = text.toLowerCase().replace(/^(report-)?(task-)?|\.md$/g, '');
  return UUID.test(bare) ? bare : null;
};

/**
 * The fields of the front matter, parsed as YAML, or as `name: value` lines where it is not valid YAML, for example
 * because a summary contains `: `.
 */
const fieldsOf = (front: string): Map<string, string> => {
  try {
    const fields: unknown = yaml().parse(front, { schema: 'failsafe', logLevel: 'error' });
    return new Map(Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map([...front.matchAll(/^(\w+):(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]));
  }
};

/**
 * Parses a report, which is not trusted. Its command and session are null if it names none; without a status the whole
 * text is the body. Never throws.
 */
export const readReport = (name: string, text: string) => {
  const [whole = '', front = ''] = FRONT_MATTER.exec(text) ?? [];
  const fields = fieldsOf(front);
  const stated = fields.get('task_id') ?? fields.get('id');
  const id = idIn(name) ?? idIn(stated ?? '');
  const isOther = stated !== undefined && idIn(stated) !== id;
  const status = STATUSES.find((known) => known === fields.get('status')?.toUpperCase());
  if (status === undefined || isOther)
    return { id, session_id: null, status: isOther ? 'other_task' : 'no_status', body: text.trim() } as const;
  const session_id = fields.get('session_id')?.toLowerCase() ?? '';
  const body = text.slice(whole.length).trim() || (fields.get('summary') ?? '').trim();
  return { id, session_id: UUID.test(session_id) ? session_id : null, status, body };
};
