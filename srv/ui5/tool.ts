// Starts the UI5 CLI, which fetches the libraries from npm into UI5_DATA_DIR (~/.ui5 unless set).
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { compress } from './compress.ts'
import { dropSources } from './drop-sources.ts'
import { appsFolder } from './paths.ts'

const LEAST_PRIORITY = 19

/** Whether the CLI is there: it is not in production, where the libraries come built. */
export function hasTool(): boolean {
  try {
    createRequire(import.meta.url).resolve('@ui5/cli/package.json')
    return existsSync(path.join(appsFolder(), 'ui5.yaml'))
  } catch {
    return false
  }
}

export function startTool(args: string[], { background = false } = {}): ChildProcess {
  const extension = path.extname(import.meta.filename)
  const child = fork(path.join(import.meta.dirname, `child${extension}`), args, {
    cwd: appsFolder(),
    execArgv: [],
    silent: true,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // Not every system lets a process give way; then it competes.
  if (background && child.pid) {
    try {
      os.setPriority(child.pid, LEAST_PRIORITY)
    } catch {
      return child
    }
  }
  return child
}

const PROJECT = ['--config', 'ui5.yaml', '--dependency-definition', 'dependencies.yaml']

export const serveArguments = ['serve', ...PROJECT]

/** Fetches and builds the libraries into a folder, which appears whole or not at all. */
export async function buildInto(folder: string, tell: (line: string) => void, background = false) {
  const draft = `${folder}.draft-${process.pid}`
  const args = ['build', ...PROJECT, '--all', '--include-task=generateVersionInfo']
  const child = startTool([...args, '--dest', draft], { background })
  let last = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      const lines = String(chunk).split('\n').filter(Boolean)
      last = lines.at(-1) ?? last
      lines.forEach(tell)
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    if (code !== 0) throw new Error(`UI5 was not built: ${last}`)
    await dropSources(draft)
    await compress(path.join(draft, 'resources'))
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
