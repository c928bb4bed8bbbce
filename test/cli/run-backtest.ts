// Runs the command alone, with the exit codes of the whole CLI.
import { CommanderError } from 'commander'
import { backtestCommand } from '../../cli/backtest.ts'

try {
  await backtestCommand().exitOverride().parseAsync(process.argv.slice(2), { from: 'user' })
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode && 2
}
