// Runs the UI5 CLI in this process, which ends with the one that has started it. The CLI fetches the libraries from npm
// into UI5_DATA_DIR (~/.ui5 unless set).
import path from 'node:path'
import { onlyWhatIsUsed } from './used.ts'

const PROJECT = ['--config', 'ui5.yaml', '--dependency-definition', 'dependencies.yaml']
// It brings no types.
const UI5: string = '@ui5/cli/bin/ui5.cjs'

export async function runUi5(command: string, ...options: string[]) {
  process.on('disconnect', () => process.exit())
  // The channel alone must not keep a build alive that is done.
  process.channel?.unref()
  process.chdir(path.join(import.meta.dirname, '../../app'))
  process.argv = [process.argv[0]!, 'ui5', command, ...PROJECT, ...options]
  await onlyWhatIsUsed()
  await import(UI5)
}
