import { spawn } from 'node:child_process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a program of Node in the place of this process, where the system can; elsewhere, as on Windows, below it. */
export function become(program: string, args: string[], env: NodeJS.ProcessEnv): void {
  const given = { ...process.env, ...env }
  const isReplaceable = process.platform !== 'win32' && typeof process.execve === 'function'
  if (isReplaceable) process.execve!(process.execPath, [process.execPath, program, ...args], given)
  const child = spawn(process.execPath, [program, ...args], { env: given, stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
  })
}
