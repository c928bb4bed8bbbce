import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { RestockError } from '../client/index.ts'
import { backtestCommand } from './backtest.ts'
import { connectCommand } from './connect.ts'
import { doctorCommand } from './doctor/index.ts'
import { Failure } from './errors.ts'
import { overridesCommand, planCommand } from './groups/calendar.ts'
import { costsCommand } from './groups/costs.ts'
import { auditCommand } from './groups/audit.ts'
import { closuresCommand } from './groups/closures.ts'
import { draftsCommand } from './groups/drafts.ts'
import { exceptionsCommand } from './groups/exceptions.ts'
import { forecastsCommand } from './groups/forecasts.ts'
import { keysCommand } from './groups/keys.ts'
import { policiesCommand } from './groups/policies.ts'
import { qualityCommand } from './groups/quality.ts'
import { reportCommand } from './groups/report.ts'
import { webhooksCommand } from './groups/webhooks.ts'
import { mcpCommand } from './mcp.ts'
import { note, printJson } from './output.ts'
import { pilotCommand } from './pilot/index.ts'
import { predictCommand } from './predict.ts'
import { proposalsCommand } from './proposals/index.ts'
import { explain } from './refusals.ts'
import { sourcesCommand } from './sources/index.ts'
import { syncCommand, syncsCommand } from './sync.ts'
import { tasksCommand } from './tasks/verify.ts'

const ENVIRONMENT = `
Environment:
  RESTOCK_URL      address of the API (default http://localhost:4004/v1)
  RESTOCK_API_KEY  key for it; a development server of this checkout needs none

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`

/** Runs one command line and sets the exit code; it does not end the process. */
export async function main(argv: string[]): Promise<void> {
  process.stdout.on('error', endOutput)
  const program = programOf()
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'))
  }
}

function programOf(): Command {
  const program = new Command('restock')
    .description('Demand forecasts and order proposals beside your ERP.')
    .version(readVersion())
    .addHelpText('after', ENVIRONMENT)
    // An option belongs to the last command before it: `doctor` and `doctor compare` have one alike.
    .enablePositionalOptions()
  const commands = [
    connectCommand(),
    syncCommand(),
    syncsCommand(),
    proposalsCommand(),
    exceptionsCommand(),
    policiesCommand(),
    costsCommand(),
    planCommand(),
    closuresCommand(),
    draftsCommand(),
    overridesCommand(),
    forecastsCommand(),
    sourcesCommand(),
    keysCommand(),
    webhooksCommand(),
    auditCommand(),
    reportCommand(),
    qualityCommand(),
    tasksCommand(),
    mcpCommand(),
    doctorCommand(),
    predictCommand(),
    backtestCommand(),
    pilotCommand(),
  ]
  for (const command of commands) program.addCommand(command)
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
