import type { Problem } from '../../../contracts/http.ts';

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

/** Reads why a request was refused. */
export const problemOf = async (response: Response): Promise<ApiProblem> => {
  try {
    const { detail, title, type, errors } = (await response.json()) as Problem;
    const fields = (errors ?? []).map(({ path, message }) => `${path} ${message}`);
    return new ApiProblem([detail ?? title, ...fields].join('\n'), response.status, type);
  } catch {
    return new ApiProblem(`${response.status} ${response.statusText}`, response.status, null);
  }
};
