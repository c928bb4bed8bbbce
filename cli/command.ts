import { Command, InvalidArgumentError } from 'commander'

/** A command that calls the API: it has `--json` and examples in its help. */
export function apiCommand(name: string, summary: string, examples: string[]): Command {
  return new Command(name)
    .description(summary)
    .option('--json', "print the API's answer alone, as JSON")
    .addHelpText('after', helpOf(examples))
}

/** The examples below a help text. */
export function helpOf(examples: string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ restock ${example}`).join('\n')}`
}

/** A parser for an option that is a whole number within a range. */
export function wholeNumber(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return number
    const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `of ${least}..${most}`
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }
}

/** Collects the values of an option that may be repeated or separated by commas. */
export function collect(text: string, earlier: string[] | undefined): string[] {
  const values = text.split(',').map((value) => value.trim())
  return [...(earlier ?? []), ...values.filter((value) => value !== '')]
}
