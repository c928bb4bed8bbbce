import { spawn } from 'node:child_process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a program of Node in the place of this process, where the system and Node can; elsewhere, as on Windows and
 * before Node 22.15, below it: it gets what this one is told, and `endWithStarter` ends it where this one is killed.
 */
export function become(program: string, args: string[], env: NodeJS.ProcessEnv): void {
  const given = { ...process.env, ...env }
  const isWindows = process.platform === 'win32'
  const isReplaceable = !isWindows && typeof process.execve === 'function'
  if (isReplaceable) process.execve!(process.execPath, [process.execPath, program, ...args], given)
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...given, RESTOCK_STARTED_BY: String(process.pid) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of SIGNALS) {
    // The console of Windows tells both, and there kill() would end the child in the middle of its work.
    process.on(signal, () => isWindows || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
  })
}

/** Ends this process as SIGTERM would, once the one that `become` started it from is gone. */
export function endWithStarter(): void {
  if (process.env.RESTOCK_STARTED_BY !== String(process.ppid)) return
  // Emitted, since Windows would end it at once if it were sent; a start has no listener yet.
  process.once('disconnect', () => process.emit('SIGTERM') || process.exit(1))
  process.channel?.unref()
}
