const abilities = [
  'I can add, list, search, move, finish and delete todos and schedule entries, remind you, and tell when something is and whether you are free, in English and Chinese, several in one request. For example:',
  '- Add a todo to buy milk and schedule a dentist appointment tomorrow at 3pm',
  '- What is on my todo list?',
  '- Mark buy milk as done',
  '- Am I free on Tuesday afternoon?',
].join('\n');

/** Texts of the offline model (SPEC 9). Each question is asked once, and in other words than the one before. */
export const offline = {
  questions: {
    text: (subject: string) => [
      `What should the todo say? (“${subject}”)`,
      `I still need the todo's text for “${subject}”. What is to be done?`,
    ],
    title: (subject: string) => [
      `What is the event called? (“${subject}”)`,
      `I still need a title for “${subject}”. What shall I call it?`,
    ],
    title_and_when: (subject: string) => [
      `What should be scheduled, and when? (“${subject}”)`,
      `I still need a title and a time for “${subject}”, such as: dentist, tomorrow 15:00.`,
    ],
    when: (subject: string, _about: string) => [
      `When is “${subject}”?`,
      `I could not read a time in that. On which day and at what time is “${subject}”, for example tomorrow 15:00?`,
      `Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    remind: (subject: string, _about: string) => [
      `When should I remind you of “${subject}”?`,
      `I could not read a time in that. On which day and at what time should the reminder of “${subject}” come?`,
      `Please give the time of the reminder of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    hour: (subject: string, _about: string) => [
      `At what time of day is “${subject}”?`,
      `I could not read a time of day in that. What hour is “${subject}” at, for example 15:00?`,
      `Please give the whole time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    half: (subject: string, about: string) => [
      `Which time do you mean for “${subject}”: ${about.replace('/', ' or ')}?`,
      `I could not tell which one: is “${subject}” at ${about.replace('/', ' or at ')}?`,
    ],
    unclear: (subject: string, about: string) => [
      `I did not understand “${about}”. When is “${subject}”, for example tomorrow 15:00?`,
      `I did not understand “${about}” either. Please give the time of “${subject}” in figures, as YYYY-MM-DD HH:MM.`,
    ],
    other_time: (subject: string, _about: string) => [
      `The time of “${subject}” could not be used: it has passed. When is it instead?`,
      `That time of “${subject}” has passed too. Please write it as YYYY-MM-DD HH:MM.`,
    ],
    which: (subject: string) => [
      `Which one do you mean by “${subject}”?`,
      `I could not tell which one that is. Please choose one for “${subject}” by its number in this list.`,
    ],
    all: (verb: 'done' | 'delete', kind: 'todo' | 'schedule', count: number) => {
      const what = kind === 'todo' ? 'todos' : 'schedule entries';
      const all = `all ${what} that are listed (${count})`;
      return verb === 'done'
        ? [`Mark ${all} as done?`, `Yes or no: mark ${all} as done?`]
        : [`Delete ${all}? This can't be undone.`, `Yes or no: delete ${all}? This can't be undone.`];
    },
  },
  yes: 'yes',
  no: 'no',
  freeTime: 'the time that you ask about',
  free: (time: string, entries: string[]) =>
    entries.length === 0
      ? `You are free: nothing is on your schedule ${time}.`
      : `You are not free ${time}:\n${entries.join('\n')}`,
  noMatch: (name: string) => `Nothing in your todos or on your schedule matches “${name}”.`,
  alreadyDone: (line: string) => `it is done already: ${line}`,
  noReferent: 'it is not clear which one you mean: please give its name.',
  repeats: (title: string) => `“${title}” repeats: please say its new day and hour, such as every Monday at 16:00.`,
  notDone: (reason: string) => `Not done: ${reason}`,
  notUnderstood: 'the offline model does not understand this request; it knows todos and schedules only.',
  unanswered: 'what is missing was asked for, and I could not read it in the answers.',
  mayNotAsk: (question: string) => `I may not ask another question now, and this is missing: ${question}`,
  mayNotAct: (tool: string) => `no tool may be called now, and this needs ${tool}.`,
  noSuchTool: (tool: string) => `this item may not use the tool ${tool}.`,
  declined: 'you told me to leave it.',
  done: (result: string) => `Done: ${result}`,
  doneOf: (done: number, all: number) => `${done} of ${all} done:`,
  item: (number: number, step: string, result: string) => `${number}. ${step}\n   ${result}`,
  noResult: 'finished',
  stuck: 'it waits for something that will never be finished.',
  unused: (text: string) => `I could not make use of this: “${text}”`,
  unverified: 'What was written did not pass its verification, and the offline model cannot repair it.',
  signature:
    '(This answer comes from the built-in offline model: fixed rules, no AI. For a real model set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, and choose it with TRIPACT_MODEL.)',
  hello: `Hello! ${abilities}`,
  cannot: 'The offline model cannot do that: it knows todos and schedules only.',
  welcome: 'Glad to help.',
};
