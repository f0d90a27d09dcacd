import type { RerunChange } from '../../contracts/rerun.ts';
import type { SkillHashes } from '../../contracts/skill.ts';
import type { Catalogue, TaskLimits } from '../../contracts/task.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { canonicalJson } from './canonical.ts';
import type { Lab } from './port.ts';
import type { RecordedTask } from './recording.ts';

const HASH_CHARS_SHOWN = 12;

const changed = (
  what: RerunChange['what'],
  recorded: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
  names: Iterable<string> = recorded.keys(),
): RerunChange[] =>
  [...names].flatMap((name) => {
    const [was = null, is = null] = [recorded.get(name), now.get(name)];
    return was === is ? [] : [{ what, name, recorded: was, now: is }];
  });

const toolsOf = ({ tools }: Catalogue): ReadonlyMap<string, string> =>
  new Map(tools.map(({ name, ...facts }) => [name, canonicalJson(facts)]));

const executorsOf = ({ executors }: Catalogue): ReadonlyMap<string, string> =>
  new Map(executors.map(({ name, tools }) => [name, canonicalJson(tools)]));

const limitsOf = (limits: Partial<TaskLimits>): ReadonlyMap<string, string> =>
  new Map(Object.entries(limits).map(([name, limit]) => [name, String(limit)]));

const hashesOf = (skills: SkillHashes = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(skills).map(([name, hash]) => [name, hash.slice(0, HASH_CHARS_SHOWN)]));

/** The models that a recorded task's answers name. */
export const recordedModels = ({ entries }: RecordedTask): string[] => [
  ...new Set(entries.flatMap(({ entry: { event } }) => ('usage' in event ? (event.usage?.model ?? []) : []))),
];

/**
 * The differences between today and the time when a task was recorded: the machine, its agent and that one's tools, executors and limits, the skills that it could read,
 * and files that are not there any more. Tools that came later are none: the task could not call them.
 */
export const changesSince = (
  { opened, entries }: RecordedTask,
  lab: Pick<Lab, 'agentOf' | 'standard' | 'limits'>,
): RerunChange[] => {
  const { machine } = entries[0]!.entry;
  const { files = [] } = opened;
  const known = lab.agentOf(opened);
  const agent = known ?? lab.standard;
  const catalogue = agent.tools.catalogue();
  const [skillsThen, skillsNow] = [hashesOf(opened.skills), hashesOf(agent.hashes(catalogue))];
  return [
    ...(machine === MACHINE ? [] : [{ what: 'machine' as const, name: 'machine', recorded: machine, now: MACHINE }]),
    ...(known === null
      ? [{ what: 'agent' as const, name: opened.agent ?? '', recorded: opened.agent ?? '', now: null }]
      : []),
    ...changed('tool', toolsOf(opened.catalogue), toolsOf(catalogue)),
    ...changed('executor', executorsOf(opened.catalogue), executorsOf(catalogue)),
    ...changed('limit', limitsOf(opened.limits), limitsOf(lab.limits)),
    ...changed('skill', skillsThen, skillsNow, new Set([...skillsThen.keys(), ...skillsNow.keys()])),
    ...files.map(({ path, media_type }) => ({ what: 'files' as const, name: path, recorded: media_type, now: null })),
  ];
};
