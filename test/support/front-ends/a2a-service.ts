import { randomUUID } from 'node:crypto';
import { answersByGoal } from '../anthropic/answers-by-goal.ts';
import { answer, ask, done, plan, type Service, startService } from '../service/service.ts';

const KEYS = { TRIPACT_API_KEYS: 'anna:anna-0123456789abcdef,ben:ben-0123456789abcdef' };
export const ANNA = { authorization: 'Bearer anna-0123456789abcdef' };
export const BEN = { authorization: 'Bearer ben-0123456789abcdef' };

export const GOAL = 'Find the day';
export const CHINESE = '找一天';
export const ASKING = 'Choose a day';
export const HOPELESS = 'Do what cannot be done';

const script = () =>
  answersByGoal({
    [GOAL]: [plan('Look'), done('Sunday'), answer('It is on Sunday.')],
    [CHINESE]: [plan('选日子'), ask('哪一天？')],
    [ASKING]: [plan('Choose'), ask('Which day?'), answer('It is on Sunday.')],
    [HOPELESS]: [plan('Try'), done(), { ...answer('I cannot do it.'), outcome: 'failed' }],
  });

export interface RpcTask {
  id: string;
  history?: object[];
  contextId: string;
  status: { state: string; timestamp?: string; message?: { parts: { text?: string; data?: unknown }[] } };
  artifacts?: { parts: { text: string }[] }[];
}

export interface Rpc {
  result?: RpcTask & {
    task?: RpcTask;
    tasks?: RpcTask[];
    message?: unknown;
    totalSize?: number;
    nextPageToken?: string;
  };
  error?: { code: number; message: string };
}

/** A user's message in the context `c1`, unless `more` names another. */
export const text = (text: string, more: object = {}) => ({
  message: { messageId: randomUUID(), contextId: 'c1', role: 'ROLE_USER', parts: [{ text }], ...more },
});

export interface A2aService {
  service: Service;
  /** Calls a method of A2A 1.0 as Anna. */
  call(method: string, params: unknown, headers?: Record<string, string>): Promise<Rpc>;
  /** Sends a message, and returns its task. */
  sent(goal: string, more?: object): Promise<RpcTask>;
}

/** Starts a service for agents: with keys, unless `env` is given. */
export const startA2a = async (env: Record<string, string> = KEYS): Promise<A2aService> => {
  const service = await startService(script(), env);
  const call: A2aService['call'] = async (method, params, headers = {}) => {
    const body = { jsonrpc: '2.0', id: 7, method, params };
    return (await (await service.post('/a2a', body, { ...ANNA, 'a2a-version': '1.0', ...headers })).json()) as Rpc;
  };
  return {
    service,
    call,
    sent: async (goal, more = {}) => {
      const { result, error } = await call('SendMessage', text(goal, more));
      if (result?.task === undefined) throw new Error(JSON.stringify(error));
      return result.task;
    },
  };
};
