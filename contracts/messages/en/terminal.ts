/** What the commands in a terminal say around a task's own texts. */
export const terminal = {
  approvalKeys:
    'y: run it · n: do not · always: run it, and do not ask for this tool again in this task · edit: change the input first',
  newInput: 'New input: ',
};
