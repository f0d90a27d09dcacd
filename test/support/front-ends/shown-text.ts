import type { Conversation, Photo, Running, Shown } from './front-end.ts';

/** Reads a question's options and the tool of an approval from a reply's text, if the protocol has nothing else. */
export const shownText = (text: string, progress: string): Shown => {
  const [, tool, input] = /May I run the tool "(\w+)" with this input\?\n\n([\s\S]*?)\n\n1\. /.exec(text) ?? [];
  const approval = tool === undefined || input === undefined ? null : { tool, input };
  const options = [...text.matchAll(/^\d+\. (.*)$/gm)].map(([, option = '']) => option);
  return { text, progress: progress.split('\n').filter(Boolean), options, approval, error: null };
};

/** A conversation in a protocol with messages only: choices and decisions are messages too. */
export const inWords = (session: string, start: (text: string, photo?: Photo) => Promise<Running>): Conversation => {
  const say = async (text: string, photo?: Photo): Promise<Shown> => (await start(text, photo)).shown;
  return {
    session,
    say,
    start,
    choose: (option) => say(option),
    decide: (isApproved) => say(isApproved ? 'yes' : 'no'),
  };
};
