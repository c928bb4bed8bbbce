import { spawn } from 'node:child_process'
import path from 'node:path'
import { main } from '../../../cli/main.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export interface Outcome {
  code: number
  output: string
}

/** Words of a command line, without their quotes. */
const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)

/** A command that reads or writes files of the folder, or is none of ours, runs in a shell there. */
const NEEDS_SHELL =
  /^(?!npx restock )|^npx restock (predict|backtest|proposals (export|hand-over)|closures import)\b/

/** Runs a command line; `restock` itself in this process, which takes a tenth of the time. */
export function run(command: string, folder: string): Promise<Outcome> {
  if (NEEDS_SHELL.test(command)) return runInShell(command, folder)
  return runHere(wordsOf(command).slice(1))
}

function runInShell(command: string, cwd: string): Promise<Outcome> {
  const bin = path.join(root, 'bin/restock.js')
  const { NODE_OPTIONS: _, ...env } = process.env
  const text = command.replaceAll('npx restock', `"${process.execPath}" "${bin}"`)
  const child = spawn('bash', ['-c', text], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((done) => child.on('close', (code) => done({ code: code ?? -1, output })))
}

async function runHere(argv: string[]): Promise<Outcome> {
  let output = ''
  const streams = [process.stdout, process.stderr]
  const writes = streams.map((stream) => stream.write.bind(stream))
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array) => {
      output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  }
  const before = process.exitCode
  const listeners = process.stdout.listeners('error')
  process.exitCode = undefined
  try {
    await main(['node', ...argv])
    return { code: Number(process.exitCode ?? 0), output }
  } finally {
    process.exitCode = before
    for (const each of process.stdout.listeners('error') as (() => void)[])
      if (!listeners.includes(each)) process.stdout.off('error', each)
    streams.forEach((stream, i) => (stream.write = writes[i] as typeof stream.write))
  }
}
