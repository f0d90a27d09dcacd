import type { IncomingHttpHeaders } from 'node:http';

interface Member {
  name: string;
  parameters: string[];
}

/** The members of a header that lists names with parameters, such as `Accept` and `Prefer`. */
const membersOf = (header: string | string[] | undefined): Member[] =>
  [header ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
      return { name, parameters };
    });

/** A member's weight; 1 where it has none. What is no number refuses. */
const weightOf = ({ parameters }: Member): number => {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0;
};

/** True when `Accept` names an event stream, and JSON with no greater weight. A wildcard names none. */
export const wantsEvents = ({ accept }: IncomingHttpHeaders): boolean => {
  const members = membersOf(accept);
  const weigh = (type: string): number => Math.max(0, ...members.filter(({ name }) => name === type).map(weightOf));
  const events = weigh('text/event-stream');
  return events > 0 && events >= weigh('application/json');
};

/** True when `Prefer` asks not to be kept waiting (RFC 7240). */
export const prefersAsync = ({ prefer }: IncomingHttpHeaders): boolean =>
  membersOf(prefer).some(({ name }) => name === 'respond-async');
