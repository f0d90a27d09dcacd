/** What every command line reports, whatever its tool. */
export const commandLine = {
  usage: 'Usage:',
  unclosedQuote: (quote: string) => `The quote ${quote} is not closed.`,
  unknownOption: (name: string) => `Unknown option --${name}.`,
  missingValue: (name: string) => `--${name} needs a value.`,
  repeatedOption: (name: string) => `--${name} is given more than once.`,
  notInRange: (name: string, min: number, max: number, text: string) =>
    `${name} must be a whole number from ${min} to ${max}, not "${text}".`,
  missingId: 'The id is missing.',
  invalidId: (text: string) => `"${text}" is not an id: ids are numbers.`,
  tooManyIds: (max: number) => `A command takes at most ${max} ids: give the others in another one.`,
  unexpectedArgument: (text: string) => `Unexpected argument "${text}".`,
  missingSubcommand: 'The subcommand is missing.',
  unknownSubcommand: (command: string) => `Unknown command ${command}.`,
  nothingToChange: 'Nothing to change: give a new value or an option.',
  tooManyReminders: (max: number) => `There are ${max} reminders already: remove some first, with --remind none.`,
  more: (count: number) => `… and ${count} more`,
};
