// How commands are described: the groups are tables of them, each with its options, its call and what is told of the answer.
import { Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import type { Answer } from '../client/index.ts'
import { dataOf, type FieldOf, rowsOf, type With } from './client.ts'
import { note, print, printJson } from './output.ts'
import { type Column, linesOf } from './table.ts'

/** A command as its help shows it. */
interface Described {
  name: string
  summary: string
  examples?: string[]
  /** What each argument is, by `<id>`, or `[id]` where it may be absent. */
  args?: Record<string, string>
  options?: Option[]
}

/** A command that does as it is written; `--json` is an option like any other. */
interface Written<Options> extends Described {
  run(options: Options, ...args: string[]): Promise<void> | void
}

/** A command that makes one call: with `--json` it prints the answer unchanged. */
interface Calling<Options, Data, Name extends FieldOf<Data>> extends Described {
  call(options: Options, ...args: string[]): Promise<Answer<Data>>
  /** The fields that are told. */
  needs?: Name[]
  /** The lines to print. */
  tell(found: With<Data, Name>, options: Options, ...args: string[]): string | string[] | void
}

/** A command that shows a page of a list. */
interface Listing<Options, Row> extends Described {
  call(options: Options, ...args: string[]): Promise<Answer<Page<Row>>>
  needs: FieldOf<Row>[]
  /** Said in place of an empty table. */
  none?: string
  columns: Column<Row>[]
}

interface Page<Row> {
  data: Row[]
  next_cursor: string | null
}

export interface Json {
  json?: true
}

/** A group of commands under one name. */
export function group(name: string, summary: string, commands: Command[]): Command {
  const parent = new Command(name).description(summary)
  for (const command of commands) parent.addCommand(command)
  return parent
}

export function command<Options extends OptionValues>(described: Written<Options>): Command {
  const { name, summary, examples, args = {}, options = [], run } = described
  const made = new Command(name).description(summary)
  for (const [argument, what] of Object.entries(args)) made.argument(argument, what)
  for (const each of options) made.addOption(each)
  if (examples) made.addHelpText('after', helpOf(examples))
  return made.action(() => run(made.opts<Options>(), ...made.args))
}

/** A command that calls the API. */
export function apiCommand<Options extends OptionValues>(described: Written<Options>): Command {
  const json = option('--json', "print the API's answer alone, as JSON")
  return command({ ...described, options: [json, ...(described.options ?? [])] })
}

export function callCommand<Options extends OptionValues, Data, Name extends FieldOf<Data>>(
  described: Calling<Options, Data, Name>,
): Command {
  const { call, needs = [], tell, ...rest } = described
  return apiCommand({
    ...rest,
    async run(options: Options & Json, ...args) {
      const { json } = options
      delete options.json // it is no part of what is asked
      const answer = await call(options, ...args)
      if (json) return printJson(answer)
      print(...[tell(dataOf(answer, needs), options, ...args) ?? []].flat())
    },
  })
}

export function listCommand<Options extends OptionValues, Row>(
  described: Listing<Options, Row>,
): Command {
  const { needs, none, columns, ...rest } = described
  return callCommand({
    ...rest,
    needs: [],
    tell(page: Page<Row>) {
      const rows = rowsOf(page, needs)
      if (!rows.length && none) return note(none)
      print(...linesOf(columns, rows))
      if (page.next_cursor) note(`There are more: continue with --cursor ${page.next_cursor}`)
    },
  })
}

/** The examples below a help text. */
export function helpOf(examples: string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ restock ${example}`).join('\n')}`
}

/** An option; `parse` reads its text, or lists what it may be. */
export function option<Value>(
  flags: string,
  what?: string,
  parse?: readonly string[] | ((text: string, earlier: Value) => Value),
  preset?: Value,
): Option {
  const made = new Option(flags, what).default(preset)
  if (typeof parse === 'function') return made.argParser(parse)
  return parse ? made.choices(parse) : made
}

/** An option that must be given. */
export const mandatory = <Value>(...given: Parameters<typeof option<Value>>) =>
  option(...given).makeOptionMandatory()

/** `--sku <code>` and the like. */
export const codes = (...names: string[]) => names.map((name) => option(`--${name} <code>`))

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

/** A parser for an option whose text has a pattern. @param must what it must be, in words */
export function textLike(pattern: RegExp, must: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text
    throw new InvalidArgumentError(`It must be ${must}.`)
  }
}

/** The same for a number. */
export function numberLike(pattern: RegExp, must: string): (text: string) => number {
  const parse = textLike(pattern, must)
  return (text) => Number(parse(text))
}

/** A parser for an option that is a day: of the 30th of February JavaScript would make one in March. */
export function calendarDay(text: string): string {
  if (isCalendarDay(text)) return text
  throw new InvalidArgumentError('It must be a calendar day as YYYY-MM-DD.')
}

export function isCalendarDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Collects the values of an option that may be repeated or separated by commas. */
export function collect(text: string, earlier: string[] = []): string[] {
  const values = text.split(',').map((value) => value.trim())
  return [...earlier, ...values.filter((value) => value !== '')]
}

export const CURSOR = option('--cursor <cursor>', 'continue after an earlier answer')
/** The options of a list in pages. */
export const PAGING = [
  option('--limit <n>', 'number of lines at most, up to 200', wholeNumber(1, 200)),
  CURSOR,
]
