import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { RestockError } from '../client/index.ts'
import { Failure } from './errors.ts'
import { note, printJson } from './output.ts'
import { explain } from './refusals.ts'

const ENVIRONMENT = `
Environment:
  RESTOCK_URL      address of the API (default http://localhost:4004/v1)
  RESTOCK_API_KEY  key for it; a development server of this checkout needs none

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`

/** The commands, each with what loads it: a call loads the one that it names alone. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  connect: async () => (await import('./connect.ts')).connectCommand(),
  sync: async () => (await import('./sync.ts')).syncCommand(),
  syncs: async () => (await import('./sync.ts')).syncsCommand(),
  proposals: async () => (await import('./proposals/index.ts')).proposalsCommand(),
  exceptions: async () => (await import('./groups/exceptions.ts')).exceptionsCommand(),
  policies: async () => (await import('./groups/policies.ts')).policiesCommand(),
  costs: async () => (await import('./groups/costs.ts')).costsCommand(),
  plan: async () => (await import('./groups/calendar.ts')).planCommand(),
  closures: async () => (await import('./groups/closures.ts')).closuresCommand(),
  drafts: async () => (await import('./groups/drafts.ts')).draftsCommand(),
  overrides: async () => (await import('./groups/calendar.ts')).overridesCommand(),
  forecasts: async () => (await import('./groups/forecasts.ts')).forecastsCommand(),
  sources: async () => (await import('./sources/index.ts')).sourcesCommand(),
  keys: async () => (await import('./groups/keys.ts')).keysCommand(),
  webhooks: async () => (await import('./groups/webhooks.ts')).webhooksCommand(),
  audit: async () => (await import('./groups/audit.ts')).auditCommand(),
  report: async () => (await import('./groups/report.ts')).reportCommand(),
  quality: async () => (await import('./groups/quality.ts')).qualityCommand(),
  tasks: async () => (await import('./tasks/verify.ts')).tasksCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  doctor: async () => (await import('./doctor/index.ts')).doctorCommand(),
  predict: async () => (await import('./predict.ts')).predictCommand(),
  backtest: async () => (await import('./backtest.ts')).backtestCommand(),
  pilot: async () => (await import('./pilot/index.ts')).pilotCommand(),
}

/** Runs one command line and sets the exit code; it does not end the process. */
export async function main(argv: string[]): Promise<void> {
  process.stdout.on('error', endOutput)
  const program = await programOf(argv.slice(2))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'))
  }
}

async function programOf([name = '']: string[]): Promise<Command> {
  const loads = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS)
  const program = new Command('restock')
    .description('Demand forecasts and order proposals beside your ERP.')
    .version(readVersion())
    .addHelpText('after', ENVIRONMENT)
    // An option belongs to the last command before it: `doctor` and `doctor compare` have one alike.
    .enablePositionalOptions()
  for (const load of loads) program.addCommand(await load())
  throwInsteadOfExit(program)
  return program
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for what is possible)')
  command.commands.forEach(throwInsteadOfExit)
}

/** Prints the error in one line. @returns the exit code */
function report(error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError) {
    // Commander has printed its own errors already; `commander.error` is an error of a command.
    if (error.exitCode === 0 || error.code === 'commander.error') return error.exitCode
    return 2
  }
  if (error instanceof RestockError) {
    if (isJson && error.error) printJson(error)
    note(`error: ${explain(error)}`)
    return 1
  }
  note(`error: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof Failure) return error.exitCode
  return exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  const code = error instanceof Error && 'exitCode' in error ? error.exitCode : 1
  return typeof code === 'number' ? code : 1
}

/** EPIPE is no error: the reader of the output, e.g. `head`, has closed it. */
function endOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  note(`error: the output cannot be written: ${error.message}`)
  process.exit(1)
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
