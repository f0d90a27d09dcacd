/** What the commands in a terminal say around a task's own texts. */
export const terminal = {
  approvalKeys:
    'y: run it · n: do not · always: run it, and do not ask for this tool again in this task · edit: change the input first',
  newInput: 'New input: ',
  cancelling: 'Cancelling the task; Ctrl-C again leaves at once',
  cost: (amount: string, currency: string) => `Cost: ${amount} ${currency}`,
  onService: (url: string) => `On the service at ${url}`,
  taskOf: (task: string, session: string) => `Task ${task}, session ${session}`,
  session: (session: string) => `Session ${session}`,
  answerWith: (run: string, chat: string) => `Answer with: ${run} "<answer>" (or talk: ${chat})`,
  goOnWith: (run: string, chat: string) => `Go on with: ${run} continue (or talk: ${chat})`,
  kept: (chat: string) => `The session is kept; come back with: ${chat}`,
  goesOn: (url: string) => `The task goes on in the service at ${url}`,
  goesOnLater: 'The task stops here, and goes on as soon as a service or a command runs on this data folder again',
};
