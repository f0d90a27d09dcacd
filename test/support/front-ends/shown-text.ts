import type { Conversation, Running, Shown } from './front-end.ts';

/** Reads from a reply's text, where the wire has nothing else, a question's options and the tool that is asked about. */
export const shownText = (text: string, progress: string): Shown => {
  const [, tool, input] = /May I run the tool "(\w+)" with this input\?\n\n([\s\S]*?)\n\n1\. /.exec(text) ?? [];
  const approval = tool === undefined || input === undefined ? null : { tool, input };
  const options = [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, option = '']) => option);
  return { text, progress: progress.split('\n').filter(Boolean), options, approval, error: null };
};

/** A conversation on a wire that has messages alone: a choice and a decision are said like anything else. */
export const inWords = (session: string, start: (text: string) => Promise<Running>): Conversation => {
  const say = async (text: string): Promise<Shown> => (await start(text)).shown;
  return { session, say, start, choose: say, decide: (isApproved) => say(isApproved ? 'yes' : 'no') };
};
