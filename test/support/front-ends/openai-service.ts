import OpenAI from 'openai';
import { answersByGoal } from '../anthropic/answers-by-goal.ts';
import { answer, done, plan, type Service, startService } from '../service/service.ts';

const task = (response: string) => [plan('Do it'), done(), answer(response)];

/** A service whose model answers each goal with one text. */
export const start = (goals: Record<string, string>, env = {}): Promise<Service> =>
  startService(answersByGoal(Object.fromEntries(Object.entries(goals).map(([goal, text]) => [goal, task(text)]))), env);

/** The SDK, connected to a service. */
export const clientOf = ({ url }: Service, options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0, ...options });

export type Message = OpenAI.ChatCompletionMessageParam;

/** Messages of the user and the assistant in turn. */
export const said = (...texts: string[]): Message[] =>
  texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }) as Message);

/** Sends messages and returns the reply with its session. */
export const chat = async (
  service: Service,
  messages: Message[],
  headers: Record<string, string> = {},
): Promise<{ text: string; turn: string; session: string }> => {
  const reply = await clientOf(service).chat.completions.create({ model: 'any', messages }, { headers });
  const turn = reply.id.replace('chatcmpl-', '');
  const { session_id } = await service.get<{ session_id: string }>(`/v1/turns/${turn}`);
  return { text: reply.choices[0]?.message.content ?? '', turn, session: session_id };
};

export const sessionsOf = async ({ get }: Service): Promise<string[]> =>
  (await get<{ sessions: { session_id: string }[] }>('/v1/sessions')).sessions.map(({ session_id }) => session_id);

/** The SDK's error for a call that is refused. */
export const errorOf = async (call: PromiseLike<unknown>) => {
  try {
    await call;
  } catch (error) {
    if (error instanceof OpenAI.APIError) {
      const { status, code, message, param } = error;
      return { status, code, message, param };
    }
    throw error;
  }
  throw new Error('it was not refused');
};
