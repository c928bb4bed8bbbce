import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { RestockError } from '../client/index.ts'
import { auditCommand } from './audit/index.ts'
import { backtestCommand } from './backtest.ts'
import { helpOf } from './command.ts'
import { connectCommand } from './connect.ts'
import { doctorCommand } from './doctor/index.ts'
import { Failure } from './errors.ts'
import { exceptionsCommand } from './exceptions/index.ts'
import { forecastsCommand } from './forecasts.ts'
import { keysCommand } from './keys/index.ts'
import { note, printJson } from './output.ts'
import { overridesCommand } from './overrides/index.ts'
import { planCommand } from './plan/index.ts'
import { policiesCommand } from './policies/index.ts'
import { predictCommand } from './predict.ts'
import { proposalsCommand } from './proposals/index.ts'
import { explain } from './refusals.ts'
import { qualityCommand } from './quality.ts'
import { reportCommand } from './report/index.ts'
import { sourcesCommand } from './sources.ts'
import { syncCommand } from './sync.ts'
import { syncsCommand } from './syncs.ts'
import { tasksCommand } from './tasks/index.ts'
import { webhooksCommand } from './webhooks/index.ts'

const ENVIRONMENT = `
Environment:
  RESTOCK_URL      address of the API (default http://localhost:4004/v1)
  RESTOCK_API_KEY  key for it; a development server of this checkout needs none

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`

const PREDICT_EXAMPLES = [
  'predict --history sales.csv --as-of 2026-11-20 --horizons 7,28,90',
  'predict --history sales.csv.gz --as-of 2026-11-20 --returns net --out forecast.csv',
]

const BACKTEST_EXAMPLES = [
  'backtest --history sales.csv.gz --horizons 7,28,90 --origins 4 --step 28',
]

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
  const commands = [
    connectCommand(),
    syncCommand(),
    syncsCommand(),
    proposalsCommand(),
    exceptionsCommand(),
    policiesCommand(),
    planCommand(),
    overridesCommand(),
    forecastsCommand(),
    sourcesCommand(),
    keysCommand(),
    webhooksCommand(),
    auditCommand(),
    reportCommand(),
    qualityCommand(),
    tasksCommand(),
    doctorCommand(),
    predictCommand().addHelpText('after', helpOf(PREDICT_EXAMPLES)),
    backtestCommand().addHelpText('after', helpOf(BACKTEST_EXAMPLES)),
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
