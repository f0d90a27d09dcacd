import type { ProblemType } from '../../../contracts/error-code.ts';
import type { Problem } from '../../../contracts/http.ts';
import { language } from '../text/language.ts';
import { chineseProblems } from '../text/problem-texts.ts';

/** A request that was refused, or that brought no answer; its message is for people. */
export class ApiProblem extends Error {
  /** The HTTP status; 0: there was no answer. */
  readonly status: number;
  /** The problem's `type`, such as `/problems/task-running`; null: the answer was none of the service's. */
  readonly type: Problem['type'] | null;

  constructor(message: string, status: number, type: Problem['type'] | null) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.type = type;
  }
}

/** The kind of refusal in the chosen language; null where the API's own words are in it already, or its kind is not known. */
const kindOf = (type: Problem['type']): string | null =>
  language.value === 'zh' && Object.hasOwn(chineseProblems, type) ? chineseProblems[type as ProblemType] : null;

/** Reads why a request was refused. */
export const problemOf = async (response: Response): Promise<ApiProblem> => {
  try {
    const { detail, title, type, errors } = (await response.json()) as Problem;
    const fields = (errors ?? []).map(({ path, message }) => `${path} ${message}`);
    const lines = [kindOf(type), detail ?? title, ...fields].filter((line) => line !== null);
    return new ApiProblem(lines.join('\n'), response.status, type);
  } catch {
    return new ApiProblem(`${response.status} ${response.statusText}`, response.status, null);
  }
};
